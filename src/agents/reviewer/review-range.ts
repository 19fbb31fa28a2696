import { REVIEW_LANES_MAX } from "../../base/limits.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import type { Finding } from "../../fs-protocol/records/finding.ts";
import type { JudgeFold } from "../../session/state/fold-judge.ts";
import type { FindingsBlock } from "../../fs-protocol/findings/findings-judge.ts";
import type { ReviewerResult } from "../../fs-protocol/records/reviewer-result.ts";
import { attemptUnit, beginUnit, type Attempted, type UnitEnd } from "../work/unit.ts";
import { mapBounded } from "../work/map-bounded.ts";
import type { RoleContext } from "../work/role-context.ts";
import { note } from "../work/journal.ts";
import { rangeFiles } from "../turn/turn-files.ts";
import type { TurnFile } from "../turn/turn-folder.ts";
import { mergeFindings, type Heard } from "./merge-findings.ts";
import { inspectCommits } from "./inspect-commits.ts";
import { inspectTests, NO_TESTS_SEEN, TESTS_REVIEWER, type TestsSeen } from "./inspect-tests.ts";
import { askReviewers } from "./ask-reviewers.ts";
import { planReview, type Range, type ReviewPlan } from "./plan-review.ts";

/** How the review of a range ended, and what came of it: also of one that gave up half-way. */
export interface RangeReview {
  readonly end: UnitEnd<void>;
  readonly findings: readonly Finding[];
  readonly looks: readonly ReviewerResult[];
  /** What wisp itself saw of the commits, for people; to be appended with the end, so that it is said once. */
  readonly notes: readonly string[];
}

/** What is known of a range so far; what a reviewer has said once it is not asked again. */
interface Looking {
  plan: ReviewPlan | undefined;
  /** For its turns to read. */
  files: readonly TurnFile[];
  seen: TestsSeen;
  notes: readonly string[] | undefined;
  readonly said: Map<string, readonly FindingsBlock[]>;
}

/**
 * What is known of the range under review, for as long as the process lives: a unit that has to wait for
 * an engine is taken again, and who has answered by then need not be asked again.
 */
export class Looks {
  #unit: string | undefined;
  #looking: Looking = nothingYet();

  of(unit: string): Looking {
    if (this.#unit !== unit) this.#looking = nothingYet();
    this.#unit = unit;
    return this.#looking;
  }
}

function nothingYet(): Looking {
  return { plan: undefined, files: [], seen: NO_TESTS_SEEN, notes: undefined, said: new Map() };
}

/**
 * Has a range reviewed by all whom it concerns. Several turns run at the same time, each in a clone of
 * its own; an attempt asks only those who have not answered yet. Nothing of it is on record before the
 * end: killed in the midst of it, all of it is done again.
 */
export async function reviewRange(
  context: RoleContext<"reviewer">,
  state: SessionState,
  range: Range,
  looks: Looks,
): Promise<RangeReview> {
  const { unit, at } = range;
  beginUnit(context, unit, at);
  const own = state.reviewer;
  const looking = looks.of(unit);
  const notes = (looking.notes ??= await inspectCommits(context, state, range));
  const end = await attemptUnit(context, unit, own.openUnit, (attempt) =>
    attemptRange(context, state, range, { looking, attempt }),
  );
  const isAnswered = end.kind === "done" || end.kind === "gaveup";
  if (!isAnswered) return { end, findings: [], looks: [], notes: [] };
  return { end, ...(await gather(context, own, range, looking)), notes };
}

async function attemptRange(
  context: RoleContext<"reviewer">,
  state: SessionState,
  range: Range,
  { looking, attempt }: { readonly looking: Looking; readonly attempt: number },
): Promise<Attempted<void>> {
  if (looking.plan === undefined) {
    const planned = await planReview(context, range);
    if (!planned.ok) return { kind: "failed", reason: planned.failure.reason };
    const inspected = await inspectTests(context, state, range);
    if (inspected.kind !== "done") return inspected;
    looking.seen = inspected.value;
    looking.files = await rangeFiles(await context.clone(), { start: range.start, end: range.at });
    looking.plan = planned.value;
    sayEngines(context, planned.value);
  }
  const { said, files } = looking;
  const evidence = new Map([[TESTS_REVIEWER, looking.seen.evidence]]);
  const { turns, mayPart } = looking.plan;
  const parted = mayPart && attempt > 1 ? turns.flat().map((one) => [one]) : turns;
  const due = parted.filter((batch) => batch.some(({ name }) => !said.has(name)));
  const lanes = Math.min(context.session.review?.parallel ?? 1, REVIEW_LANES_MAX);
  const ended = await mapBounded(due, lanes, async (batch, lane) => {
    const looked = await askReviewers(context, state, {
      range,
      batch,
      attempt,
      lane,
      evidence,
      files,
    });
    if (looked.kind === "done") for (const { name, blocks } of looked.value) said.set(name, blocks);
    return looked;
  });
  return worstOf(ended) ?? { kind: "done", value: undefined };
}

/** An engine that was not there when the session began; whoever asks for one is not left to believe that it looks. */
function sayEngines(context: RoleContext<"reviewer">, { chosen }: ReviewPlan): void {
  const { engines } = context;
  const [own] = engines;
  for (const { name, engine } of chosen) {
    if (own === undefined || engine === undefined) continue;
    if (engines.some((known) => known.name === engine)) continue;
    note(context, `${name} asks for the engine ${engine}; it looks with ${own.name}`);
  }
}

/** What keeps an attempt from being done; a stop before a question, a question before a failure. */
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

/** The findings of all who have answered, those of wisp itself, and who did not answer. */
async function gather(
  context: RoleContext<"reviewer">,
  own: JudgeFold,
  { at }: Range,
  { plan, seen, said }: Looking,
): Promise<Pick<RangeReview, "findings" | "looks">> {
  if (plan === undefined) return { findings: [], looks: [] };
  const heard = plan.chosen.flatMap(({ name, level }): Heard[] => {
    const blocks = said.get(name);
    return blocks === undefined ? [] : [{ name, level, blocks }];
  });
  const clone = await context.clone();
  const ground = { clone, at, known: openItems(own) };
  const certain = { name: TESTS_REVIEWER, findings: seen.findings };
  const gathered = await mergeFindings(heard, certain, ground);
  if (gathered.omitted > 0) note(context, leftOut(gathered.omitted));
  const silent = plan.chosen.filter(({ name }) => !said.has(name));
  const others = [
    ...silent.map(({ name, level }) => ({ name, level, verdict: "gaveup" }) as const),
    ...plan.skipped.map(({ name, level }) => ({ name, level, verdict: "skipped" }) as const),
  ].filter(({ name }) => !gathered.looks.some((look) => look.name === name));
  return { findings: gathered.findings, looks: [...gathered.looks, ...others] };
}

function leftOut(count: number): string {
  return `${String(count)} more findings were made than one review may have; they are not recorded`;
}

function openItems({ open, items }: JudgeFold): ReadonlyMap<string, Finding> {
  return new Map([...items].filter(([id]) => open.has(id)));
}
