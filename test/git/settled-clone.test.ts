import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Oid } from "../../src/base/oid.ts";
import { present } from "../../src/base/assert.ts";
import { openTree } from "../../src/git/clone/open-tree.ts";
import { commitAsEngine } from "./noted-clone.ts";
import { BRANCH, createRig, IDENTITY, read, value, write, type Rig } from "./rig.ts";

// A clone remembers where it is clean, so that the next command need not look. What anybody else does in it meanwhile
// must be found nevertheless.

async function publish(rig: Rig, name: string, text = `${name}\n`): Promise<Oid> {
  const builder = await rig.clone("builder");
  value(await builder.syncTo());
  write(join(builder.directory, name), text);
  commitAsEngine(rig, builder.directory, `beside-${name}`);
  const head = value(await builder.head());
  value(await builder.publish(head));
  return head;
}

test("what a turn leaves after a reset and a sync is saved by the next reset", async () => {
  using rig = createRig();
  const clone = await rig.clone("tester");
  const [first, second] = [await publish(rig, "a.txt"), await publish(rig, "b.txt")];
  value(await clone.rescueAndReset(first));
  value(await clone.syncTo(first));
  write(join(clone.directory, "left.txt"), "by a turn\n");
  const { rescue } = value(await clone.rescueAndReset(second));
  const saved = rig.git(["show", `${present(rescue, "a reference")}:left.txt`]);
  expect(saved).toBe("by a turn\n");
  expect(existsSync(join(clone.directory, "left.txt"))).toBe(false);
  expect(read(join(clone.directory, "b.txt"))).toBe("b.txt\n");
});

test("what a person leaves in a new clone is saved by its repair, and by a reset", async () => {
  using rig = createRig();
  for (const settle of ["repair", "rescueAndReset"] as const) {
    const clone = await rig.clone(settle);
    write(join(clone.directory, "left.txt"), `${settle}\n`);
    const { rescue } = value(await clone[settle]());
    expect(rig.git(["show", `${present(rescue, "a reference")}:left.txt`])).toBe(`${settle}\n`);
  }
});

test("what somebody commits and leaves in a clone after it was found clean is saved by the next reset", async () => {
  using rig = createRig();
  const clone = await rig.clone("tester");
  const base = value(await clone.syncTo());
  expect(value(await clone.squashSince(base, "nothing"))).toBeUndefined();
  commitAsEngine(rig, clone.directory, "theirs.txt");
  write(join(clone.directory, "left.txt"), "left\n");
  const { rescue } = value(await clone.rescueAndReset(base));
  const show = (name: string) => rig.git(["show", `${present(rescue, "a reference")}:${name}`]);
  expect([show("theirs.txt"), show("left.txt")]).toEqual(["theirs.txt\n", "left\n"]);
});

test("what setup leaves after a reset is found by the next sync", async () => {
  using rig = createRig();
  const clone = await rig.clone("tester");
  const head = await publish(rig, "a.txt");
  value(await clone.rescueAndReset(head));
  // Setup begins with this.
  value(await clone.clean());
  write(join(clone.directory, "left.txt"), "by setup\n");
  value(await clone.syncTo(head));
  expect(existsSync(join(clone.directory, "left.txt"))).toBe(false);
});

test("a file that the next commit does not ignore any more is removed by a reset to it", async () => {
  using rig = createRig();
  const clone = await rig.clone("tester");
  value(await clone.syncTo());
  write(join(clone.directory, "node_modules", "a.js"), "ignored\n");
  expect(value(await clone.squashSince(value(await clone.head()), "nothing"))).toBeUndefined();
  const same = await publish(rig, "a.txt");
  value(await clone.rescueAndReset(same));
  expect(existsSync(join(clone.directory, "node_modules"))).toBe(true);
  const next = await publish(rig, ".gitignore", "");
  value(await clone.rescueAndReset(next));
  expect(existsSync(join(clone.directory, "node_modules"))).toBe(false);
});

test("a submodule that a turn staged is no part of the next one", async () => {
  using rig = createRig();
  const clone = await rig.clone("tester");
  const base = value(await clone.syncTo());
  const entry = `160000,${"1".repeat(40)},sub`;
  rig.git(["update-index", "--add", "--cacheinfo", entry], clone.directory);
  value(await clone.squashSince(base, "nothing"));
  value(await clone.rescueAndReset(base));
  expect(rig.git(["ls-files", "--stage", "sub"], clone.directory)).toBe("");
});

test("a lock that a turn left does not keep the clone from moving", async () => {
  using rig = createRig();
  const clone = await rig.clone("tester");
  const base = value(await clone.syncTo());
  expect(value(await clone.squashSince(base, "nothing"))).toBeUndefined();
  write(join(clone.directory, ".git", "index.lock"), "");
  const head = await publish(rig, "a.txt");
  value(await clone.rescueAndReset(head));
  expect(value(await clone.head())).toBe(head);
});

test("old tests laid over a verify tree are gone after the next checkout of the same commit", async () => {
  using rig = createRig();
  const holder = await rig.clone("tester");
  const base = value(await holder.syncTo());
  const head = await publish(rig, "readme.md", "two\n");
  value(await holder.bring(head));
  const directory = join(rig.root, "state", "tree");
  const place = { hub: rig.hub, branch: BRANCH, directory, session: "s" };
  const tree = value(await openTree(rig.context, { ...place, identity: IDENTITY }));
  value(await tree.checkOut(head, holder));
  value(await tree.overlayFiles(base, ["readme.md"]));
  // A run put the commit's content back, but the index still lists the other one.
  write(join(directory, "readme.md"), "two\n");
  value(await tree.checkOut(head, holder));
  expect(rig.git(["status", "--porcelain"], directory)).toBe("");
});
