import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { openTree } from "../../src/git/clone/open-tree.ts";
import { BRANCH, createRig, IDENTITY, read, value, write } from "../git/rig.ts";

const NOBODY = 65_534;

// File modes do not stop root, so this file's own process drops its user.
beforeAll(() => {
  if (process.getuid?.() !== 0) return;
  process.setgid?.(NOBODY);
  process.setuid?.(NOBODY);
});

/** Folders that their owner cannot write to; the last one cannot be listed either. */
function lockUp(root: string): void {
  write(join(root, "docs", "more.md"), "more\n");
  write(join(root, "left", "deep", "over.txt"), "over\n");
  mkdirSync(join(root, "closed"));
  write(join(root, "closed", "x"), "x\n");
  for (const path of ["docs", "left/deep", "left"]) chmodSync(join(root, path), 0o555);
  chmodSync(join(root, "closed"), 0o000);
}

test("a clone with write-protected folders is reset to a commit", async () => {
  using rig = createRig();
  write(join(rig.root, "hub", "docs", "one.md"), "one\n");
  rig.git(["add", "--all"]);
  rig.git(["commit", "--quiet", "-m", "docs"]);
  rig.git(["branch", "--force", BRANCH]);
  const clone = await rig.clone("builder");
  const at = value(await clone.head());
  write(join(clone.directory, "docs", "one.md"), "other\n");
  lockUp(clone.directory);
  value(await clone.syncTo(at));
  expect(read(join(clone.directory, "docs", "one.md"))).toBe("one\n");
  for (const path of ["docs/more.md", "left", "closed"]) {
    expect(existsSync(join(clone.directory, path))).toBe(false);
  }
});

test("a verify tree with write-protected folders is reset, and what must be removed is removed", async () => {
  using rig = createRig();
  const holder = await rig.clone("builder");
  const at = value(await holder.head());
  const directory = join(rig.root, "state", "tree");
  const place = { hub: rig.hub, branch: BRANCH, directory, session: "first" };
  const tree = value(await openTree(rig.context, { ...place, identity: IDENTITY }));
  value(await tree.checkOut(at, holder));
  write(join(directory, "readme.md"), "other\n");
  lockUp(directory);
  chmodSync(directory, 0o555);
  value(await tree.checkOut(at, holder));
  expect(read(join(directory, "readme.md"))).toBe("one\n");
  for (const path of value(await tree.untracked())) {
    value(rig.context.directories.removeTree(join(directory, path)));
  }
  expect(value(await tree.untracked())).toEqual([]);
  lockUp(directory);
  value(rig.context.directories.removeTree(directory));
  expect(existsSync(directory)).toBe(false);
});
