import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Clone } from "../../../src/base/ports/repo.ts";
import { BRANCH, createRig, refs, value, write, type Rig } from "../rig.ts";
import { commitLfs, contentIn, createLfsRig, HAS_LFS, pointerTo, stored } from "./lfs-rig.ts";

/** What wisp does before it removes a clone. */
async function release(rig: Rig, clone: Clone) {
  const base = rig.git(["rev-parse", "main"]).trim();
  value(await clone.rescueAndReset());
  return value(await clone.saveBeside(base));
}

test("a clone with nothing beside its branch saves nothing", async () => {
  using rig = createRig();
  const clone = await rig.clone("builder");
  expect(await release(rig, clone)).toEqual({ rescue: undefined, held: [] });
  expect(refs(rig, "refs/wisp")).toEqual([]);
});

test("branches, stashes, notes and tags of a clone are saved before it is removed", async () => {
  using rig = createRig();
  const clone = await rig.clone("builder");
  const git = (...args: readonly string[]) => rig.git(args, clone.directory).trim();
  const tips: string[] = [];
  for (const name of ["first", "second"]) {
    write(join(clone.directory, "readme.md"), `${name}\n`);
    git("stash", "push", "--quiet", "-m", name);
    tips.push(git("rev-parse", "refs/stash"));
  }
  git("notes", "add", "-m", "remember this", "HEAD");
  git("checkout", "--quiet", "-b", "feature/mine");
  git("commit", "--quiet", "--allow-empty", "-m", "mine");
  git("tag", "-a", "-m", "a tag", "v1");
  tips.push(git("rev-parse", "refs/notes/commits"), git("rev-parse", "feature/mine"));
  git("checkout", "--quiet", BRANCH);
  const { rescue = "", held } = await release(rig, clone);
  expect(held).toEqual([]);
  rmSync(clone.directory, { recursive: true });
  for (const tip of tips) rig.git(["merge-base", "--is-ancestor", tip, rescue]);
  expect(rig.git(["show", `${tips[0] ?? ""}:readme.md`])).toBe("first\n");
});

test("saving again, as after a kill, finds what was saved", async () => {
  using rig = createRig();
  const clone = await rig.clone("builder");
  rig.git(["checkout", "--quiet", "-b", "mine"], clone.directory);
  rig.git(["commit", "--quiet", "--allow-empty", "-m", "mine"], clone.directory);
  rig.git(["checkout", "--quiet", BRANCH], clone.directory);
  const { rescue } = await release(rig, clone);
  expect(rescue).toBeDefined();
  expect(await release(rig, clone)).toEqual({ rescue: undefined, held: [] });
  expect(refs(rig, "refs/wisp/rescue")).toEqual([rescue]);
});

test("content of git-annex cannot be saved, and is named", async () => {
  using rig = createRig();
  const clone = await rig.clone("builder");
  write(join(clone.directory, ".git", "annex", "objects", "aa", "bb", "KEY", "KEY"), "content");
  const { held } = await release(rig, clone);
  expect(held).toEqual(["content of git-annex, in .git/annex/objects"]);
});

describe.skipIf(!HAS_LFS)("with git-lfs", () => {
  test("content that an earlier program published without is kept when the clone is released", async () => {
    using rig = createLfsRig();
    const clone = await rig.clone("builder");
    value(await clone.publish(await commitLfs(rig, clone, { "new.bin": "new" })));
    rmSync(contentIn(rig.store, pointerTo("new").sha256));
    expect(await release(rig, clone)).toEqual({ rescue: undefined, held: [] });
    expect(stored(rig.store, pointerTo("new"))).toBe("new");
  });
});
