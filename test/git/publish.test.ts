import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { expect, test } from "vitest";
import type { Clone } from "../../src/base/ports/repo.ts";
import { atGit, noted } from "./noted-clone.ts";
import { BRANCH, commit, createRig, read, refs, value, write, type Rig } from "./rig.ts";

test("a published commit is the head of the hub's branch, and publishing it again changes nothing", async () => {
  using rig = createRig();
  const clone = await rig.clone("builder");
  const made = await commit(clone, "a.txt");
  expect(await rig.hub.head(BRANCH)).not.toBe(made);
  value(await clone.publish(made));
  expect(await rig.hub.head(BRANCH)).toBe(made);
  value(await clone.publish(made));
  expect(await rig.hub.head(BRANCH)).toBe(made);
});

test("a commit in the middle of the clone's branch can be published alone", async () => {
  using rig = createRig();
  const clone = await rig.clone("builder");
  const first = await commit(clone, "a.txt");
  await commit(clone, "b.txt");
  value(await clone.publish(first));
  expect(await rig.hub.head(BRANCH)).toBe(first);
});

test("a protocol version set by the user does not prevent publishing", async () => {
  using rig = createRig();
  for (const version of ["0", "1"]) {
    rig.git(["config", "--global", "protocol.version", version]);
    const clone = await rig.clone("builder");
    value(await clone.syncTo());
    const made = await commit(clone, `${version}.txt`);
    await commit(clone, `${version}-later.txt`);
    value(await clone.publish(made));
    expect(await rig.hub.head(BRANCH)).toBe(made);
  }
});

test("the user's checkout, index, other branches and stash are untouched by publishing", async () => {
  using rig = createRig();
  const { directory } = rig.hub;
  write(join(directory, "readme.md"), "being edited\n");
  write(join(directory, "staged.txt"), "staged\n");
  rig.git(["add", "staged.txt"]);
  const before = snapshot(rig);
  const clone = await rig.clone("builder");
  value(await clone.publish(await commit(clone, "a.txt")));
  expect(snapshot(rig)).toEqual(before);
  expect(existsSync(join(directory, ".git", "FETCH_HEAD"))).toBe(false);
  expect(refs(rig, "refs")).toEqual(["refs/heads/main", `refs/heads/${BRANCH}`]);
});

test("no hook and no file system monitor of the hub runs", async () => {
  using rig = createRig();
  const ran = join(rig.root, "ran");
  for (const hook of [
    "reference-transaction",
    "post-update",
    "update",
    "post-merge",
    "post-index-change",
    "pre-auto-gc",
  ]) {
    write(join(rig.hub.directory, ".git", "hooks", hook), `#!/bin/sh\ntouch ${ran}\n`);
    chmodSync(join(rig.hub.directory, ".git", "hooks", hook), 0o755);
  }
  const hook = join(rig.hub.directory, ".git", "hooks", "update");
  rig.git(["config", "core.fsmonitor", hook]);
  rig.git(["config", "--global", "core.hooksPath", join(rig.hub.directory, ".git", "hooks")]);
  const clone = await rig.clone("builder");
  value(await clone.publish(await commit(clone, "a.txt")));
  value(await clone.rebaseOntoHub());
  value(await clone.rescueAndReset());
  expect(existsSync(ran)).toBe(false);
});

test("a publish that is not a fast-forward is refused", async () => {
  using rig = createRig();
  const builder = await rig.clone("builder");
  const tester = await rig.clone("tester");
  const first = await commit(builder, "a.txt");
  value(await builder.publish(first));
  const other = await commit(tester, "b.txt");
  expect(await tester.publish(other)).toEqual({ ok: false, failure: { kind: "not-fast-forward" } });
  expect(await rig.hub.head(BRANCH)).toBe(first);
});

test("a commit that the clone does not have is a failure of its own", async () => {
  using rig = createRig();
  const clone = await rig.clone("builder");
  expect(await clone.publish("1".repeat(40))).toMatchObject({ failure: { kind: "git" } });
});

test("an older commit is refused", async () => {
  using rig = createRig();
  const clone = await rig.clone("builder");
  const first = await commit(clone, "a.txt");
  const second = await commit(clone, "b.txt");
  value(await clone.publish(second));
  expect(await clone.publish(first)).toEqual({ ok: false, failure: { kind: "not-fast-forward" } });
});

test("a branch that a person has checked out is refused, and the work tree is named", async () => {
  using rig = createRig();
  const clone = await rig.clone("builder");
  const made = await commit(clone, "a.txt");
  rig.git(["checkout", "--quiet", BRANCH]);
  const { directory } = rig.hub;
  expect(await clone.publish(made)).toEqual({
    ok: false,
    failure: { kind: "checked-out", directory },
  });
  rig.git(["checkout", "--quiet", "main"]);
  const linked = join(rig.root, "linked");
  rig.git(["worktree", "add", "--quiet", linked, BRANCH]);
  expect(await clone.publish(made)).toEqual({
    ok: false,
    failure: { kind: "checked-out", directory: linked },
  });
  rig.git(["worktree", "remove", linked]);
  value(await clone.publish(made));
  expect(read(join(directory, "readme.md"))).toBe("one\n");
});

test("a branch that a person checks out between the objects and the move of the branch is refused", async () => {
  using rig = createRig();
  const { clone, head } = await noted(rig);
  const before = await head();
  const made = await commit(clone, "a.txt");
  atGit(rig, "unpack-objects", `git -C '${rig.hub.directory}' checkout --quiet '${BRANCH}'`);
  expect(await clone.publish(made)).toEqual({
    ok: false,
    failure: { kind: "checked-out", directory: rig.hub.directory },
  });
  expect(await head()).toBe(before);
});

test("a commit that somebody publishes between the objects and the move of the branch is not lost", async () => {
  using rig = createRig();
  const { clone, head } = await noted(rig);
  const theirs = rig.git(["commit-tree", `${BRANCH}^{tree}`, "-p", BRANCH, "-m", "Theirs"]).trim();
  const made = await commit(clone, "a.txt");
  const move = `git -C '${rig.hub.directory}' update-ref 'refs/heads/${BRANCH}' ${theirs}`;
  atGit(rig, "unpack-objects", move);
  expect(await clone.publish(made)).toEqual({ ok: false, failure: { kind: "not-fast-forward" } });
  expect(await head()).toBe(theirs);
});

test("the branch does not move to objects that git did not take over: they are fetched", async () => {
  using rig = createRig();
  const { clone, head, ran } = await noted(rig);
  const made = await commit(clone, "a.txt");
  atGit(rig, "unpack-objects", "exit 1");
  ran();
  value(await clone.publish(made));
  expect(ran()).toContain("fetch");
  expect(await head()).toBe(made);
  rig.git(["fsck", "--strict", "--no-dangling"]);
});

test("objects that name what the hub has lost are not taken over by themselves", async () => {
  using rig = createRig();
  const { clone, ran } = await noted(rig);
  const lost = rig.git(["rev-parse", `${BRANCH}:readme.md`]).trim();
  rmSync(join(rig.hub.directory, ".git", "objects", lost.slice(0, 2), lost.slice(2)));
  const made = await commit(clone, "a.txt");
  ran();
  await clone.publish(made);
  expect(ran()).toContain("fetch");
});

test("a branch that a person is rebasing is refused", async () => {
  using rig = createRig();
  const clone = await rig.clone("builder");
  const made = await commit(clone, "a.txt");
  rig.git(["checkout", "--quiet", BRANCH]);
  rig.git(["commit", "--quiet", "--allow-empty", "-m", "a person's"]);
  expect(() => rig.git(["rebase", "--exec", "false", "HEAD~1"])).toThrow();
  expect(await clone.publish(made)).toMatchObject({ failure: { kind: "checked-out" } });
});

test("a branch that a person bisects, or that a rebase of another one moves, is refused", async () => {
  using rig = createRig();
  const clone = await rig.clone("builder");
  const made = await commit(clone, "a.txt");
  rig.git(["checkout", "--quiet", BRANCH]);
  for (const text of ["one", "two"]) {
    rig.git(["commit", "--quiet", "--allow-empty", "-m", text]);
  }
  rig.git(["bisect", "start", "HEAD", "HEAD~2"]);
  expect(await clone.publish(made)).toMatchObject({ failure: { kind: "checked-out" } });
  rig.git(["bisect", "reset"]);
  rig.git(["checkout", "--quiet", "-b", "above"]);
  rig.git(["commit", "--quiet", "--allow-empty", "-m", "above"]);
  const rebase = ["rebase", "--update-refs", "--force-rebase", "--exec", "false", "HEAD~2"];
  expect(() => rig.git(rebase)).toThrow();
  expect(await clone.publish(made)).toMatchObject({ failure: { kind: "checked-out" } });
});

test("a commit is not published if a file of it is missing, or only looks as if it were there", async () => {
  using rig = createRig();
  const clone = await rig.clone("builder");
  const before = await rig.hub.head(BRANCH);
  const made = await commit(clone, "a.txt");
  const blob = rig.git(["rev-parse", "HEAD:a.txt"], clone.directory).trim();
  const path = join(clone.directory, ".git", "objects", blob.slice(0, 2), blob.slice(2));
  const whole = readFileSync(path);
  rmSync(path);
  expect(await clone.publish(made)).toMatchObject({ ok: false });
  writeFileSync(path, deflateSync("blob 2\0xx"));
  expect(await clone.publish(made)).toMatchObject({ ok: false });
  expect(await rig.hub.head(BRANCH)).toBe(before);
  writeFileSync(path, whole);
  value(await clone.publish(made));
  rig.git(["fsck", "--strict", "--no-dangling"]);
});

test("a branch that a person deleted is not recreated", async () => {
  using rig = createRig();
  const clone = await rig.clone("builder");
  const made = await commit(clone, "a.txt");
  rig.git(["branch", "-D", BRANCH]);
  expect(await clone.publish(made)).toMatchObject({
    failure: { kind: "git", message: `the branch ${BRANCH} is gone` },
  });
  expect(await clone.rebaseOntoHub()).toMatchObject({ failure: { kind: "git" } });
  expect(await rig.hub.head(BRANCH)).toBeUndefined();
});

test("a hub whose reference is locked gives a failure, not an endless attempt", async () => {
  using rig = createRig();
  const clone = await rig.clone("builder");
  const made = await commit(clone, "a.txt");
  write(join(rig.hub.directory, ".git", "refs", "heads", `${BRANCH}.lock`), "");
  expect(await clone.publish(made)).toMatchObject({ failure: { kind: "git" } });
});

test("of two clones that publish at once exactly one wins", async () => {
  using rig = createRig();
  const clones = await Promise.all([rig.clone("builder"), rig.clone("tester")]);
  for (let round = 0; round < 5; round++) {
    await Promise.all(clones.map((clone) => clone.syncTo()));
    const made = await Promise.all(
      clones.map((clone, index) => commit(clone, `${round}-${index}`)),
    );
    const published = await Promise.all(
      clones.map((clone, index) => clone.publish(made[index] ?? "")),
    );
    expect(published.filter(({ ok }) => ok)).toHaveLength(1);
    expect(published).toContainEqual({ ok: false, failure: { kind: "not-fast-forward" } });
    expect(made).toContain(await rig.hub.head(BRANCH));
  }
});

test("three clones that publish at once lose nothing and keep the history linear", async () => {
  using rig = createRig();
  const base = (await rig.hub.head(BRANCH)) ?? "";
  const clones = await Promise.all(["a", "b", "c"].map((name) => rig.clone(name)));
  const rounds = [0, 1, 2, 3, 4, 5];
  await Promise.all(
    clones.map(async (clone, index) => {
      for (const round of rounds) await publishPersistently(clone, `${index}-${round}.txt`);
    }),
  );
  const head = (await rig.hub.head(BRANCH)) ?? "";
  const commits = value(await rig.hub.commits(base, head));
  expect(commits).toHaveLength(clones.length * rounds.length);
  expect(rig.git(["rev-list", "--merges", `${base}..${head}`])).toBe("");
  const reader = await rig.clone("reader");
  expect(value(await reader.changedPaths(base, head))).toHaveLength(clones.length * rounds.length);
});

test("hostile branch names are only names", async () => {
  for (const branch of [
    "wisp/a;touch${IFS}x",
    "wisp/$(id)",
    "wisp/`id`|&'\"",
    "wisp/--force",
    "wisp/ünï-🦄",
  ]) {
    using rig = createRig(branch);
    const clone = await rig.clone("builder");
    const tester = await rig.clone("tester");
    const made = await commit(clone, "a.txt");
    value(await clone.publish(made));
    expect(await rig.hub.head(branch)).toBe(made);
    rig.git(["pack-refs", "--all"]);
    expect(await rig.hub.head(branch)).toBe(made);
    await commit(tester, "b.txt");
    const { head } = value(await tester.rebaseOntoHub());
    value(await tester.publish(head));
    expect(value(await rig.hub.commits(made, head))).toEqual([head]);
    expect(value(await clone.syncTo())).toBe(head);
    write(join(clone.directory, "c.txt"), "c");
    expect(value(await clone.repair()).rescue).toBeDefined();
    expect(existsSync(join(rig.root, "hub", "x"))).toBe(false);
  }
});

async function publishPersistently(clone: Clone, name: string): Promise<void> {
  await commit(clone, name);
  for (let attempt = 0; attempt < 50; attempt++) {
    const { head } = value(await clone.rebaseOntoHub());
    const published = await clone.publish(head);
    if (published.ok) return;
    expect(published.failure.kind).toBe("not-fast-forward");
  }
  expect.fail("never published");
}

function snapshot(rig: Rig): readonly string[] {
  return [
    rig.git(["status", "--porcelain"]),
    rig.git(["rev-parse", "HEAD", "main"]),
    rig.git(["symbolic-ref", "HEAD"]),
    rig.git(["reflog", "main"]),
    rig.git(["stash", "list"]),
    read(join(rig.hub.directory, ".git", "index")),
    read(join(rig.hub.directory, ".git", "config")),
  ];
}
