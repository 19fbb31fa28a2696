import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { processSession } from "../rig/process-session.ts";
import { ONE_TASK } from "./scenarios.ts";

test("finished work can be tried in a work tree that holds nothing up, and that goes on to newer commits", async () => {
  await using rig = processSession({ scenario: ONE_TASK });
  // A hook that the work brings must not run: relative paths of hooks lead into the work tree.
  rig.git("config", "core.hooksPath", "hooks");
  rig.write("hello.md", "# Hello\n\nSay hello.\n");
  expect(await rig.wisp("start", "hello.md", "--plain", "--yes")).toMatchObject({ code: 0 });
  const hook = "#!/bin/sh\ntouch ran\n";
  const brought = join(rig.root, "brought");
  rig.git("worktree", "add", "-q", brought, "wisp/hello");
  const own = (...words: readonly string[]) => rig.git("-C", brought, ...words);
  rig.write("../brought/hooks/post-checkout", hook);
  own("add", "--chmod=+x", "hooks/post-checkout");
  own("commit", "-qm", "Bring a hook");
  rig.git("worktree", "remove", "--force", brought);

  const tree = join(rig.root, "repository-hello");
  const made = await rig.wisp("review", "hello", "--checkout");
  expect(made).toMatchObject({ code: 0 });
  expect(made.stdout).toContain(`worktree remove ${tree}`);
  const head = () => rig.git("-C", tree, "rev-parse", "HEAD");
  expect(head()).toBe(rig.git("rev-parse", "wisp/hello"));
  expect(rig.git("-C", tree, "branch", "--show-current")).toBe("");
  expect(existsSync(join(tree, "ran"))).toBe(false);

  const newer = rig.git("commit-tree", "wisp/hello^{tree}", "-p", "wisp/hello", "-m", "Newer");
  rig.git("update-ref", "refs/heads/wisp/hello", newer);
  const again = await rig.wisp("review", "hello", "--checkout", "--json");
  const checkout = { directory: tree, head: newer, isNew: false };
  expect(JSON.parse(again.stdout)).toMatchObject({ checkout });
  expect(head()).toBe(newer);

  const [tracked = ""] = rig.git("-C", tree, "ls-files").split("\n");
  writeFileSync(join(tree, tracked), "mine\n");
  const changed = await rig.wisp("review", "hello", "--checkout");
  expect(changed).toMatchObject({ code: 2 });
  expect(changed.stderr).toContain("has changes that are not committed");
  expect(readFileSync(join(tree, tracked), "utf8")).toBe("mine\n");
  rig.git("-C", tree, "commit", "-qam", "Mine");
  const mine = head();
  const ahead = await rig.wisp("review", "hello", "--checkout");
  expect(ahead).toMatchObject({ code: 2 });
  expect(ahead.stderr).toContain("has commits that no branch has");
  expect(head()).toBe(mine);
  rig.git("branch", "mine", mine);
  expect(await rig.wisp("review", "hello", "--checkout")).toMatchObject({ code: 0 });
  const other = await rig.wisp("review", "hello", "--checkout", "--into", ".");
  expect(other).toMatchObject({ code: 2 });
  expect(other.stderr).toContain("is no work tree of this repository with a detached HEAD");
  const into = join(rig.root, "elsewhere");
  expect(await rig.wisp("review", "hello", "--checkout", "--into", into)).toMatchObject({
    code: 0,
  });
  expect(rig.git("-C", into, "rev-parse", "HEAD")).toBe(head());
});
