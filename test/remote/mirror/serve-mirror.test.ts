import { appendFileSync, rmSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { attempted } from "../../../src/base/fatal.ts";
import { leasePath } from "../../../src/fs-protocol/home/home.ts";
import { sendOnce, serveMirror } from "../../../src/remote/mirror/serve-mirror.ts";
import { value } from "../../git/rig.ts";
import { eventually } from "../../rig/patience.ts";
import { mirrored, mirrorRig, type MirrorRig } from "./rig.ts";

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

/** What arrives, in order: who is at work there, or that all is here. */
function arrivals(rig: MirrorRig) {
  const events: string[] = [];
  const side = rig.mirror();
  const taker = side.taker({
    onBeat: ({ alive }) => void events.push(JSON.stringify(alive)),
    onSame: () => void events.push("same"),
  });
  const send = async (bytes: Uint8Array) => value(await taker.take(bytes));
  return { events, request: () => side.request(), send };
}

const SUPERVISED = '{".":["supervisor"]}';
const ALONE = '{".":[]}';

test("after the news that somebody has left it is said that all is here, although no file has changed", async () => {
  using rig = mirrorRig();
  const { locks } = rig.world.host;
  const lease = value(await locks.takeLease(leasePath(rig.far, "supervisor")));
  const { events, request, send } = arrivals(rig);
  const sender = rig.sender(send);
  await sender.greet(request());
  await sender.look(true);
  await lease.release();
  await sender.beat(false);
  await sender.look(false);
  await sender.look(false);
  expect(events).toEqual([SUPERVISED, "same", ALONE, "same"]);
});

test("one that follows hears that all is here after the last one has left", async () => {
  using rig = mirrorRig();
  const { locks } = rig.world.host;
  const { events, request, send } = arrivals(rig);
  const gone = new AbortController();
  const lease = value(await locks.takeLease(leasePath(rig.far, "supervisor")));
  const found = { home: rig.far, session: rig.at.session };
  const follower = { request: request(), send, gone: gone.signal };
  const served = serveMirror(rig.world, found, follower);
  await eventually(() => expect(events).toEqual([SUPERVISED, "same"]));
  await lease.release();
  await eventually(() => expect(events.slice(2)).toEqual([ALONE, "same"]));
  gone.abort();
  await served;
});
