import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { openHub } from "../../src/git/repository/hub.ts";
import { createClone } from "../../src/git/clone/create-clone.ts";
import { writeDiff } from "../../src/git/repository/diffs.ts";
import { HAS_LFS, pointerTo, createLfsRig } from "./lfs/lfs-rig.ts";
import { BRANCH, commit, createRig, IDENTITY, read, value, write, type Rig } from "./rig.ts";

/** Replaces an entry of a clone's `.git` by a link. */
function plantLink(directory: string, name: string, target: string): void {
  const path = join(directory, ".git", name);
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { recursive: true, force: true });
  symlinkSync(target, path);
}

/** A repository of the person's beside the hub, with one commit; its directory. */
function privateRepository(rig: Rig): string {
  const directory = join(rig.root, "private");
  rig.git(["init", "--quiet", "-b", "main", directory], rig.root);
  write(join(directory, "secret.txt"), "secret\n");
  rig.git(["add", "--all"], directory);
  rig.git(["commit", "--quiet", "-m", "secret"], directory);
  return directory;
}

test.each([
  "logs/HEAD",
  `logs/refs/heads/${BRANCH}`,
  "COMMIT_EDITMSG",
  "ORIG_HEAD",
  "refs/wisp/hub",
  "index",
  "packed-refs",
])("nothing is written through a link in the place of .git/%s", async (name) => {
  using rig = createRig();
  const clone = await rig.clone("builder");
  const other = await rig.clone("tester");
  value(await other.publish(await commit(other, "b.txt")));
  const profile = join(rig.root, "home", ".profile");
  write(profile, "of the person\n");
  const attack = () => plantLink(clone.directory, name, profile);
  const message = "; touch ran";
  attack();
  write(join(clone.directory, "a.txt"), "a\n");
  await clone.commitAll(message);
  attack();
  await clone.rebaseOntoHub();
  attack();
  await clone.squashSince(value(await clone.head()), message);
  attack();
  value(await clone.rescueAndReset());
  value(await clone.syncTo());
  value(await clone.publish(await commit(clone, "c.txt")));
  expect(read(profile)).toBe("of the person\n");
});

test.each(["refs/wisp", "refs/heads/wisp", "logs", "info", "objects/pack", "objects/info"])(
  "no file appears behind a link in place of the folder .git/%s",
  async (name) => {
    using rig = createRig();
    const clone = await rig.clone("builder");
    const folder = join(rig.root, "home", "folder");
    mkdirSync(folder);
    const attack = () => plantLink(clone.directory, name, folder);
    for (const step of [
      () => clone.syncTo(),
      () => commit(clone, "a.txt").catch(() => undefined),
      () => clone.rebaseOntoHub(),
      () => clone.repair(),
      () => clone.clean(),
      () => clone.rescueAndReset(),
    ]) {
      attack();
      await step();
      expect(readdirSync(folder)).toEqual([]);
    }
  },
);

const CONTENT = "a new content\n";
const NEW = pointerTo(CONTENT);
const [FIRST, SECOND] = [NEW.sha256.slice(0, 2), NEW.sha256.slice(2, 4)];

test.skipIf(!HAS_LFS).each([
  ["lfs", "lfs"],
  ["lfs/objects", "lfs/objects"],
  ["lfs/objects/12", `lfs/objects/${FIRST}`],
  ["lfs/objects/12/34", `lfs/objects/${FIRST}/${SECOND}`],
  ["lfs/objects/12/34/1234", `lfs/objects/${FIRST}/${SECOND}/${NEW.sha256}`],
  ["lfs/tmp", "lfs/tmp"],
  ["lfs/tmp/objects", "lfs/tmp/objects"],
  ["lfs/logs", "lfs/logs"],
  ["lfs/cache/locks", "lfs/cache/locks"],
])("git-lfs stores nothing behind a link in the place of %s (needs git-lfs)", async (_, name) => {
  using rig = createLfsRig();
  const clone = await rig.clone("builder");
  const folder = join(rig.root, "home", "folder");
  mkdirSync(folder);
  plantLink(clone.directory, name, folder);
  write(join(clone.directory, "new.bin"), CONTENT);
  const made = value(await clone.commitAll("add what was left"));
  expect(readdirSync(folder)).toEqual([]);
  expect(value(await clone.show(made ?? "", "new.bin"))).toBe(NEW.pointer);
  value(await clone.publish(made ?? ""));
});

test("a folder of recorded conflicts, which turns their recording on, leads nowhere", async () => {
  using rig = createRig();
  const clone = await rig.clone("builder");
  const other = await rig.clone("tester");
  value(await other.publish(await commit(other, "a.txt", "theirs\n")));
  await commit(clone, "a.txt", "ours\n");
  const folder = join(rig.root, "home", "folder");
  write(join(folder, "thisimage"), "of the person\n");
  // The name by which git knows a conflict of these two lines again.
  const name = createHash("sha1").update("ours\n\0theirs\n\0").digest("hex");
  plantLink(clone.directory, `rr-cache/${name}`, folder);
  expect(await clone.rebaseOntoHub()).toMatchObject({ failure: { kind: "conflict" } });
  // git would write the conflict there, and remove what has such a name when it gives up.
  expect(readdirSync(folder)).toEqual(["thisimage"]);
});

test("a work tree of an engine's own that holds the branch is not in the way", async () => {
  using rig = createRig();
  const clone = await rig.clone("builder");
  await commit(clone, "a.txt");
  rig.git(["checkout", "-q", "--detach", "HEAD~1"], clone.directory);
  rig.git(["worktree", "add", "-q", join(rig.root, "elsewhere"), BRANCH], clone.directory);
  const made = await commit(clone, "b.txt");
  value(await clone.publish(made));
  expect(rig.git(["show", "--format=", "--name-only", BRANCH])).toBe("b.txt\n");
  value(await clone.syncTo());
});

test("a pipe in place of one of git's files blocks nothing", async () => {
  using rig = createRig();
  const clone = await rig.clone("builder");
  for (const name of ["index", "HEAD", "config", "info/exclude"]) {
    const path = join(clone.directory, ".git", name);
    rmSync(path, { force: true });
    execFileSync("mkfifo", [path]);
  }
  value(await clone.repair());
  const made = await commit(clone, "a.txt");
  value(await clone.publish(made));
  expect(await rig.hub.head(BRANCH)).toBe(made);
});

test("objects that a clone was made to borrow are not visible; those that the hub borrows are restored", async () => {
  using rig = createRig();
  const directory = privateRepository(rig);
  const secret = rig.git(["rev-parse", "HEAD"], directory).trim();
  const borrowing = join(rig.root, "borrowing");
  rig.git(["clone", "--quiet", "--shared", rig.hub.directory, borrowing], rig.root);
  rig.git(["branch", BRANCH], borrowing);
  const place = { hub: openHub(rig.context, borrowing), branch: BRANCH, session: "s" };
  for (const made of [
    await rig.clone("builder"),
    value(
      await createClone(rig.context, {
        ...place,
        directory: join(rig.root, "state", "other"),
        identity: IDENTITY,
      }),
    ),
  ]) {
    const objects = join(made.directory, ".git", "objects");
    const planted = `${join(directory, ".git", "objects")}\n`;
    write(join(objects, "info", "alternates"), planted);
    write(join(objects, "info", "http-alternates"), planted);
    expect(await made.has(secret)).toBe(false);
    expect(existsSync(join(objects, "info", "http-alternates"))).toBe(false);
    rmSync(join(objects, "info", "alternates"), { force: true });
    value(await made.publish(await commit(made, "a.txt")));
  }
});

test.each([
  ["files of their own", false],
  ["a pack", true],
])(
  "with commits in %s, planted replacements, grafts and cuts do not change the history that wisp sees",
  async (_, isPacked) => {
    using rig = createRig();
    const clone = await rig.clone("builder");
    const base = value(await clone.head());
    const first = await commit(clone, "a.txt");
    const second = await commit(clone, "b.txt");
    if (isPacked) rig.git(["repack", "--quiet", "-a", "-d"], clone.directory);
    write(join(clone.directory, ".git", "shallow"), `${second}\n`);
    write(join(clone.directory, ".git", "info", "grafts"), `${second}\n`);
    write(join(clone.directory, ".git", "refs", "replace", second), `${base}\n`);
    expect(value(await clone.commitsSince(base))).toEqual([first, second]);
    value(await clone.publish(second));
    expect(existsSync(join(clone.directory, ".git", "shallow"))).toBe(false);
    expect(rig.git(["rev-list", "--count", `${base}..${BRANCH}`]).trim()).toBe("2");
  },
);

test("no object file of a clone is shared with the user's repository", async () => {
  using rig = createRig();
  rig.git(["repack", "-q", "-d"]);
  write(join(rig.hub.directory, "loose.txt"), "loose\n");
  rig.git(["add", "loose.txt"]);
  rig.git(["commit", "--quiet", "-m", "loose"]);
  rig.git(["branch", "-f", BRANCH]);
  const clone = await rig.clone("builder");
  const objects = join(clone.directory, ".git", "objects");
  const entries = readdirSync(objects, { recursive: true, encoding: "utf8" });
  const files = entries.map((name) => lstatSync(join(objects, name))).filter((at) => at.isFile());
  expect(files.length).toBeGreaterThan(2);
  expect(files.filter((at) => at.nlink > 1)).toEqual([]);
});

test("a .git that leads to another repository is refused, and that repository stays as it is", async () => {
  using rig = createRig();
  const directory = privateRepository(rig);
  const before = rig.git(["for-each-ref"], directory);
  const clone = await rig.clone("builder");
  const dotGit = join(clone.directory, ".git");
  renameSync(dotGit, `${dotGit}.old`);
  for (const lead of [
    () => symlinkSync(join(directory, ".git"), dotGit),
    () => write(dotGit, `gitdir: ${join(directory, ".git")}\n`),
  ]) {
    lead();
    for (const step of [() => clone.syncTo(), () => clone.repair(), () => clone.rescueAndReset()]) {
      expect(await step()).toMatchObject({ ok: false, failure: { kind: "git" } });
    }
    expect((await clone.commitAll("x")).ok).toBe(false);
    rmSync(dotGit);
  }
  expect(rig.git(["for-each-ref"], directory)).toBe(before);
  expect(rig.git(["status", "--porcelain"], directory)).toBe("");
  expect(rig.git(["symbolic-ref", "HEAD"], directory)).toBe("refs/heads/main\n");
});

test("a program in the clone is never started as git, whatever PATH contains", async () => {
  using rig = createRig();
  const ran = join(rig.root, "ran");
  const path = `node_modules/.bin:.::${rig.context.environment["PATH"] ?? ""}`;
  const context = { ...rig.context, environment: { ...rig.context.environment, PATH: path } };
  const place = { hub: openHub(context, rig.hub.directory), branch: BRANCH, session: "s" };
  const directory = join(rig.root, "state", "builder");
  const clone = value(await createClone(context, { ...place, directory, identity: IDENTITY }));
  for (const program of ["node_modules/.bin/git", "git"]) {
    write(join(directory, program), `#!/bin/sh\ntouch ${ran}\nexit 1\n`);
    chmodSync(join(directory, program), 0o755);
  }
  await clone.isDirty();
  await clone.commitAll("x");
  expect(existsSync(ran)).toBe(false);
});

test("a diff is written into its own file, not through a link in its place", async () => {
  using rig = createRig();
  const clone = await rig.clone("builder");
  const base = value(await clone.head());
  const made = await commit(clone, "a.txt");
  value(await clone.publish(made));
  const [victim, path] = [join(rig.root, "victim"), join(rig.root, "changes.diff")];
  write(victim, "of the person\n");
  symlinkSync(victim, path);
  value(await writeDiff(rig.context, rig.hub.directory, { from: base, to: made, path }));
  expect(read(victim)).toBe("of the person\n");
  expect(read(path)).toContain("+a.txt");
});
