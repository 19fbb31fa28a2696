import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  hasNoHiddenEntries,
  pathsInIndex,
  trackedFiles,
} from "../../src/git/repository/index-file.ts";
import { entriesOfIndex } from "../../src/git/submodules/index-entries.ts";
import { createRig, write, type Rig } from "./rig.ts";

const indexOf = (rig: Rig) => readFileSync(join(rig.hub.directory, ".git", "index"));

/** Names for every length of padding, one that needs escaping, one that is too long for the length field. */
function fill(rig: Rig): void {
  const names = Array.from({ length: 20 }, (_, length) => `n${"x".repeat(length)}`);
  for (const name of [...names, "ä ö.txt", Array(42).fill("d".repeat(100)).join("/")]) {
    const blob = rig.git(["rev-parse", "HEAD:readme.md"]).trim();
    rig.git(["update-index", "--add", "--cacheinfo", `100644,${blob},${name}`]);
  }
}

test("the index of a commit hides no file, whatever the names in it and whatever is staged", () => {
  using rig = createRig();
  expect(hasNoHiddenEntries(indexOf(rig))).toBe(true);
  fill(rig);
  expect(hasNoHiddenEntries(indexOf(rig))).toBe(true);
  rig.git(["rm", "-rq", "--cached", "."]);
  expect(hasNoHiddenEntries(indexOf(rig))).toBe(true);
});

test.each([
  ["sha1", 2],
  ["sha1", 3],
  ["sha256", 2],
  ["sha256", 3],
])("the paths and sizes in an index with ids of %s are read, version %i", (format, version) => {
  using rig = createRig();
  rmSync(join(rig.hub.directory, ".git"), { recursive: true });
  rig.git(["init", "--quiet", `--object-format=${format}`, "-b", "main"]);
  const names = Array.from({ length: 20 }, (_, length) => `n${"x".repeat(length)}`);
  for (const name of names) write(join(rig.hub.directory, name), name);
  rig.git(["add", "."]);
  // git writes version 3 only if an entry needs it.
  if (version === 3) {
    write(join(rig.hub.directory, "z"), "z");
    rig.git(["add", "-N", "z"]);
  }
  const index = indexOf(rig);
  expect(index.readUInt32BE(4)).toBe(version);
  const more = version === 3 ? ["z"] : [];
  expect(pathsInIndex(index, () => true)).toEqual([".gitignore", ...names, "readme.md", ...more]);
  const listed = entriesOfIndex(index, format === "sha1" ? 20 : 32);
  const oids = rig.git(["ls-files", "-s"]).trim().split("\n");
  expect(listed?.map(({ oid, path }) => `${oid} ${path}`)).toEqual(
    oids.map((line) => line.replace(/^\d+ (\S+) 0\t/u, "$1 ")),
  );
  expect(trackedFiles(index)?.bytes).toBe(14 + 4 + names.join("").length);
});

test("an index of version 4 is left to git", () => {
  using rig = createRig();
  rig.git(["update-index", "--index-version", "4"]);
  expect(pathsInIndex(indexOf(rig), () => true)).toBeUndefined();
  expect(entriesOfIndex(indexOf(rig), 20)).toBeUndefined();
  expect(hasNoHiddenEntries(indexOf(rig))).toBe(false);
});

test.each([
  [["--assume-unchanged"], ["--no-assume-unchanged"]],
  [["--skip-worktree"], ["--no-skip-worktree"]],
  [
    ["--index-version", "4"],
    ["--index-version", "2"],
  ],
  [["--split-index"], ["--no-split-index"]],
])("leaves an index after %j to git, but not after %j", (marks, clears) => {
  using rig = createRig();
  fill(rig);
  rig.git(["update-index", ...marks, "readme.md"]);
  expect(hasNoHiddenEntries(indexOf(rig))).toBe(false);
  rig.git(["update-index", ...clears, "readme.md"]);
  expect(hasNoHiddenEntries(indexOf(rig))).toBe(true);
});

test("leaves an index with longer hashes, a truncated one and garbage to git", () => {
  using rig = createRig();
  fill(rig);
  const whole = indexOf(rig);
  const lengths = [0, 4, 12, 31, 32, 100, whole.length - 21, whole.length - 1];
  for (const length of lengths) expect(hasNoHiddenEntries(whole.subarray(0, length))).toBe(false);
  expect(hasNoHiddenEntries(Buffer.from("DIRC".padEnd(200, "\u0000\u0001")))).toBe(false);
  const sha256 = join(rig.root, "sha256");
  rig.git(["init", "--quiet", "--object-format=sha256", sha256], rig.root);
  for (let number = 1; number <= 9; number++) write(join(sha256, `${number}.txt`), "text\n");
  rig.git(["add", "--all"], sha256);
  expect(hasNoHiddenEntries(readFileSync(join(sha256, ".git", "index")))).toBe(false);
});
