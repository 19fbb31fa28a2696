import { need } from "../../base/fatal.ts";
import { REVIEW_LANES_MAX } from "../../base/limits.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import type { Finding } from "../../fs-protocol/records/finding.ts";
import type { JudgeFold } from "../../session/state/fold-judge.ts";
import type { FindingsBlock } from "../../fs-protocol/findings/findings-judge.ts";
import type { ReviewerResult } from "../../fs-protocol/records/reviewer-result.ts";
import { attemptUnit, beginUnit, type Attempted, type UnitEnd } from "../../work/unit.ts";
import { mapBounded } from "../../work/map-bounded.ts";
import type { RoleContext } from "../../work/role-context.ts";
import { note } from "../../work/journal.ts";
import { rangeFiles } from "../../work/turn/turn-files.ts";
import type { TurnFile } from "../../work/turn/turn-folder.ts";
import { mergeFindings, type ReviewerFindings } from "./merge-findings.ts";
import { inspectCommits } from "./inspect-commits.ts";
import {
  inspectTests,
  NO_TEST_EVIDENCE,
  TESTS_REVIEWER,
  type TestInspection,
} from "./inspect-tests.ts";
import { askReviewers } from "./ask-reviewers.ts";
import { planReview, type Range, type ReviewPlan } from "./plan-review.ts";

/** How the review of a range ended, with its findings: also those of one that gave up half-way. */
export interface RangeReview {
  readonly end: UnitEnd<void>;
  readonly findings: readonly Finding[];
  readonly results: readonly ReviewerResult[];
  /** Wisp's own notes on the commits, for people; appended together with the end, so that they appear only once. */
  readonly notes: readonly string[];
}

/** What is known about a range so far; a reviewer that has answered is not asked again. */
interface RangeProgress {
  plan: ReviewPlan | undefined;
  /** Files for the turns to read. */
  files: readonly TurnFile[];
  tests: TestInspection;
  notes: readonly string[] | undefined;
  /** By the reviewer's name. */
  readonly answers: Map<string, readonly FindingsBlock[]>;
}

/**
 * Remembers the range under review while the process lives: a unit that has to wait for an engine is started
 * again later, and reviewers that answered before the wait are not asked again.
 */
export class ReviewMemory {
  #unit: string | undefined;
  #progress: RangeProgress = noProgress();

  of(unit: string): RangeProgress {
    if (this.#unit !== unit) this.#progress = noProgress();
    this.#unit = unit;
    return this.#progress;
  }
}

function noProgress(): RangeProgress {
  return {
    plan: undefined,
    files: [],
    tests: NO_TEST_EVIDENCE,
    notes: undefined,
    answers: new Map(),
  };
}

/**
 * Has a range reviewed by all reviewers that it concerns. Several turns run at the same time, each in a clone of
 * its own; an attempt asks only the reviewers that have not answered yet. Nothing is recorded before the
 * end: if the process is killed before, the whole review is repeated.
 */
export async function reviewRange(
  context: RoleContext<"reviewer">,
  state: SessionState,
  range: Range,
  memory: ReviewMemory,
): Promise<RangeReview> {
  const { unit, at } = range;
  beginUnit(context, unit, at);
  const own = state.reviewer;
  const progress = memory.of(unit);
  const notes = (progress.notes ??= await inspectCommits(context, state, range));
  const end = await attemptUnit(context, unit, own.openUnit, (attempt) =>
    attemptRange(context, state, range, { progress, attempt }),
  );
  const isAnswered = end.kind === "done" || end.kind === "gaveup";
  if (!isAnswered) return { end, findings: [], results: [], notes: [] };
  const merged = await mergeReviews(context, own, range, progress);
  return { end, ...merged, notes: [...notes, ...progress.tests.notes] };
}

async function attemptRange(
  context: RoleContext<"reviewer">,
  state: SessionState,
  range: Range,
  { progress, attempt }: { readonly progress: RangeProgress; readonly attempt: number },
): Promise<Attempted<void>> {
  if (progress.plan === undefined) {
    const { start, at: end } = range;
    const clone = await context.clone();
    need(await clone.bring(end));
    // Before the plan, which counts the changed lines: the clone knows them from the same diff.
    progress.files = await rangeFiles(clone, { start, end });
    const planned = await planReview(context, range);
    if (!planned.ok) return { kind: "failed", reason: planned.failure.reason };
    const inspected = await inspectTests(context, state, range);
    if (inspected.kind !== "done") return inspected;
    progress.tests = inspected.value;
    progress.plan = planned.value;
    noteMissingEngines(context, planned.value);
  }
  const { answers, files } = progress;
  const evidence = new Map([[TESTS_REVIEWER, progress.tests.evidence]]);
  const { turns, maySplit } = progress.plan;
  const batches = maySplit && attempt > 1 ? turns.flat().map((one) => [one]) : turns;
  const due = batches.filter((batch) => batch.some(({ name }) => !answers.has(name)));
  const lanes = Math.min(context.session.review?.parallel ?? 1, REVIEW_LANES_MAX);
  const ended = await mapBounded(due, lanes, async (batch, lane) => {
    const turn = await askReviewers(context, state, {
      range,
      batch,
      attempt,
      lane,
      evidence,
      files,
    });
    if (turn.kind === "done") for (const { name, blocks } of turn.value) answers.set(name, blocks);
    return turn;
  });
  return worstOf(ended) ?? { kind: "done", value: undefined };
}

/** Notes which reviewers ask for an engine that was not available when the session began, and which one they get. */
function noteMissingEngines(context: RoleContext<"reviewer">, { chosen }: ReviewPlan): void {
  const { engines } = context;
  const [own] = engines;
  for (const { name, engine } of chosen) {
    if (own === undefined || engine === undefined) continue;
    if (engines.some((known) => known.name === engine)) continue;
    note(context, `${name} asks for the engine ${engine}; it looks with ${own.name}`);
  }
}

/** The result that keeps an attempt from being done: a stop, else a question, else a failure. */
function worstOf(
  ended: readonly Attempted<unknown>[],
): Exclude<Attempted<void>, { kind: "done" }> | undefined {
  const undone = ended.flatMap((each) => (each.kind === "done" ? [] : [each]));
  return (
    undone.find(({ kind }) => kind === "stopped") ??
    undone.find(({ kind }) => kind === "question") ??
    undone[0]
  );
}

/** Merges the findings of the reviewers that answered with wisp's own, and adds the reviewers without an answer. */
async function mergeReviews(
  context: RoleContext<"reviewer">,
  own: JudgeFold,
  { at }: Range,
  { plan, tests, answers }: RangeProgress,
): Promise<Pick<RangeReview, "findings" | "results">> {
  if (plan === undefined) return { findings: [], results: [] };
  const reviews = plan.chosen.flatMap(({ name, level }): ReviewerFindings[] => {
    const blocks = answers.get(name);
    return blocks === undefined ? [] : [{ name, level, blocks }];
  });
  const clone = await context.clone();
  const tree = { clone, at, known: openItems(own) };
  const computed = { name: TESTS_REVIEWER, findings: tests.findings };
  const merged = await mergeFindings(reviews, computed, tree);
  if (merged.omitted > 0) note(context, omittedNote(merged.omitted));
  const silent = plan.chosen.filter(({ name }) => !answers.has(name));
  const others = [
    ...silent.map(({ name, level }) => ({ name, level, verdict: "gaveup" }) as const),
    ...plan.skipped.map(({ name, level }) => ({ name, level, verdict: "skipped" }) as const),
  ].filter(({ name }) => !merged.results.some((result) => result.name === name));
  return { findings: merged.findings, results: [...merged.results, ...others] };
}

function omittedNote(count: number): string {
  return `${String(count)} more findings were made than one review may have; they are not recorded`;
}

function openItems({ open, items }: JudgeFold): ReadonlyMap<string, Finding> {
  return new Map([...items].filter(([id]) => open.has(id)));
}
