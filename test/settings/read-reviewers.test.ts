import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { present } from "../../src/base/assert.ts";
import { batchReviewers, selectReviewers } from "../../src/settings/reviewers/select-reviewers.ts";
import { readReviewers } from "../../src/settings/reviewers/read-reviewers.ts";
import type { Reviewer } from "../../src/settings/reviewers/reviewer.ts";
import { MemoryFiles } from "../rig/memory-files.ts";

const SHIPPED = join(import.meta.dirname, "../../templates/reviewers");

function shippedFiles(): MemoryFiles {
  const files = new MemoryFiles();
  for (const name of readdirSync(SHIPPED)) {
    files.write(`/shipped/${name}`, readFileSync(join(SHIPPED, name), "utf8"));
  }
  return files;
}

function reviewers(files: MemoryFiles): readonly Reviewer[] {
  const read = readReviewers(files, ["/own", "/shipped"]);
  return present(read.ok ? read.value : undefined, "all files are sound");
}

const names = (chosen: readonly { readonly name: string }[]) => chosen.map(({ name }) => name);

test("wisp ships six reviewers with their levels", () => {
  expect(reviewers(shippedFiles()).map(({ name, level }) => `${name} ${level}`)).toEqual([
    "correctness blocking",
    "docs suggestion",
    "performance warning",
    "security blocking",
    "simplicity warning",
    "tests blocking",
  ]);
});

test("a milestone of five commits takes eleven turns: correctness for each commit, all six at the end", () => {
  const all = reviewers(shippedFiles());
  const commit = selectReviewers(all, { purpose: "commit", files: ["src/a.ts"] });
  const milestone = selectReviewers(all, { purpose: "milestone", files: ["src/a.ts"] });
  expect(names(commit.chosen)).toEqual(["correctness"]);
  expect(names(milestone.chosen)).toEqual([
    "correctness",
    "security",
    "tests",
    "performance",
    "simplicity",
    "docs",
  ]);
  const turns = 5 * batchReviewers(commit.chosen, 1).length;
  expect(turns + batchReviewers(milestone.chosen, 1).length).toBe(11);
});

test("every shipped prompt says what to look for and what not to report", () => {
  for (const { prompt } of reviewers(shippedFiles())) {
    expect(prompt).toContain("\nLook for:\n");
    expect(prompt).toContain("\nDo not report:\n");
  }
});

test("a user's file adds a reviewer, or replaces or disables a shipped one", () => {
  const files = shippedFiles();
  files.write("/own/sql.md", "---\nlevel: blocking\n---\nFull scans.\n");
  files.write("/own/docs.md", "---\nlevel: warning\n---\nOur handbook.\n");
  files.write("/own/performance.md", "---\nlevel: warning\nwhen: never\n---\n");
  files.write("/own/notes.txt", "no reviewer");
  files.write("/own/.hidden.md", "no reviewer");
  const all = reviewers(files);
  expect(all.find(({ name }) => name === "docs")?.prompt).toBe("Our handbook.");
  const { chosen, skipped } = selectReviewers(all, { purpose: "milestone", files: ["a.ts"] });
  expect(names(chosen)).toEqual(["correctness", "security", "sql", "tests", "docs", "simplicity"]);
  expect(skipped).toEqual([]);
});

test("reports all invalid files with their problems", () => {
  const files = new MemoryFiles();
  files.write("/own/a.md", "---\nlevel: high\n---\nA.\n");
  files.write("/own/b.md", "B.");
  files.write("/own/Big Name.md", "---\nlevel: warning\n---\nC.\n");
  files.write("/own/human.md", "---\nlevel: warning\n---\nD.\n");
  const read = readReviewers(files, ["/own"]);
  const failure = read.ok ? undefined : read.failure;
  const broken = failure?.kind === "reviewers" ? failure.files : [];
  expect(broken.map(({ path, problems }) => `${path} ${String(problems.length)}`)).toEqual([
    "/own/Big Name.md 1",
    "/own/a.md 1",
    "/own/b.md 1",
    "/own/human.md 1",
  ]);
});

test("fails if a directory cannot be listed or a file cannot be read, instead of ignoring it", () => {
  for (const operation of ["list", "read"]) {
    const files = shippedFiles();
    files.fault = (asked) => (asked === operation ? "EACCES" : undefined);
    const read = readReviewers(files, ["/own", "/shipped"]);
    expect(read).toMatchObject({ ok: false, failure: { kind: "file", errno: "EACCES" } });
  }
});
