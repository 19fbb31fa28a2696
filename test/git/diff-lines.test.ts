import { chmodSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { linesInDiff } from "../../src/git/clone/diff-lines.ts";
import { createRig, type Rig } from "./rig.ts";

const MANY = Array.from({ length: 60 }, (_, index) => `line ${String(index)}\n`);

/** Contents before and after; undefined where there is no file. */
const CHANGES: readonly (readonly [string, string | undefined, string | undefined])[] = [
  ["a new file", undefined, "one\ntwo\n"],
  ["a new empty file", undefined, ""],
  ["a file without a last line break", "one\ntwo", "one\nthree"],
  ["a last line break that is new", "one", "one\n"],
  ["several hunks", MANY.join(""), MANY.toSpliced(2, 1, "new\n").toSpliced(50, 3).join("")],
  ["empty lines and other line ends", "\n\n\nend\r\n", "\n\nmiddle\rend\n\n\u2028\n"],
  [
    "lines that look like parts of a diff",
    "@@ -1,9 +1,9 @@\n--- a/x\n+++ b/x\n\\ No newline at end of file\n",
    "-- a/x\n@@ -1 +1 @@\ndiff --git a/x b/x\n+\n-\n\\\n",
  ],
  ["bytes that are no text", "a\0b", "a\0c"],
];

function commit(rig: Rig): string {
  rig.git(["add", "--all"]);
  rig.git(["commit", "--quiet", "--allow-empty", "-m", "Work"]);
  return rig.git(["rev-parse", "HEAD"]).trim();
}

function linesByGit(rig: Rig, start: string): number {
  const printed = rig.git(["diff-tree", "-r", "-M", "--numstat", start, "HEAD"]);
  const rows = [...printed.matchAll(/^(\d+)\t(\d+)\t/gmu)];
  return rows.reduce((sum, [, added, removed]) => sum + Number(added) + Number(removed), 0);
}

test("the lines of a diff are counted as git counts them", () => {
  using rig = createRig();
  const at = (index: number) => join(rig.hub.directory, `file-${String(index)}.txt`);
  const renamed = join(rig.hub.directory, "old.txt");
  writeFileSync(renamed, MANY.join(""));
  for (const [index, [, before]] of CHANGES.entries()) {
    if (before !== undefined) writeFileSync(at(index), before);
  }
  const start = commit(rig);
  for (const [index, [, , after]] of CHANGES.entries()) {
    if (after !== undefined) writeFileSync(at(index), after);
    commit(rig);
    const before = rig.git(["rev-parse", "HEAD^"]).trim();
    const text = rig.git(["diff", "--no-color", "-M", before, "HEAD"]);
    expect(linesInDiff(text)).toBe(linesByGit(rig, before));
  }
  renameSync(renamed, join(rig.hub.directory, "new.txt"));
  writeFileSync(join(rig.hub.directory, "new.txt"), MANY.toSpliced(9, 1, "new\n").join(""));
  chmodSync(at(0), 0o755);
  commit(rig);
  const whole = rig.git(["diff", "--no-color", "-M", start, "HEAD"]);
  expect(linesInDiff(whole)).toBe(linesByGit(rig, start));
  expect(linesByGit(rig, start)).toBeGreaterThan(20);
});

test("a diff that ends early, or is not made of whole hunks, is not counted", () => {
  for (const text of ["@@ -1,2 +1,2 @@\n-a\n+b\n", "@@ -1 +1 @@\nodd\n", "@@ -1 +1 @@\n-a\n-b\n"]) {
    expect(linesInDiff(text)).toBeUndefined();
  }
  expect(linesInDiff("")).toBe(0);
});
