import { appendFileSync, rmSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { attempted } from "../../../src/base/fatal.ts";
import { sendOnce, serveMirror } from "../../../src/remote/mirror/serve-mirror.ts";
import { value } from "../../git/rig.ts";
import { eventually } from "../../rig/patience.ts";
import { mirrored, mirrorRig } from "./rig.ts";

test("a follower gets what it lacks, then every change, until it is gone", async () => {
  using rig = mirrorRig();
  const side = rig.mirror();
  let sames = 0;
  const taker = side.taker({ onSame: () => void (sames += 1) });
  const gone = new AbortController();
  const found = { home: rig.far, session: rig.at.session };
  const served = serveMirror(rig.world, found, {
    ...{ request: side.request(), gone: gone.signal },
    send: async (bytes) => value(await taker.take(bytes)),
  });
  await eventually(() => expect(sames).toBe(1));
  expect(mirrored(side.home)).toEqual(mirrored(rig.far));
  appendFileSync(rig.far.builderLog, "one\n");
  await eventually(() => expect(mirrored(side.home)).toEqual(mirrored(rig.far)));
  gone.abort();
  await served;
});

test("one that asks once gets a home that changes meanwhile when it keeps still", async () => {
  using rig = mirrorRig();
  const side = rig.mirror();
  writeFileSync(rig.far.tasks, "a".repeat(600_000));
  let sames = 0;
  let changes = 0;
  const taker = side.taker({ onSame: () => void (sames += 1) });
  await sendOnce(
    rig.world,
    { home: rig.far, session: rig.at.session },
    {
      request: side.request(),
      send: async (bytes) => {
        value(await taker.take(bytes));
        if (changes++ < 5) appendFileSync(rig.far.tasks, "b");
      },
    },
  );
  expect(sames).toBe(1);
  expect(mirrored(side.home)).toEqual(mirrored(rig.far));
});

test("a home that is removed while it is followed takes nothing from its mirror", async () => {
  using rig = mirrorRig();
  const side = rig.mirror();
  let sames = 0;
  const taker = side.taker({ onSame: () => void (sames += 1) });
  const gone = new AbortController();
  const served = attempted(() =>
    serveMirror(
      rig.world,
      { home: rig.far, session: rig.at.session },
      {
        ...{ request: side.request(), gone: gone.signal },
        send: async (bytes) => value(await taker.take(bytes)),
      },
    ),
  );
  await eventually(() => expect(sames).toBe(1));
  const before = mirrored(side.home);
  rmSync(rig.far.directory, { recursive: true });
  expect(await served).toMatchObject({ ok: false, failure: { kind: "file" } });
  expect(mirrored(side.home)).toEqual(before);
});
