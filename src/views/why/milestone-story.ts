import type { Oid } from "../../base/oid.ts";
import type { LogRecord } from "../../fs-protocol/home/logs.ts";
import type { EndedMilestone } from "../../fs-protocol/records/builder-log.ts";
import { decodeUnit } from "../../fs-protocol/records/unit-key.ts";
import { TurnLedger } from "../../session/state/turn-ledger.ts";
import { spentIn, type Spent } from "../cost/cost-view.ts";
import { foundIn, itemSummaries, type ItemSummary } from "./item-story.ts";
import { isInRange, unitCovers, type KnownSession } from "./known-session.ts";
import { stepOf, stepsWhere, turnsOf, type RecordedStep } from "./step.ts";

/** A task of a milestone. */
export interface TaskView {
  readonly text: string;
  readonly isTicked: boolean;
}

/** A commit, and the unit that made it. */
export interface MadeCommit {
  readonly sha: Oid;
  readonly unit: string;
}

/** Everything on record about a milestone. */
export interface MilestoneStory {
  readonly name: string;
  /** Of the newest plan that has it. */
  readonly tasks: readonly TaskView[];
  /** Its commits are those after `start`, up to `end`; null before it has ended. */
  readonly range: EndedMilestone | null;
  /** What all roles' turns for it used. */
  readonly spent: Spent;
  readonly attempts: readonly RecordedStep[];
  readonly hints: readonly RecordedStep[];
  readonly commits: readonly MadeCommit[];
  readonly verifies: readonly RecordedStep[];
  readonly reviews: readonly RecordedStep[];
  readonly tests: readonly RecordedStep[];
  /** The ends of the drain windows between its boundary and the next one. */
  readonly windows: readonly RecordedStep[];
  readonly fixes: readonly RecordedStep[];
  readonly findings: readonly ItemSummary[];
}

/** The story of a milestone that a plan or a turn names. */
export function milestoneStory(known: KnownSession, name: string): MilestoneStory {
  const range = known.ended.find((one) => one.name === name);
  const isOfBuild = ({ record }: LogRecord) => record.kind === "build.end" && record.m === name;
  const reviewed = known.records.filter(
    ({ record }) => record.kind === "review.end" && isReviewOf(known, record, name, range),
  );
  const tested = known.records.filter(
    ({ record }) => record.kind === "test.end" && record.m === name,
  );
  const commits = madeCommits(known, name);
  const steps = (entries: readonly LogRecord[]) => entries.map((entry) => stepOf(known, entry));
  const units = unitsOf(known, name);
  return {
    name,
    tasks: tasksOf(known, name),
    range: range ?? null,
    spent: spentFor(known, name),
    attempts: [...stepsWhere(known, isOfBuild), ...openAttempts(known, name)],
    hints: stepsWhere(known, ({ record }) => record.kind === "hint.end" && record.m === name),
    commits,
    verifies: stepsWhere(known, ({ record }) => {
      if (record.kind !== "verify.result") return false;
      return record.at === range?.end || commits.some(({ sha }) => sha === record.at);
    }),
    reviews: steps(reviewed),
    tests: steps(tested),
    windows: steps(windowsOf(known, name)),
    fixes: stepsWhere(known, ({ record }) => record.kind === "fix.end" && units.has(record.unit)),
    findings: itemSummaries(known, [...reviewed, ...tested].flatMap(foundIn)),
  };
}

function spentFor({ records }: KnownSession, name: string): Spent {
  const ledger = new TurnLedger();
  for (const { log, record } of records) ledger.listener(log).onRecord(record);
  return spentIn(ledger.spend.filter(({ milestone }) => milestone === name));
}

function tasksOf(known: KnownSession, name: string): readonly TaskView[] {
  const builder = known.builder;
  const plans = builder.flatMap((record) =>
    record.kind === "plan.adopt" ? record.milestones.filter((one) => one.name === name) : [],
  );
  const ticks = builder.flatMap((record) =>
    record.kind === "build.end" || (record.kind === "plan.adopt" && record.ticks !== undefined)
      ? (record.ticks ?? []).filter(({ m }) => m === name).flatMap(({ tasks }) => tasks)
      : [],
  );
  const ticked = new Set(ticks);
  return (plans.at(-1)?.tasks ?? []).map((text, at) => ({ text, isTicked: ticked.has(at + 1) }));
}

/** The units whose turns count toward the milestone, by their keys. */
function unitsOf(known: KnownSession, name: string): ReadonlySet<string> {
  return new Set(
    known.builder.flatMap((record) =>
      record.kind === "turn.begin" && record.m === name ? [record.unit] : [],
    ),
  );
}

/** An attempt that has begun and not ended on record. */
function openAttempts(known: KnownSession, name: string): readonly RecordedStep[] {
  const builder = known.builder;
  const ended = new Set(
    builder.flatMap((record) => (record.kind === "build.end" ? [record.unit] : [])),
  );
  return known.records.flatMap((entry) => {
    const { record } = entry;
    if (entry.log !== "builder" || record.kind !== "unit.begin" || ended.has(record.unit))
      return [];
    const unit = decodeUnit(record.unit);
    if (unit?.kind !== "build" || unit.milestone !== name) return [];
    return [{ ...stepOf(known, entry), turns: turnsOf(known, "builder", record.unit) }];
  });
}

function madeCommits(known: KnownSession, name: string): readonly MadeCommit[] {
  return known.records.flatMap(({ record }) => {
    const isItsOwn =
      (record.kind === "build.end" || record.kind === "test.end") && record.m === name;
    return isItsOwn ? record.commits.map((sha) => ({ sha, unit: record.unit })) : [];
  });
}

function isReviewOf(
  known: KnownSession,
  record: { readonly unit: string; readonly m?: string | undefined },
  name: string,
  range: EndedMilestone | undefined,
): boolean {
  const unit = decodeUnit(record.unit);
  if (unit?.kind === "review") return unit.milestone === name;
  if (unit?.kind !== "commit" || range === undefined) return false;
  return (
    isInRange(known, unit.last, range) === true ||
    unitCovers(known, record.unit, range.end) === true
  );
}

/** The drain windows that close after the end of a milestone and before that of the next one. */
function windowsOf(known: KnownSession, name: string): readonly LogRecord[] {
  let isAfter = false;
  return known.records.filter(({ log, record }) => {
    if (log !== "builder") return false;
    if (record.kind === "build.end" && record.milestones.length > 0) {
      isAfter = record.milestones.some((one) => one.name === name);
    }
    return isAfter && record.kind === "drain.close";
  });
}
