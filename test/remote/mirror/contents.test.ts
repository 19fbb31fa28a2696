import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { ArrivingContent } from "../../../src/git/lfs/arriving-content.ts";
import { LFS_SESSION_BYTES_MAX } from "../../../src/git/lfs/lfs-limits.ts";
import { type Frame, FrameDecoder, type MirrorRequest } from "../../../src/remote/mirror/frame.ts";
import { gitContext } from "../../../src/workspace/world.ts";
import { contentIn, pointerTo, stored } from "../../git/lfs/lfs-rig.ts";
import { value } from "../../git/rig.ts";
import { mirrorRig, type MirrorRig } from "./rig.ts";

const BRANCH = "refs/heads/wisp/demo";
/** Takes three frames. */
const LARGE = "large ".repeat(100_000);
const SMALL = "small";

/** A commit with pointers on the session branch, and their content in the store of the place. */
function commitPointers(rig: MirrorRig, contents: readonly string[], kept = contents): void {
  const { git, repository } = rig.at;
  for (const [at, content] of contents.entries()) {
    writeFileSync(join(repository, `${String(at)}.bin`), pointerTo(content).pointer);
  }
  git("add", "--all");
  const tree = git("write-tree");
  git("update-ref", BRANCH, git("commit-tree", "-p", BRANCH, "-m", "Add contents", tree));
  for (const content of kept) putContent(rig, pointerTo(content).sha256, content);
}

function putContent(rig: MirrorRig, sha256: string, content: string): void {
  const path = contentIn(join(rig.at.repository, ".git", "lfs"), sha256);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** What one connection sends, in order. */
async function sent(rig: MirrorRig, request: Partial<MirrorRequest>): Promise<readonly Frame[]> {
  const decoder = new FrameDecoder();
  const frames: Frame[] = [];
  const sender = rig.sender((bytes) =>
    Promise.resolve(void frames.push(...value(decoder.push(bytes)))),
  );
  await sender.greet({ version: 1, have: [], ...request });
  await sender.look(true);
  return frames;
}

const kindsOf = (frames: readonly Frame[]) =>
  frames
    .map(({ header }) => header.kind)
    .filter((kind) => ["content", "bundle", "refs"].includes(kind));

/** A user's repository that content arrives in. */
function arrival(rig: MirrorRig) {
  const side = rig.mirror("here");
  const repository = join(side.scratch, "repository");
  rig.at.git("init", "-q", repository);
  const of = { repository, state: side.scratch };
  const open = () => new ArrivingContent(gitContext(rig.world), of);
  const taker = (content: ArrivingContent) =>
    side.taker({ onContent: (pointer, path) => content.keep(pointer, path) });
  const store = join(repository, ".git", "lfs");
  return { side, open, taker, read: (content: string) => stored(store, pointerTo(content)) };
}

test("content comes before the commits with its pointers, in parts, and only what the place has", async () => {
  using rig = mirrorRig();
  commitPointers(rig, [LARGE, SMALL, "nobody has this"], [LARGE, SMALL]);
  const frames = await sent(rig, { contents: [] });
  expect(kindsOf(frames)).toEqual(["content", "content", "content", "content", "bundle", "refs"]);
  const { side, open, taker, read } = arrival(rig);
  const content = open();
  const taking = taker(content);
  const sender = rig.sender(async (bytes) => value(await taking.take(bytes)));
  await sender.greet({ ...side.request(), contents: [] });
  await sender.look(true);
  expect([read(LARGE), read(SMALL), read("nobody has this")]).toEqual([LARGE, SMALL, undefined]);
  const known = [...value(await open().known())].sort();
  expect(known).toEqual([LARGE, SMALL].map((text) => pointerTo(text).sha256).sort());
  expect(kindsOf(await sent(rig, { contents: known }))).toEqual(["bundle", "refs"]);
});

test("a follower that does not ask for content gets none", async () => {
  using rig = mirrorRig();
  commitPointers(rig, [SMALL]);
  expect(kindsOf(await sent(rig, {}))).toEqual(["bundle", "refs"]);
});

test("a follower that has the commits gets the content that it lacks", async () => {
  using rig = mirrorRig();
  commitPointers(rig, [SMALL]);
  const head = rig.at.git("rev-parse", BRANCH);
  expect(kindsOf(await sent(rig, { head, contents: [] }))).toEqual(["content", "refs"]);
});

test("what was cut off is sent again whole, and nothing half is there meanwhile", async () => {
  using rig = mirrorRig();
  commitPointers(rig, [LARGE]);
  const { side, open, taker, read } = arrival(rig);
  const taking = taker(open());
  let left = 3;
  const sender = rig.sender(async (bytes) => {
    if (left-- === 0) throw new Error("cut");
    value(await taking.take(bytes));
  });
  await sender.greet({ ...side.request(), contents: [] });
  await expect(sender.look(true)).rejects.toThrow("cut");
  taking.close();
  expect(read(LARGE)).toBeUndefined();
  const known = [...value(await open().known())];
  expect(known).toEqual([]);
  const again = taker(open());
  const next = rig.sender(async (bytes) => value(await again.take(bytes)));
  await next.greet({ ...side.request(), contents: known });
  await next.look(true);
  expect(read(LARGE)).toBe(LARGE);
});

test("content that is not what its name says is left out, and the rest arrives", async () => {
  using rig = mirrorRig();
  commitPointers(rig, ["aaaaa", SMALL], [SMALL]);
  putContent(rig, pointerTo("aaaaa").sha256, "other");
  const { side, open, taker, read } = arrival(rig);
  const taking = taker(open());
  const sender = rig.sender(async (bytes) => value(await taking.take(bytes)));
  await sender.greet({ ...side.request(), contents: [] });
  await sender.look(true);
  expect([read("aaaaa"), read(SMALL)]).toEqual([undefined, SMALL]);
});

test("a session brings no more from elsewhere than one may bring here", async () => {
  using rig = mirrorRig();
  const { side, open, read } = arrival(rig);
  const path = join(side.scratch, "content");
  writeFileSync(path, SMALL);
  const { sha256 } = pointerTo(SMALL);
  mkdirSync(join(side.scratch, "builder"));
  const most = String(LFS_SESSION_BYTES_MAX - 4);
  writeFileSync(join(side.scratch, "builder", "clone.lfs"), `${"0".repeat(64)} ${most}\n`);
  value(await open().keep({ sha256, sizeBytes: SMALL.length }, path));
  expect(read(SMALL)).toBeUndefined();
  writeFileSync(join(side.scratch, "builder", "clone.lfs"), "");
  value(await open().keep({ sha256, sizeBytes: SMALL.length }, path));
  expect(read(SMALL)).toBe(SMALL);
});
