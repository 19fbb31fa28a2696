import { expect, test } from "vitest";
import { builderProjections, writeTasks } from "../../../src/agents/builder/projections.ts";
import type { BuilderRecord } from "../../../src/fs-protocol/records/builder-log.ts";
import { EMPTY_BUILDER, type BuilderFold } from "../../../src/session/state/builder-state.ts";
import { foldBuilder } from "../../../src/session/state/fold-builder.ts";
import { isWrittenBySeveral } from "../../../src/fs-protocol/home/catalogue.ts";
import { homeAt, planPath } from "../../../src/fs-protocol/home/home.ts";
import { DEFAULT_POLICY } from "../../rig/default-policy.ts";
import { builder, sha } from "../../rig/records.ts";
import { MemoryFiles } from "../../rig/memory-files.ts";

const home = homeAt("/home");

function foldOf(records: readonly BuilderRecord[]): BuilderFold {
  return records.reduce((fold, record) => foldBuilder(fold, record, DEFAULT_POLICY), EMPTY_BUILDER);
}

/** The projections of the last of these records. */
function lastOf(...records: readonly BuilderRecord[]) {
  const last = records.at(-1);
  if (last === undefined) return [];
  const before = foldOf(records.slice(0, -1));
  const after = foldBuilder(before, last, DEFAULT_POLICY);
  return builderProjections(home, { policy: DEFAULT_POLICY })(last, before, after);
}

const PLAN = builder.adopt({ One: ["a"], Two: ["b"] });

test("each milestone that ends is a line of milestones.log, several of one turn in order", () => {
  const ends = builder.build({
    m: "One",
    outcome: "milestone",
    commits: [sha(1), sha(2)],
    milestones: [
      { name: "One", start: sha(0), end: sha(1) },
      { name: "Two", start: sha(1), end: sha(2) },
    ],
  });
  expect(lastOf(PLAN, ends).map(({ path, text }) => [path, text])).toEqual([
    [home.milestones, `One|${sha(0)}|${sha(1)}\n`],
    [home.milestones, `Two|${sha(1)}|${sha(2)}\n`],
  ]);
});

test.each(["partial", "noprogress", "unverified"] as const)(
  "a build that ends %s adds nothing",
  (outcome) => {
    expect(lastOf(PLAN, builder.build({ m: "One", outcome }))).toEqual([]);
  },
);

test("a name that would break the line is encoded in it", () => {
  const name = "A|B\nC";
  const milestones = [{ name, start: sha(0), end: sha(1) }];
  const [line] = lastOf(
    builder.adopt({ [name]: ["a"] }),
    builder.build({ m: name, outcome: "milestone", commits: [sha(1)], milestones }),
  );
  expect(line?.text.split("\n")).toHaveLength(2);
  expect(line?.text.split("|")).toHaveLength(3);
});

test("builder.done has lines for the final pass, the end, and reopening", () => {
  const final = builder.final(1);
  const stuck = builder.done("stuck", { reason: "no progress" });
  const texts = [
    lastOf(PLAN, final),
    lastOf(PLAN, final, builder.done("complete")),
    lastOf(PLAN, final, stuck),
    lastOf(PLAN, final, stuck, builder.reopen(1)),
    lastOf(PLAN, builder.reopen(1)),
  ];
  expect(
    texts.flat().every(({ path }) => path === home.builderDone && !isWrittenBySeveral(path)),
  ).toBe(true);
  expect(texts.map((projections) => projections.length)).toEqual([1, 1, 1, 1, 0]);
  expect(texts[2]?.[0]?.text).toContain("no progress");
});

test("a fix is an entry of PROGRESS.txt, which all roles share, with its files and its attempt", () => {
  const [entry, ...more] = lastOf(
    builder.fix({
      id: "COR-000001",
      attempt: 2,
      outcome: "fixed",
      sha: sha(1),
      brief: "Off by one",
      files: ["src/a.js"],
    }),
  );
  expect(more).toEqual([]);
  expect(entry?.path).toBe(home.progress);
  expect(isWrittenBySeveral(home.progress)).toBe(true);
  expect(entry?.text).toContain("[Review Fix] 2026-11-20 12:00 UTC - correctness/COR-000001");
  expect(entry?.text).toContain("- Off by one");
  expect(entry?.text).toContain("- src/a.js");
  expect(entry?.text).toContain("2 of 3");
});

test("only the failure that uses up the attempts is an entry", () => {
  const failed = (attempt: number) =>
    builder.fix({ id: "COR-000001", attempt, outcome: "failed", reason: "verify is worse" });
  expect(lastOf(failed(1))).toEqual([]);
  expect(lastOf(failed(1), failed(2))).toEqual([]);
  const [entry] = lastOf(failed(1), failed(2), failed(3));
  expect(entry?.text).toContain("[Review Fix Failed]");
  expect(entry?.text).toContain("3 of 3 (exhausted)");
  expect(entry?.text).toContain("verify is worse");
});

const TEXT = "Words.\n\n## Milestone: One\n\n- [ ] a\n  - a step\n- [x] b\n";
const fold = foldOf([
  builder.adopt({ One: ["a", "b"] }, { plan: "abc" }),
  builder.build({ m: "One", outcome: "partial", ticks: [{ m: "One", tasks: [1] }] }),
]);

function planned() {
  const files = new MemoryFiles();
  files.write(planPath(home, "abc"), TEXT);
  return files;
}

test("TASKS.md is the plan in force with exactly the boxes that were accepted", () => {
  const files = planned();
  writeTasks(files, home, fold);
  expect(files.textOf(home.tasks)).toBe(
    "Words.\n\n## Milestone: One\n\n- [x] a\n  - a step\n- [ ] b\n",
  );
});

test("a TASKS.md that a person or a crash changed is restored; a correct one is not written", () => {
  const files = planned();
  files.write(home.tasks, "mine\n");
  writeTasks(files, home, fold);
  const before = files.stat(home.tasks)?.inode;
  writeTasks(files, home, fold);
  expect(files.stat(home.tasks)?.inode).toBe(before);
  expect(files.textOf(home.tasks)).toContain("- [x] a");
});

test("nothing is written before there is a plan", () => {
  const files = new MemoryFiles();
  writeTasks(files, home, EMPTY_BUILDER);
  expect(files.stat(home.tasks)).toBeUndefined();
});

test("FR-015: a fix of a batch is an entry of its own for each finding, with the same files and attempt", () => {
  const files = ["a.js"];
  const also = [{ id: "COR-3", brief: "It is too long" }];
  const fix = builder.fix({ id: "COR-1", also, attempt: 1, outcome: "fixed", sha: sha(3), files });
  const entries = lastOf(PLAN, builder.close("all", ["COR-1", "COR-3"], ["COR-1+COR-3"]), fix);
  expect(entries.map(({ path }) => [path, isWrittenBySeveral(path)])).toEqual([
    [home.progress, true],
    [home.progress, true],
  ]);
  const entry = (id: string, brief: string) =>
    [
      `[Review Fix] 2026-11-20 12:00 UTC - correctness/${id}`,
      `### What was fixed\n- ${brief}`,
      "### Files changed\n- a.js",
      "### Attempts\n1 of 3",
      "---\n\n",
    ].join("\n\n");
  expect(entries.map(({ text }) => text)).toEqual([
    entry("COR-1", "It is wrong"),
    entry("COR-3", "It is too long"),
  ]);
});

test("FR-017: a batch that fails at the last attempt is an entry for each finding that has none left", () => {
  const also = [{ id: "COR-3", brief: "It is too long" }];
  const once = builder.fix({ id: "COR-1", attempt: 1, outcome: "fixed", sha: sha(3) });
  const tried = [1, 2].map((attempt) => builder.fix({ id: "COR-3", attempt, outcome: "failed" }));
  const last = builder.fix({ id: "COR-1", also, attempt: 3, outcome: "failed", reason: "no" });
  const texts = lastOf(PLAN, once, ...tried, last).map(({ text }) => text);
  expect(texts).toHaveLength(1);
  expect(texts[0]).toContain("correctness/COR-3\n");
  expect(texts[0]).toContain("### Issue\n- It is too long");
});
