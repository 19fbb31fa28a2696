import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hasNoHiddenEntries } from "../../src/git/repository/index-file.ts";
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
