import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FRAME_BYTES_MAX } from "../../../src/base/limits.ts";
import type { MirrorRequest } from "../../../src/remote/mirror/frame.ts";
import type { MirrorSender } from "../../../src/remote/mirror/send-mirror.ts";
import { Random } from "../../rig/random.ts";
import { SEED } from "../../rig/share.ts";
import { value } from "../../git/rig.ts";
import { ChangingHome } from "./changing-home.ts";
import { mirrored, mirrorRig, put, type MirrorRig, type MirrorSide } from "./rig.ts";

class Cut extends Error {}

/** What a place sends to a mirror, as bytes. */
async function streamFor(rig: MirrorRig, request: MirrorRequest): Promise<Buffer> {
  const sent: Uint8Array[] = [];
  const sender = rig.sender((bytes) => Promise.resolve(void sent.push(bytes)));
  await sender.greet(request);
  await sender.look(true);
  return Buffer.concat(sent);
}

test("wherever the link is cut, the next connection makes the mirror the same", async () => {
  using rig = mirrorRig();
  for (const path of [rig.far.sessionJson, rig.far.request]) rmSync(path);
  for (const [path, text] of [
    ["logs/builder.log", "one\ntwo\n"],
    ["revision-1/TASKS.md", "- [ ] a\n"],
  ] as const) {
    put(rig.far.directory, path, text);
  }
  const wanted = mirrored(rig.far);
  const all = await streamFor(rig, rig.mirror("whole").request());
  // The same request gets the same answer.
  const answers = new Map<string, Buffer>();
  for (let at = 0; at <= all.length; at++) {
    const side = rig.mirror(`cut-${String(at)}`);
    const taker = side.taker();
    value(await taker.take(all.subarray(0, at)));
    if (at % 2 === 0) taker.close();
    for (const [path, text] of Object.entries(mirrored(side.home))) {
      expect(wanted[path]?.startsWith(text)).toBe(true);
    }
    if (at % 3 === 0) put(side.home.directory, "requests/9.md", "gone\n");
    const next = side.taker();
    const request = side.request();
    const asked = JSON.stringify(request);
    const answer = answers.get(asked) ?? (await streamFor(rig, request));
    answers.set(asked, answer);
    value(await next.take(answer));
    expect(mirrored(side.home)).toEqual(wanted);
  }
});

/** Runs one connection of a few looks, during which the home changes, until it ends or is cut. */
async function connection(
  {
    rig,
    side,
    home,
    random,
  }: { rig: MirrorRig; side: MirrorSide; home: ChangingHome; random: Random },
  lastsBytes: number,
): Promise<void> {
  const taker = side.taker();
  let left = lastsBytes;
  const sender: MirrorSender = rig.sender(async (bytes) => {
    for (let at = 0; at < bytes.length;) {
      const end = at + random.between(1, 200);
      value(await taker.take(bytes.subarray(at, Math.min(end, at + left))));
      left -= end - at;
      at = end;
      if (left <= 0) throw new Cut();
    }
    home.expectPast(side);
    if (random.chance(0.3)) home.change();
  });
  try {
    await sender.greet(side.request());
    for (let looks = random.between(1, 6); looks > 0; looks--) {
      await sender.look(random.chance(0.3));
      for (let changes = random.below(4); changes > 0; changes--) home.change();
    }
  } catch (thrown) {
    if (!(thrown instanceof Cut)) throw thrown;
  } finally {
    // A follower that is killed does not close.
    if (random.chance(0.5)) taker.close();
  }
  home.expectPast(side);
}

test.each([1, 2, 3, 4])(
  "a home that changes over a link that is cut is never anything but what it was, and the same in the end (%d)",
  async (nth) => {
    using rig = mirrorRig();
    const random = Random.for(SEED, `cut-link ${String(nth)}`);
    const home = new ChangingHome(rig.far.directory, random);
    const side = rig.mirror();
    for (let times = 0; times < 15; times++) {
      await connection({ rig, side, home, random }, random.between(1, 6_000));
    }
    await rig.bringUp(side);
    expect(mirrored(side.home)).toEqual(mirrored(rig.far));
  },
);

/** A connection that stays. */
async function connected(rig: MirrorRig, side: MirrorSide): Promise<MirrorSender> {
  const taker = side.taker();
  const sender = rig.sender(async (bytes) => value(await taker.take(bytes)));
  await sender.greet(side.request());
  await sender.look(true);
  return sender;
}

test("a log that shrinks, or whose beginning changes in place, is replaced", async () => {
  using rig = mirrorRig();
  const side = rig.mirror();
  const log = rig.far.builderLog;
  writeFileSync(log, "one\ntwo\nthree\n");
  const sender = await connected(rig, side);
  truncateSync(log, 4);
  await sender.look(false);
  expect(mirrored(side.home)).toEqual(mirrored(rig.far));
  writeFileSync(log, "another beginning\nand so on\n");
  await sender.look(false);
  expect(mirrored(side.home)).toEqual(mirrored(rig.far));
  const long = "y\n".repeat(1_000);
  writeFileSync(log, `a${long}`);
  await sender.look(false);
  // The end is as it was, and only a full look compares the rest.
  writeFileSync(log, `b${long}more\n`);
  await sender.look(false);
  await sender.look(true);
  expect(mirrored(side.home)).toEqual(mirrored(rig.far));
});

test("a document that changes in place at once, with the same size, is sent again", async () => {
  using rig = mirrorRig();
  const side = rig.mirror();
  writeFileSync(rig.far.tasks, "a\n");
  const sender = await connected(rig, side);
  for (const letter of "bcdefghij") {
    writeFileSync(rig.far.tasks, `${letter}\n`);
    await sender.look(false);
    expect(mirrored(side.home)["TASKS.md"]).toBe(`${letter}\n`);
  }
});

test("a folder that becomes a file, and a file that becomes a folder, do so in the mirror", async () => {
  using rig = mirrorRig();
  const side = rig.mirror();
  put(rig.far.directory, "edits/a/b/c.md", "deep\n");
  put(rig.far.directory, "notes", "a file\n");
  await rig.bringUp(side);
  rmSync(join(rig.far.directory, "edits"), { recursive: true });
  rmSync(join(rig.far.directory, "notes"));
  put(rig.far.directory, "edits", "now a file\n");
  put(rig.far.directory, "notes/a.md", "in a folder\n");
  await rig.bringUp(side);
  expect(mirrored(side.home)).toEqual(mirrored(rig.far));
});

test("links and names too long for a frame are not sent, and do not stop the rest", async () => {
  using rig = mirrorRig();
  const side = rig.mirror();
  put(rig.far.directory, "TASKS.md", "a\n");
  await rig.bringUp(side);
  rmSync(rig.far.tasks);
  symlinkSync("/etc/passwd", rig.far.tasks);
  const long = join(...Array<string>(5).fill("d".repeat(240)));
  mkdirSync(join(rig.far.directory, long), { recursive: true });
  put(rig.far.directory, join(long, "file"), "far too deep\n");
  const name = "n".repeat(255);
  put(rig.far.directory, join("plans", name), "a long name\n");
  await rig.bringUp(side);
  const here = mirrored(side.home);
  expect(here[join("plans", name)]).toBe("a long name\n");
  expect(here["TASKS.md"]).toBeUndefined();
  expect(here[join(long, "file")]).toBeUndefined();
});

test("a file that is replaced between two of its parts is never mixed with the other", async () => {
  using rig = mirrorRig();
  const side = rig.mirror();
  const [old, later] = ["a", "b"].map((letter) => letter.repeat(2 * FRAME_BYTES_MAX + 10));
  writeFileSync(rig.far.tasks, old ?? "");
  const taker = side.taker();
  let parts = 0;
  const seen = new Set<string | undefined>();
  const sender = rig.sender(async (bytes) => {
    value(await taker.take(bytes));
    seen.add(mirrored(side.home)["TASKS.md"]);
    const isPart = Buffer.from(bytes.subarray(0, 100)).includes('"path":"TASKS.md"');
    if (isPart && ++parts === 1) {
      rmSync(rig.far.tasks);
      writeFileSync(rig.far.tasks, later ?? "");
    }
  });
  await sender.greet(side.request());
  expect(await sender.look(true)).toMatchObject({ isWhole: false });
  expect(await sender.look(false)).toMatchObject({ isWhole: true });
  expect(seen).toEqual(new Set([undefined, later]));
});
