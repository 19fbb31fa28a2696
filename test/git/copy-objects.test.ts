import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { Oid } from "../../src/base/oid.ts";
import { FileFailure, type Files } from "../../src/base/ports/files.ts";
import { fail } from "../../src/base/result.ts";
import type { GitDirectory } from "../../src/git/command/git-directory.ts";
import { copyCommits } from "../../src/git/repository/copy-objects.ts";
import { noted } from "./noted-clone.ts";
import { BRANCH, createRig, value, write, type Rig } from "./rig.ts";

/**
 * Commits files, and what `change` does, on the session's branch in the hub, whose work tree is then at another
 * branch again.
 */
function publish(
  rig: Rig,
  files: Readonly<Record<string, string>>,
  change: () => void = () => undefined,
): Oid {
  rig.git(["checkout", "--quiet", BRANCH]);
  for (const [name, text] of Object.entries(files)) write(join(rig.hub.directory, name), text);
  change();
  rig.git(["add", "--all"]);
  rig.git(["commit", "--quiet", "--allow-empty", "-m", "Work"]);
  rig.git(["checkout", "--quiet", "main"]);
  return Oid.parse(rig.git(["rev-parse", BRANCH]).trim());
}

/** All objects that git finds from a commit; fails if one is missing. */
function objectsFrom(rig: Rig, directory: string, commit: string): readonly string[] {
  const printed = rig.git(["rev-list", "--objects", commit], directory);
  return printed.trim().split("\n").sort();
}

function objectPath(directory: string, oid: string): string {
  return join(directory, ".git", "objects", oid.slice(0, 2), oid.slice(2));
}

function placeOf(directory: string): GitDirectory {
  const git = join(directory, ".git");
  return { gitDirectory: git, commonDirectory: git };
}

const REF = "refs/wisp/hub";

test("new commits come into a clone whole, without a process", async () => {
  using rig = createRig();
  const { clone, ran } = await noted(rig);
  ran();
  publish(rig, { "a/b/one.txt": "1\n", "a/b/two.txt": "2\n", "top.txt": "top\n" });
  publish(rig, { "a/b/one.txt": "one\n" });
  publish(rig, {});
  const head = publish(rig, { "a/c.txt": "2\n" }, () => {
    rmSync(join(rig.hub.directory, "top.txt"));
    symlinkSync("a/b", join(rig.hub.directory, "link"));
  });
  value(await clone.bring(head));
  expect(ran()).toEqual([""]);
  const { directory } = clone;
  expect(rig.git(["rev-parse", REF], directory).trim()).toBe(head);
  expect(objectsFrom(rig, directory, head)).toEqual(objectsFrom(rig, rig.hub.directory, head));
  rig.git(["fsck", "--strict", "--no-dangling"], directory);
  expect(value(await clone.syncTo(head))).toBe(head);
  expect(rig.git(["status", "--porcelain"], directory)).toBe("");
});

test("what is new is read ahead without a process, or left as it is", async () => {
  using rig = createRig();
  const { clone, ran } = await noted(rig);
  const refNow = () => rig.git(["rev-parse", REF], clone.directory).trim();
  ran();
  clone.readAhead();
  const head = publish(rig, { "a.txt": "a\n" });
  clone.readAhead();
  expect(refNow()).toBe(head);
  expect(objectsFrom(rig, clone.directory, head)).toEqual(
    objectsFrom(rig, rig.hub.directory, head),
  );
  expect(existsSync(join(clone.directory, "a.txt"))).toBe(false);
  publish(rig, { "b.txt": "b\n" });
  rig.git(["repack", "--quiet", "-a", "-d"]);
  rig.git(["prune-packed", "--quiet"]);
  clone.readAhead();
  expect(refNow()).toBe(head);
  rmSync(join(clone.directory, ".git"), { recursive: true });
  clone.readAhead();
  expect(ran()).toEqual([""]);
});

const LEFT_TO_GIT: readonly (readonly [string, (rig: Rig) => Oid])[] = [
  [
    "packed",
    (rig) => {
      const head = publish(rig, { "a.txt": "a\n" });
      rig.git(["repack", "--quiet", "-a", "-d"]);
      rig.git(["prune-packed", "--quiet"]);
      return head;
    },
  ],
  [
    "merged",
    (rig) => {
      rig.git(["checkout", "--quiet", "-b", "side", BRANCH]);
      rig.git(["commit", "--quiet", "--allow-empty", "-m", "aside"]);
      publish(rig, { "b.txt": "b\n" });
      rig.git(["checkout", "--quiet", BRANCH]);
      rig.git(["merge", "--quiet", "--no-edit", "side"]);
      return publish(rig, {});
    },
  ],
  [
    "too much",
    (rig) => {
      const names = Array.from({ length: 120 }, (_, index) => `many/${String(index)}`);
      return publish(rig, Object.fromEntries(names.map((name) => [name, `${name}\n`])));
    },
  ],
];

test.each(LEFT_TO_GIT)("what is %s is fetched by git", async (_, change) => {
  using rig = createRig();
  const { clone, ran } = await noted(rig);
  // What comes before is neither packed nor merged, and was copied.
  const before = publish(rig, { "before.txt": "before\n" });
  ran();
  value(await clone.bring(before));
  expect(ran()).toEqual([""]);
  const head = change(rig);
  value(await clone.bring(head));
  expect(ran()).toContain("fetch");
  expect(rig.git(["rev-parse", REF], clone.directory).trim()).toBe(head);
  rig.git(["fsck", "--no-dangling"], clone.directory);
});

test("a file in the hub that does not have the content of its name is not copied", async () => {
  using rig = createRig();
  const { directory } = await rig.clone("reviewer");
  const base = Oid.parse(rig.git(["rev-parse", BRANCH]).trim());
  const head = publish(rig, { "a.txt": "honest\n" });
  const blob = rig.git(["rev-parse", `${head}:a.txt`]).trim();
  const other = rig.git(["rev-parse", `${head}:readme.md`]).trim();
  const path = objectPath(rig.hub.directory, blob);
  rmSync(path);
  writeFileSync(path, readFileSync(objectPath(rig.hub.directory, other)));
  const places = { from: placeOf(rig.hub.directory), to: placeOf(directory) };
  expect(copyCommits(rig.context.files, places, { from: base, to: head })).toBe(false);
  expect(existsSync(objectPath(directory, blob))).toBe(false);
  expect(existsSync(objectPath(directory, head))).toBe(false);
});

test("a link that an engine put in the place of a folder of objects is not written through", async () => {
  using rig = createRig();
  const { clone } = await noted(rig);
  const head = publish(rig, { "a.txt": "a\n" });
  const folder = dirname(objectPath(clone.directory, head));
  const elsewhere = join(rig.root, "elsewhere");
  mkdirSync(elsewhere);
  rmSync(folder, { recursive: true, force: true });
  symlinkSync(elsewhere, folder);
  await clone.bring(head);
  expect(existsSync(join(elsewhere, head.slice(2)))).toBe(false);
});

/** Files of which only the first `count` objects can be written. */
function failingAfter(files: Files, count: number): Files {
  let created = 0;
  return {
    ...files,
    createCopy: (path, bytes) => {
      created += 1;
      if (created <= count) return files.createCopy(path, bytes);
      return fail(FileFailure({ operation: "create", path, errno: "ENOSPC" }));
    },
  };
}

test("wherever a copy ends early, a commit that is there has all that it contains", async () => {
  using rig = createRig();
  const base = Oid.parse(rig.git(["rev-parse", BRANCH]).trim());
  // Made before: git copies all objects of a repository on the same disk, of whatever branch.
  const whole = await rig.clone("clone");
  const commits = ["a", "b", "c"].map((name) => publish(rig, { [`${name}/${name}.txt`]: name }));
  const head = commits.at(-1) ?? base;
  for (let count = 0; ; count++) {
    const directory = join(rig.root, `clone-${String(count)}`);
    cpSync(whole.directory, directory, { recursive: true });
    const places = { from: placeOf(rig.hub.directory), to: placeOf(directory) };
    const files = failingAfter(rig.context.files, count);
    const isCopied = copyCommits(files, places, { from: base, to: head });
    for (const commit of commits) {
      if (existsSync(objectPath(directory, commit))) objectsFrom(rig, directory, commit);
    }
    if (!isCopied) continue;
    // A commit, its folder, its file and its tree, three times.
    expect(count).toBe(12);
    return;
  }
});
