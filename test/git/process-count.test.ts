import { join } from "node:path";
import { expect, test } from "vitest";
import { commitAsEngine, noted } from "./noted-clone.ts";
import { BRANCH, createRig, read, value, write } from "./rig.ts";

test("a turn that committed its work takes two commands of git until the next one", async () => {
  using rig = createRig();
  const { clone, hub, ran, head } = await noted(rig);
  const base = await head();
  value(await hub.commits(base, base));
  for (const name of ["a.txt", "b.txt", "c.txt"]) {
    const before = value(await clone.syncTo(await head()));
    commitAsEngine(rig, clone.directory, name);
    ran();
    expect(value(await clone.commitAll("what is left"))).toBeUndefined();
    expect(value(await clone.commitsSince(before))).toHaveLength(1);
    const rebased = value(await clone.rebaseOntoHub());
    expect(await clone.has(await head())).toBe(true);
    expect(value(await clone.treeOf(before))).not.toBe(value(await clone.treeOf(rebased.head)));
    expect(value(await clone.commitsSince(await head()))).toEqual([rebased.head]);
    value(await clone.publish(rebased.head));
    const listed = value(await hub.commits(base, await head()));
    value(await clone.syncTo(await head()));
    expect(ran()).toEqual(["status", "fetch"]);
    const revisions = rig.git(["rev-list", "--reverse", `${base}..${BRANCH}`]);
    expect(listed).toEqual(revisions.trim().split("\n"));
  }
  expect(rig.git(["rev-parse", "refs/wisp/hub"], clone.directory).trim()).toBe(await head());
});

test("what others publish is fetched and listed, also right after a publish of our own", async () => {
  using rig = createRig();
  const { clone, hub, head } = await noted(rig);
  const other = await rig.clone("tester");
  const base = await head();
  value(await hub.commits(base, base));
  for (const name of ["a", "b"]) {
    commitAsEngine(rig, clone.directory, `${name}.txt`);
    value(await clone.publish(value(await clone.rebaseOntoHub()).head));
    value(await other.syncTo());
    commitAsEngine(rig, other.directory, `${name}.test.txt`);
    value(await other.publish(value(await other.head())));
    expect(value(await clone.syncTo())).toBe(await head());
    const revisions = rig.git(["rev-list", "--reverse", `${base}..${BRANCH}`]);
    expect(value(await hub.commits(base, await head()))).toEqual(revisions.trim().split("\n"));
  }
});

test("a clean result is valid for one sync: later changes are found by the next", async () => {
  using rig = createRig();
  const { clone, ran, head } = await noted(rig);
  expect(value(await clone.commitAll("nothing"))).toBeUndefined();
  value(await clone.syncTo(await head()));
  write(join(clone.directory, "left.txt"), "by a turn\n");
  ran();
  value(await clone.syncTo(await head()));
  expect(ran()).toEqual(["status", "checkout", "clean"]);
  expect(rig.git(["status", "--porcelain"], clone.directory)).toBe("");
});

test("work hidden from the check at a turn's end is found by the next sync", async () => {
  using rig = createRig();
  const { clone, head } = await noted(rig);
  rig.git(["update-index", "--assume-unchanged", "readme.md"], clone.directory);
  write(join(clone.directory, "readme.md"), "hidden\n");
  expect(value(await clone.commitAll("nothing to see"))).toBeUndefined();
  value(await clone.syncTo(await head()));
  expect(read(join(clone.directory, "readme.md"))).toBe("one\n");
});
