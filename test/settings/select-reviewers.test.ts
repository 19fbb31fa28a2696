import fc from "fast-check";
import { expect, test } from "vitest";
import { languageOf } from "../../src/settings/reviewers/languages.ts";
import type { Reviewer } from "../../src/settings/reviewers/reviewer.ts";
import { batchReviewers, selectReviewers } from "../../src/settings/reviewers/select-reviewers.ts";

function reviewer(name: string, settings: Partial<Reviewer> = {}): Reviewer {
  return { name, level: "blocking", when: "milestone", prompt: "Look.", ...settings };
}

const names = (chosen: readonly { readonly name: string }[]) => chosen.map(({ name }) => name);

test("a reviewer for another kind of range is neither chosen nor reported as skipped", () => {
  const all = [
    reviewer("a", { when: "commit" }),
    reviewer("b", { when: "milestone" }),
    reviewer("c", { when: "both" }),
    reviewer("d", { when: "never" }),
  ];
  const commit = selectReviewers(all, { purpose: "commit", files: [] });
  const milestone = selectReviewers(all, { purpose: "milestone", files: [] });
  expect([names(commit.chosen), names(milestone.chosen)]).toEqual([
    ["a", "c"],
    ["b", "c"],
  ]);
  expect([...commit.skipped, ...milestone.skipped]).toEqual([]);
});

test("skips a reviewer if no changed file is in its languages, and says why", () => {
  const python = reviewer("py", { languages: ["python"] });
  const change = { purpose: "milestone", files: ["src/a.ts", "README.md"] } as const;
  expect(selectReviewers([python], change)).toEqual({
    chosen: [],
    skipped: [{ name: "py", languages: ["python"], paths: [] }],
  });
  const touched = { ...change, files: ["src/a.ts", "tools/a.PY"] };
  expect(names(selectReviewers([python], touched).chosen)).toEqual(["py"]);
});

test("one file must match both the languages and the paths", () => {
  const sql = reviewer("sql", { languages: ["sql"], paths: ["db/**"] });
  const chosen = (files: readonly string[]) =>
    names(selectReviewers([sql], { purpose: "milestone", files }).chosen);
  expect(chosen(["db/a.ts", "other/b.sql"])).toEqual([]);
  expect(chosen(["db/.hidden/b.sql"])).toEqual(["sql"]);
});

test("a glob with an exclamation mark excludes files, also on its own", () => {
  const chosen = (paths: readonly string[], file: string) =>
    selectReviewers([reviewer("a", { paths: [...paths] })], { purpose: "milestone", files: [file] })
      .chosen.length;
  expect(chosen(["src/**", "!src/gen/**"], "src/gen/a.ts")).toBe(0);
  expect(chosen(["src/**", "!src/gen/**"], "src/a.ts")).toBe(1);
  expect(chosen(["!**/*.md"], "a.md")).toBe(0);
  expect(chosen(["!**/*.md"], "a.ts")).toBe(1);
});

test("chooses a reviewer without filters even if the range has no files", () => {
  const { chosen } = selectReviewers([reviewer("a")], { purpose: "milestone", files: [] });
  expect(names(chosen)).toEqual(["a"]);
});

test("orders reviewers by level, blocking first, then by name", () => {
  const all = [
    reviewer("z", { level: "suggestion" }),
    reviewer("y"),
    reviewer("b", { level: "warning" }),
    reviewer("a", { level: "warning" }),
  ];
  const { chosen } = selectReviewers(all, { purpose: "milestone", files: [] });
  expect(names(chosen)).toEqual(["y", "a", "b", "z"]);
});

test("groups reviewers of one engine and model into turns of at most the batch size", () => {
  const all = [
    reviewer("a"),
    reviewer("b", { engine: "codex" }),
    reviewer("c"),
    reviewer("d", { model: "large" }),
    reviewer("e"),
    reviewer("f", { engine: "codex" }),
  ];
  expect(batchReviewers(all, 2).map(names)).toEqual([["a", "c"], ["b", "f"], ["d"], ["e"]]);
  expect(batchReviewers(all, 1)).toHaveLength(6);
});

test("every chosen reviewer is in exactly one turn, and no turn exceeds the batch size", () => {
  const one = fc.record({
    name: fc.string(),
    engine: fc.option(fc.constantFrom("x", "y"), { nil: undefined }),
  });
  fc.assert(
    fc.property(fc.array(one), fc.integer({ min: 1, max: 4 }), (all, batch) => {
      const chosen = all.map(({ name, engine }) => reviewer(name, { engine }));
      const turns = batchReviewers(chosen, batch);
      expect(new Set(turns.flat())).toEqual(new Set(chosen));
      expect(turns.flat()).toHaveLength(chosen.length);
      for (const turn of turns) expect(turn.length).toBeLessThanOrEqual(batch);
    }),
  );
});

test("determines the language by the file name", () => {
  const languages = ["a.ts", "x/a.test.TSX", "Rakefile", "Makefile", ".ts", "a.b/c", "constructor"];
  expect(languages.map(languageOf)).toEqual([
    "typescript",
    "typescript",
    "ruby",
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
