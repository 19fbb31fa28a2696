import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { present } from "../../src/base/assert.ts";
import { createClone } from "../../src/git/clone/create-clone.ts";
import { openHub } from "../../src/git/repository/hub.ts";
import { BRANCH, createRig, IDENTITY, read, value, write, type Rig } from "./rig.ts";

/** A clone whose git commands are recorded before they run. */
async function noted(rig: Rig) {
  const calls = join(rig.root, "calls");
  const bin = join(rig.root, "bin");
  const path = present(rig.context.environment["PATH"], "a path");
  // Programs that git itself starts are found elsewhere, and are not recorded.
  const script = `#!/bin/sh\nfor word; do case $word in *=*|-*) ;; *) break ;; esac; done\necho "$word" >>'${calls}'\nPATH='${path}' exec git "$@"\n`;
  write(join(bin, "git"), script);
  chmodSync(join(bin, "git"), 0o755);
  const context = {
    ...rig.context,
    environment: { ...rig.context.environment, PATH: `${bin}:${path}` },
  };
  const hub = openHub(context, rig.hub.directory);
  const place = { hub, branch: BRANCH, directory: join(rig.root, "state", "b"), session: "first" };
  const clone = value(await createClone(context, { ...place, identity: IDENTITY }));
  /** The commands since the last call. */
  const ran = () => {
    const names = read(calls).trim().split("\n");
    writeFileSync(calls, "");
    return names;
  };
  const head = async () => present(await hub.head(BRANCH), "a branch");
  return { clone, hub, ran, head };
}

function commitAsEngine(rig: Rig, directory: string, name: string): void {
  write(join(directory, name), `${name}\n`);
  rig.git(["add", "--all"], directory);
  rig.git(["commit", "--quiet", "-m", name], directory);
}

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
