import { expect, test } from "vitest";
import { foldBuilder } from "../../src/session/state/fold-builder.ts";
import { EMPTY_BUILDER } from "../../src/session/state/builder-state.ts";
import type { Level } from "../../src/fs-protocol/records/finding.ts";
import { EMPTY_JUDGE, foldJudge } from "../../src/session/state/fold-judge.ts";
import { holdsUp, type Policy } from "../../src/fs-protocol/home/policy.ts";
import { DEFAULT_POLICY } from "../rig/default-policy.ts";
import type { BuilderRecord } from "../../src/fs-protocol/records/builder-log.ts";
import type { ReviewerRecord } from "../../src/fs-protocol/records/reviewer-log.ts";
import { branchOf } from "../../src/session/state/session-state.ts";
import { summarizeJudge } from "../../src/session/steps/log-summaries.ts";
import { builder, finding, reviewer, sha } from "../rig/records.ts";

interface Happened {
  readonly reviewer: readonly ReviewerRecord[];
  readonly builder?: readonly BuilderRecord[];
  readonly policy?: Partial<Policy>;
}

/** Returns which of the reviewer's items are open to the builder, and which it may fix. */
function seen(happened: Happened) {
  const policy = { ...DEFAULT_POLICY, ...happened.policy };
  const own = (happened.builder ?? []).reduce(
    (fold, record) => foldBuilder(fold, record, policy),
    EMPTY_BUILDER,
  );
  const judge = happened.reviewer.reduce(foldJudge, EMPTY_JUDGE);
  const branch = branchOf(sha(0), sha(0), []);
  const { open, fixable, reported } = summarizeJudge("reviewer", judge, { own, branch, policy });
  return { open, fixable, reported };
}

const LEVELS: readonly Level[] = ["blocking", "warning", "suggestion"];

const ALL = reviewer.commit(1, {
  findings: LEVELS.map((level, index) => finding(`COR-00000${String(index)}`, { level })),
});

test("findings down to the level of the floor are fixed and hold up the end; strict includes all of them", () => {
  const held = (policy: Partial<Policy>) =>
    LEVELS.filter((level) => holdsUp(level, { ...DEFAULT_POLICY, ...policy }));
  expect(held({})).toEqual(["blocking"]);
  expect(held({ floor: undefined })).toEqual(["blocking"]);
  expect(held({ floor: "warning" })).toEqual(["blocking", "warning"]);
  expect(held({ floor: "suggestion" })).toEqual(LEVELS);
  expect(held({ strict: true })).toEqual(LEVELS);
  expect(seen({ reviewer: [ALL], policy: { floor: "warning" } }).fixable).toEqual([
    "COR-000000",
    "COR-000001",
  ]);
});

test("with no-fix a reviewer's finding stays open and is left to people; a person's is fixed", () => {
  const mine = finding("HUM-000001", { reviewer: "human" });
  const happened = [ALL, reviewer.adopt(0, { finding: mine })];
  expect(seen({ reviewer: happened, policy: { noFix: true } })).toEqual({
    open: ["COR-000000", "HUM-000001"],
    fixable: ["COR-000000", "HUM-000001"],
    reported: ["COR-000000"],
  });
});

const ID = "COR-000000";
const fix = (attempt: number) =>
  builder.fix({ id: ID, attempt, outcome: "fixed", sha: sha(attempt) });
const reopened = (attempt: number, stale: number | undefined) =>
  reviewer.verify(ID, "reopened", { attempt, sha: sha(attempt), stale, reopens: 0 });

test("two fixes in a row that leave the lines alone are a stalemate: it stays open and is not fixed again", () => {
  const once = { reviewer: [ALL, reopened(1, 1)], builder: [fix(1)] };
  expect(seen(once)).toMatchObject({ open: [ID], fixable: [ID] });
  const twice = { reviewer: [ALL, reopened(1, 1), reopened(2, 2)], builder: [fix(1), fix(2)] };
  expect(seen(twice)).toMatchObject({ open: [ID], fixable: [] });
});

test("a fix that changes the lines restarts the count", () => {
  const changed = [ALL, reopened(1, 1), reopened(2, undefined)];
  expect(seen({ reviewer: changed, builder: [fix(1), fix(2)] }).fixable).toEqual([ID]);
});

test("a reopen ends a stalemate", () => {
  const happened = [ALL, reopened(1, 1), reopened(2, 2)];
  const again = [fix(1), fix(2), builder.done("stuck"), builder.reopen(1)];
  expect(seen({ reviewer: happened, builder: again }).fixable).toEqual([ID]);
});
