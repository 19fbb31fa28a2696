import { join } from "node:path";
import { expect, test } from "vitest";
import type { Oid } from "../../src/base/oid.ts";
import { openTree } from "../../src/git/clone/open-tree.ts";
import { commitAsEngine, noted } from "./noted-clone.ts";
import { BRANCH, createRig, IDENTITY, read, refs, value, write, type Rig } from "./rig.ts";

/** A milestone of two commits of somebody else, published; returns the commits around it. */
async function publishMilestone(rig: Rig, name: string) {
  const builder = await rig.clone("builder");
  const start = value(await builder.syncTo());
  for (const part of ["one", "two"]) {
    write(join(builder.directory, "src", part, `${name}.js`), `import "./${part}.js";\n`);
    commitAsEngine(rig, builder.directory, `${name}-${part}.txt`);
  }
  const end = value(await builder.head());
  value(await builder.publish(end));
  return { start, end };
}

test("a turn that committed its work takes three commands of git, each one process, until the next one", async () => {
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
    expect(ran()).toEqual(["status", "unpack-objects", "update-ref"]);
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

test("a clone takes three commands of git, and one more to see that nobody has changed it before its first turn", async () => {
  using rig = createRig();
  const { clone, ran, head } = await noted(rig);
  value(await clone.syncTo(await head()));
  expect(ran()).toEqual(["config", "clone", "reset", "status"]);
  const printed = rig.git(["for-each-ref", "--format=%(refname) %(objectname)"], clone.directory);
  const at = await head();
  expect(printed).toBe(`refs/heads/${BRANCH} ${at}\nrefs/wisp/hub ${at}\n`);
});

test("the review of a milestone takes five commands of git", async () => {
  using rig = createRig();
  const { clone, ran } = await noted(rig);
  for (const name of ["first", "second", "third"]) {
    const { start, end } = await publishMilestone(rig, name);
    ran();
    value(await clone.bring(end));
    expect(value(await clone.broughtIn(start, end)).commits).toHaveLength(2);
    const { text } = value(await clone.diff(start, end, 1_000_000));
    const changed = value(await clone.changedPaths(start, end));
    expect(value(await clone.changedLines(start, end))).toBe(text.match(/^\+(?!\+)/gmu)?.length);
    expect(value(await clone.changedPaths(end, start))).toHaveLength(changed.length);
    const paths = changed.map(({ path }) => path);
    expect(value(await clone.pathsAt(end))).toEqual(expect.arrayContaining(paths));
    expect(value(await clone.pathsAt(start))).not.toContain(paths[0]);
    for (const path of paths) expect(value(await clone.show(end, path))).toBeDefined();
    value(await clone.linesLike(end, { pattern: "import", names: ["*.js"] }));
    value(await clone.syncTo(end));
    // The turn may have left anything.
    write(join(clone.directory, "left.txt"), "by a turn\n");
    expect(ran()).toEqual(["log", "diff", "grep", "checkout", "clean"]);
  }
});

test("a test of a milestone whose turn leaves nothing takes three commands of git", async () => {
  using rig = createRig();
  const { clone, head, ran } = await noted(rig);
  value(await clone.rescueAndReset(await head()));
  for (const name of ["first", "second", "third"]) {
    const { start, end } = await publishMilestone(rig, name);
    ran();
    value(await clone.rescueAndReset(end));
    value(await clone.changedPaths(start, end));
    value(await clone.diff(start, end, 1_000_000));
    expect(value(await clone.syncTo(end))).toBe(end);
    expect(rig.git(["status", "--porcelain", "--branch"], clone.directory)).toBe(`## ${BRANCH}\n`);
    expect(value(await clone.squashSince(end, "nothing"))).toBeUndefined();
    expect(ran()).toEqual(["checkout", "diff", "status"]);
  }
  expect(refs(rig, "refs/wisp/rescue/")).toEqual([]);
});

test("a verify tree that is moved to a new commit and compared with it takes one command of git", async () => {
  using rig = createRig();
  const { clone, hub, context, ran } = await noted(rig);
  const place = { hub, branch: BRANCH, directory: join(rig.root, "state", "tree"), session: "s" };
  const use = async (at: Oid) => {
    const tree = value(await openTree(context, { ...place, identity: IDENTITY }));
    value(await tree.checkOut(at, clone));
    expect(value(await tree.untracked())).toEqual([]);
    expect(value(await tree.contentHash(at))).toBe(value(await clone.treeOf(at)));
    return ran();
  };
  ran();
  // The first use makes it.
  expect(await use(value(await clone.head()))).toEqual(["clone", "reset"]);
  for (const name of ["first", "second"]) {
    const { end } = await publishMilestone(rig, name);
    value(await clone.bring(end));
    expect(await use(end)).toEqual(["checkout"]);
    expect(await use(end)).toEqual([""]);
  }
});
