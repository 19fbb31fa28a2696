import { spawn } from "node:child_process";
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { present } from "../../src/base/assert.ts";
import type { Clone } from "../../src/base/ports/repo.ts";
import { BRANCH, commit, createRig, read, refs, value, write, type Rig } from "./rig.ts";

const RESCUE = "refs/wisp/rescue/first";

test("a healthy clone needs no repair, and its unpublished commits stay", async () => {
  using rig = createRig();
  const clone = await rig.clone("builder");
  const made = await commit(clone, "a.txt");
  expect(value(await clone.repair())).toEqual({ rescue: undefined });
  expect(value(await clone.head())).toBe(made);
  expect(refs(rig, RESCUE)).toEqual([]);
});

test("uncommitted work is saved in the hub before the work tree is cleaned", async () => {
  using rig = createRig();
  const clone = await rig.clone("builder");
  const made = await commit(clone, "a.txt");
  write(join(clone.directory, "readme.md"), "half\n");
  write(join(clone.directory, "dir", "new.txt"), "new\n");
  write(join(clone.directory, "node_modules", "x.js"), "installed");
  const rescue = present(value(await clone.repair()).rescue, "a reference");
  expect(rescue).toBe(`${RESCUE}/20261120T120000.000Z`);
  expect(rig.git(["show", `${rescue}:readme.md`])).toBe("half\n");
  expect(rig.git(["show", `${rescue}:dir/new.txt`])).toBe("new\n");
  expect(rig.git(["rev-parse", `${rescue}^`]).trim()).toBe(made);
  expect(value(await clone.head())).toBe(made);
  expect(value(await clone.isDirty())).toBe(false);
  expect(existsSync(join(clone.directory, "node_modules", "x.js"))).toBe(true);
  expect(() => rig.git(["show", `${rescue}:node_modules/x.js`])).toThrow();
});

test("saving the same work twice makes one reference, other work another", async () => {
  using rig = createRig();
  const clone = await rig.clone("builder");
  write(join(clone.directory, "readme.md"), "half\n");
  const first = value(await clone.repair());
  write(join(clone.directory, "readme.md"), "half\n");
  expect(value(await clone.repair())).toEqual(first);
  write(join(clone.directory, "readme.md"), "another half\n");
  const second = value(await clone.repair());
  expect(second.rescue).toBe(`${first.rescue ?? ""}-2`);
  expect(refs(rig, RESCUE)).toHaveLength(2);
});

test("an empty repository in the work tree is nothing to save", async () => {
  using rig = createRig();
  const clone = await rig.clone("builder");
  rig.git(["init", "--quiet", join(clone.directory, "nested")], rig.root);
  expect(value(await clone.repair())).toEqual({ rescue: undefined });
  expect(existsSync(join(clone.directory, "nested"))).toBe(false);
});

test("stale locks are removed, and no link is followed in search of them", async () => {
  using rig = createRig();
  const clone = await rig.clone("builder");
  const git = join(clone.directory, ".git");
  const locks = [
    "index.lock",
    "HEAD.lock",
    "config.lock",
    `refs/heads/${BRANCH}.lock`,
    "packed-refs.lock",
  ];
  for (const lock of locks) write(join(git, lock), "");
  write(join(rig.root, "outside", "yarn.lock"), "precious");
  symlinkSync(join(rig.root, "outside"), join(git, "refs", "heads", "link"));
  value(await clone.repair());
  for (const lock of locks) expect(existsSync(join(git, lock))).toBe(false);
  expect(read(join(rig.root, "outside", "yarn.lock"))).toBe("precious");
  await commit(clone, "a.txt");
});

test("a merge, a pick and a bisection are ended, and what they had is saved", async () => {
  using rig = createRig();
  const clone = await rig.clone("builder");
  const { base, ours } = await diverge(rig, clone);
  for (const command of [
    ["merge", "side"],
    ["cherry-pick", "side"],
    ["revert", base],
  ]) {
    expect(() => rig.git(command, clone.directory)).toThrow();
    expect(value(await clone.repair()).rescue).toBeDefined();
    expect(value(await clone.head())).toBe(ours);
    expect(value(await clone.isDirty())).toBe(false);
    for (const name of ["MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "sequencer"]) {
      expect(existsSync(join(clone.directory, ".git", name))).toBe(false);
    }
  }
  rig.git(["bisect", "start", ours, base], clone.directory);
  value(await clone.repair());
  expect(rig.git(["status"], clone.directory)).not.toContain("bisect");
});

test("an engine's rebase that stopped at a conflict is ended with every commit in place", async () => {
  using rig = createRig();
  const clone = await rig.clone("builder");
  const { ours } = await diverge(rig, clone);
  expect(() => rig.git(["rebase", "side"], clone.directory)).toThrow();
  expect(value(await clone.repair()).rescue).toBeDefined();
  expect(value(await clone.head())).toBe(ours);
  expect(rig.git(["symbolic-ref", "HEAD"], clone.directory)).toBe(`refs/heads/${BRANCH}\n`);
});

test("attaches a detached HEAD to the branch; commits that only it contains are added to the branch or saved", async () => {
  using rig = createRig();
  const clone = await rig.clone("builder");
  const base = value(await clone.head());
  rig.git(["checkout", "--quiet", "--detach"], clone.directory);
  rig.git(["commit", "--quiet", "--allow-empty", "-m", "ahead"], clone.directory);
  const ahead = value(await clone.head());
  expect(value(await clone.repair())).toEqual({ rescue: undefined });
  expect(rig.git(["rev-parse", `refs/heads/${BRANCH}`], clone.directory).trim()).toBe(ahead);
  rig.git(["checkout", "--quiet", "--detach", base], clone.directory);
  rig.git(["commit", "--quiet", "--allow-empty", "-m", "aside"], clone.directory);
  const aside = value(await clone.head());
  const rescue = present(value(await clone.repair()).rescue, "a reference");
  expect(rig.git(["rev-parse", rescue]).trim()).toBe(aside);
  expect(value(await clone.head())).toBe(ahead);
});

test("recreates an unreadable HEAD and index", async () => {
  using rig = createRig();
  const clone = await rig.clone("builder");
  const made = await commit(clone, "a.txt");
  const git = join(clone.directory, ".git");
  writeFileSync(join(git, "HEAD"), "");
  writeFileSync(join(git, "index"), "torn");
  expect(value(await clone.repair())).toEqual({ rescue: undefined });
  expect(value(await clone.head())).toBe(made);
  expect(value(await clone.isDirty())).toBe(false);
});

test("rescue and reset saves commits and work, and starts from the hub's head", async () => {
  using rig = createRig();
  const builder = await rig.clone("builder");
  const tester = await rig.clone("tester");
  const published = await commit(tester, "t.txt");
  value(await tester.publish(published));
  const made = await commit(builder, "a.txt");
  write(join(builder.directory, "b.txt"), "uncommitted");
  const rescue = present(value(await builder.rescueAndReset()).rescue, "a reference");
  expect(rig.git(["show", `${rescue}:b.txt`])).toBe("uncommitted");
  expect(rig.git(["rev-parse", `${rescue}^`]).trim()).toBe(made);
  expect(value(await builder.head())).toBe(published);
  expect(value(await builder.isDirty())).toBe(false);
  expect(value(await builder.rescueAndReset())).toEqual({ rescue: undefined });
});

test("saves commits without uncommitted work as they are", async () => {
  using rig = createRig();
  const clone = await rig.clone("builder");
  const made = await commit(clone, "a.txt");
  const rescue = present(value(await clone.rescueAndReset()).rescue, "a reference");
  expect(rig.git(["rev-parse", rescue]).trim()).toBe(made);
  expect(await clone.has(made)).toBe(true);
});

// The rebase is wisp's own command, killed at the k-th of twelve commits.
test("a rebase of ours that was killed is undone without losing a commit or saving debris", async () => {
  using rig = createRig();
  const builder = await rig.clone("builder");
  const tester = await rig.clone("tester");
  for (let index = 0; index < 12; index++) await commit(tester, `t-${index}.txt`);
  const before = value(await tester.head());
  const git = join(tester.directory, ".git");
  let killed = 0;
  for (const step of [1, 2, 3, 4, 5, 6, 7, 8]) {
    value(await builder.syncTo());
    value(await builder.publish(await commit(builder, `b-${step}.txt`)));
    rig.git(["fetch", "--quiet", rig.hub.directory, `+${BRANCH}:refs/wisp/hub`], tester.directory);
    killed += (await killRebase(rig, tester, step)) ? 1 : 0;
    expect(value(await tester.repair())).toEqual({ rescue: undefined });
    expect(existsSync(join(git, "rebase-merge"))).toBe(false);
    expect(value(await tester.isDirty())).toBe(false);
    expect(value(await tester.commitsSince(value(await builder.head())))).toHaveLength(12);
    rig.git(["reset", "--quiet", "--hard", before], tester.directory);
  }
  expect(killed).toBeGreaterThan(0);
  const { head } = value(await tester.rebaseOntoHub());
  value(await tester.publish(head));
});

/** Kills `git rebase` once it has begun its `step`-th pick; returns false if it was too fast. */
async function killRebase(rig: Rig, clone: Clone, step: number): Promise<boolean> {
  const child = spawn("git", ["rebase", "--quiet", "--merge", "refs/wisp/hub"], {
    cwd: clone.directory,
    env: { ...rig.context.environment },
    stdio: "ignore",
    detached: true,
  });
  const ended = new Promise<string | null>((resolve) => child.on("exit", (_, by) => resolve(by)));
  const state = join(clone.directory, ".git", "rebase-merge", "msgnum");
  // Polled without a pause, because a commit takes only a millisecond or two.
  for (let looks = 0; looks < 1_000_000; looks++) {
    if (reached(state) >= step) break;
  }
  process.kill(-present(child.pid, "a process"), "SIGKILL");
  return (await ended) === "SIGKILL";
}

function reached(path: string): number {
  try {
    return Number(readFileSync(path, "utf8"));
  } catch {
    return 0;
  }
}

async function diverge(rig: Rig, clone: Clone): Promise<{ base: string; ours: string }> {
  const base = await commit(clone, "readme.md", "two\n");
  const ours = await commit(clone, "readme.md", "ours\n");
  rig.git(["checkout", "--quiet", "-b", "side", base], clone.directory);
  write(join(clone.directory, "readme.md"), "theirs\n");
  rig.git(["commit", "--quiet", "-am", "theirs"], clone.directory);
  rig.git(["checkout", "--quiet", BRANCH], clone.directory);
  return { base, ours };
}
