import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openHub } from "../../src/git/repository/hub.ts";
import { BRANCH, commit, createRig, read, value } from "./rig.ts";

test("finds the head of a branch: loose, packed, in a linked work tree, or deleted", async () => {
  using rig = createRig();
  const expected = rig.git(["rev-parse", BRANCH]).trim();
  expect(await rig.hub.head(BRANCH)).toBe(expected);
  rig.git(["pack-refs", "--all"]);
  expect(existsSync(join(rig.hub.directory, ".git", "refs", "heads", BRANCH))).toBe(false);
  expect(await rig.hub.head(BRANCH)).toBe(expected);
  const linked = join(rig.root, "linked");
  rig.git(["worktree", "add", "--quiet", "--detach", linked]);
  expect(await openHub(rig.context, linked).head(BRANCH)).toBe(expected);
  rig.git(["branch", "-D", BRANCH]);
  expect(await rig.hub.head(BRANCH)).toBeUndefined();
});

test("a loose reference counts before a packed one", async () => {
  using rig = createRig();
  rig.git(["pack-refs", "--all"]);
  const clone = await rig.clone("builder");
  const made = await commit(clone, "a.txt");
  value(await clone.publish(made));
  expect(read(join(rig.hub.directory, ".git", "packed-refs"))).not.toContain(made);
  expect(await rig.hub.head(BRANCH)).toBe(made);
});

test("asks git about a symbolic branch, and refuses a path that leads out as a branch", async () => {
  using rig = createRig();
  rig.git(["symbolic-ref", "refs/heads/alias", `refs/heads/${BRANCH}`]);
  expect(await rig.hub.head("alias")).toBe(await rig.hub.head(BRANCH));
  expect(await rig.hub.head("../../HEAD")).toBeUndefined();
  expect(await rig.hub.head("wisp")).toBeUndefined();
  expect(await rig.hub.head(`${BRANCH}/below`)).toBeUndefined();
});

test("commits are listed oldest first, grow with the branch, and follow a rewritten one", async () => {
  using rig = createRig();
  const clone = await rig.clone("builder");
  const base = value(await clone.head());
  const listed = async () => value(await rig.hub.commits(base, (await rig.hub.head(BRANCH)) ?? ""));
  expect(await listed()).toEqual([]);
  const first = await commit(clone, "a.txt");
  value(await clone.publish(first));
  expect(await listed()).toEqual([first]);
  const second = await commit(clone, "b.txt");
  const third = await commit(clone, "c.txt");
  value(await clone.publish(third));
  expect(await listed()).toEqual([first, second, third]);
  rig.git(["update-ref", `refs/heads/${BRANCH}`, first]);
  expect(await listed()).toEqual([first]);
  rig.git(["update-ref", `refs/heads/${BRANCH}`, base]);
  expect(await listed()).toEqual([]);
});

test("a range of commits that are not there is a failure", async () => {
  using rig = createRig();
  const nowhere = "1".repeat(40);
  const head = (await rig.hub.head(BRANCH)) ?? "";
  expect(await rig.hub.commits(nowhere, head)).toMatchObject({
    ok: false,
    failure: { kind: "git", operation: "rev-list" },
  });
});
