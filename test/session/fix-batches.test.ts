import { expect, test } from "vitest";
import type { BuilderRecord } from "../../src/fs-protocol/records/builder-log.ts";
import type { Finding } from "../../src/fs-protocol/records/finding.ts";
import { DEFAULT_POLICY } from "../rig/default-policy.ts";
import { coordinate } from "../../src/session/steps/coordinate.ts";
import { fixBatches } from "../../src/session/steps/fix-batches.ts";
import { build, plan, review, stateWith, tests, verdict } from "../model/hand-made.ts";
import { shaAt } from "../model/names.ts";
import { finding } from "../rig/records.ts";

const id = (n: number) => `COR-00000${String(n)}`;

/** Returns the batches of these findings, in their order; `tried`: how often each was tried. */
function batchesOf(
  findings: readonly Finding[],
  fixBatchMax = 3,
  tried: Record<string, number> = {},
) {
  const ids = findings.map((item) => item.id);
  const fixes = new Map(
    Object.entries(tried).map(([item, count]) => [
      item,
      Array.from({ length: count }, (_, index) => ({
        ...{ id: item, unit: `fix:${item}:${String(index + 1)}`, attempt: index + 1 },
        ...{ outcome: "fixed" as const, sha: shaAt(1), reason: undefined },
      })),
    ]),
  );
  const items = new Map(findings.map((item) => [item.id, item]));
  const policy = { ...DEFAULT_POLICY, fixBatchMax };
  return fixBatches(ids, { items }, { own: { fixes }, policy });
}

test("findings about one file share a turn, and so do those of one category", () => {
  const sameFile = [
    finding(id(1), { category: "Bounds", file: "a.js" }),
    finding(id(2), { category: "Naming", file: "a.js" }),
  ];
  expect(batchesOf(sameFile)).toEqual([[id(1), id(2)]]);
  const sameCategory = [
    finding(id(1), { category: "Bounds", file: "a.js" }),
    finding(id(2), { category: "bounds ", file: "b.js" }),
  ];
  expect(batchesOf(sameCategory)).toEqual([[id(1), id(2)]]);
});

test("findings with neither file nor category in common are fixed separately", () => {
  const other = [
    finding(id(1), { category: "Bounds", file: "a.js" }),
    finding(id(2), { category: "Naming", file: "b.js" }),
    finding(id(3), { category: "Style" }),
    finding(id(4), { category: "Words" }),
  ];
  expect(batchesOf(other)).toEqual([]);
});

test("findings in the same file come first, and a batch does not exceed its maximum", () => {
  const four = [
    finding(id(1), { file: "a.js" }),
    finding(id(2), { file: "b.js" }),
    finding(id(3), { file: "a.js" }),
    finding(id(4), { file: "c.js" }),
  ];
  expect(batchesOf(four, 2)).toEqual([
    [id(1), id(3)],
    [id(2), id(4)],
  ]);
  expect(batchesOf(four, 3)).toEqual([[id(1), id(3), id(2)]]);
  expect(batchesOf(four, 1)).toEqual([]);
});

test("findings of two reviewers, and findings that were tried unequally often, share no turn", () => {
  const two = [finding(id(1)), finding(id(2), { reviewer: "security" })];
  expect(batchesOf(two)).toEqual([]);
  const same = [finding(id(1)), finding(id(2)), finding(id(3))];
  expect(batchesOf(same, 3, { [id(1)]: 1, [id(3)]: 1 })).toEqual([[id(1), id(3)]]);
});

const FOUND = [review.commit(1, [id(1)]), review.milestone("a1", 1, [id(2)])];
const BUILT = [build.adopts(0, ["a1"]), build.ends("a1", 0, 1)];

/** Returns the builder's next step after these records, with batches of two. */
function next(more: readonly BuilderRecord[], reviewed = FOUND) {
  const state = stateWith({
    policy: { ...DEFAULT_POLICY, fixBatchMax: 2 },
    planner: [plan.staged(0, ["a1"]), plan.keep(1, 1)],
    builder: [...BUILT, ...more],
    reviewer: reviewed,
    tester: [tests.milestone("a1", 1)],
    commits: more.length === 0 ? 1 : 2,
  });
  return coordinate("builder", state, 0);
}

test("FR-006: similar findings are listed as a batch and fixed in one unit", () => {
  expect(next([])).toMatchObject({ kind: "close", fix: [id(1), id(2)], batches: [[id(1), id(2)]] });
  const closed = build.closes("all", [id(1), id(2)], [[id(1), id(2)]]);
  const unit = `fix:${id(1)}+${id(2)}:1`;
  expect(next([closed])).toEqual({ kind: "fix", ids: [id(1), id(2)], attempt: 1, unit });
});

test("each finding of a batch is judged separately: one may be closed while another is tried again", () => {
  const closed = build.closes("all", [id(1), id(2)], [[id(1), id(2)]]);
  const fixed = build.fixesBatch([id(1), id(2)], 1, { outcome: "fixed", sha: shaAt(2) });
  const more = [closed, fixed];
  expect(next(more)).toMatchObject({
    kind: "wait",
    reason: { kind: "roles", roles: ["reviewer"] },
  });
  const one = [...FOUND, verdict(id(1), 1, shaAt(2), "closed")];
  expect(next(more, one)).toMatchObject({ kind: "wait" });
  const both = [...one, verdict(id(2), 1, shaAt(2), "reopened"), review.commit(2)];
  expect(next(more, both)).toMatchObject({ kind: "close", fix: [id(2)], batches: [] });
});

test("the reviewer verifies the findings of a batch one after the other", () => {
  const closed = build.closes("all", [id(1), id(2)], [[id(1), id(2)]]);
  const fixed = build.fixesBatch([id(1), id(2)], 1, { outcome: "fixed", sha: shaAt(2) });
  const looksAt = (reviewed: typeof FOUND) => {
    const builder = [...BUILT, closed, fixed];
    const state = stateWith({ builder, reviewer: reviewed, commits: 2 });
    const step = coordinate("reviewer", state, 0);
    return step.kind === "verify" ? step.unit : step.kind;
  };
  expect(looksAt(FOUND)).toBe(`verify:${id(1)}:${shaAt(2)}:1`);
  const first = verdict(id(1), 1, shaAt(2), "reopened");
  expect(looksAt([...FOUND, first])).toBe(`verify:${id(2)}:${shaAt(2)}:1`);
  const second = verdict(id(2), 1, shaAt(2), "closed");
  expect(looksAt([...FOUND, first, second])).toBe("review-commit");
});
