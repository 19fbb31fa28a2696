import type { Oid } from "../../base/oid.ts";
import type { LogRecord } from "../../fs-protocol/home/logs.ts";
import type { MilestoneTicks } from "../../fs-protocol/codec/record-fields.ts";
import { fixedIds } from "../../session/state/fold-builder.ts";
import { itemsNamedIn, foundIn, itemSummaries, type ItemSummary } from "./item-story.ts";
import { isInRange, unitCovers, type KnownSession } from "./known-session.ts";
import { stepOf, stepsWhere, turnsOf, type RecordedStep, type TurnOnRecord } from "./step.ts";

/** A box of the plan that a turn ticked. */
export interface TickView {
  readonly milestone: string;
  /** From 1. */
  readonly task: number;
  /** Null if the plan is not on record. */
  readonly text: string | null;
}

/** The unit of work that made a commit. */
export interface Making {
  readonly role: "builder" | "tester";
  readonly unit: string;
  readonly turns: readonly TurnOnRecord[];
  /** How the unit ended; null if that is not on record. */
  readonly end: RecordedStep | null;
  /** Every commit of the unit, this one included. */
  readonly commits: readonly Oid[];
  /** What the unit ticked, all its commits together. */
  readonly ticks: readonly TickView[];
  /** The findings or the bug that it fixed. */
  readonly fixes: readonly ItemSummary[];
}

/** What a session's records say of a commit. */
export interface CommitStory {
  readonly sha: Oid;
  /** Whether the session began at it. */
  readonly isBase: boolean;
  /** Whether the session's branch has it after its base; null if the branch could not be read. */
  readonly isOnBranch: boolean | null;
  /** Null if no turn of the session made it. */
  readonly making: Making | null;
  /** The milestone that it was made for or, without a making, in whose range it is. */
  readonly milestone: string | null;
  readonly reviews: readonly RecordedStep[];
  /** Runs of verify and of tests at this very commit. */
  readonly verifies: readonly RecordedStep[];
  /** If verify did not run at it: the next run at a later commit. */
  readonly nextVerify: RecordedStep | null;
  /** Tests of its milestone, and the first final pass that had it. */
  readonly tests: readonly RecordedStep[];
  readonly findings: readonly ItemSummary[];
  /** How many more findings the same reviews and tests opened, in files that it does not change. */
  readonly otherFindings: number;
}

/**
 * What the records say of a commit.
 *
 * @param files the paths that it changes; undefined if git does not have it
 */
export function commitStory(
  known: KnownSession,
  sha: Oid,
  files: readonly string[] | undefined,
): CommitStory {
  const making = makingOf(known, sha);
  const milestone = milestoneOf(known, sha, making);
  const reviewed = known.records.filter((entry) => isReview(known, entry, { sha, milestone }));
  const tested = known.records.filter((entry) => isTest(known, entry, { sha, milestone }));
  const verifies = stepsWhere(known, ({ record }) => isRunAt(record, sha));
  const isVerified = known.records.some(({ record }) => isVerifyAt(record, sha));
  const final = known.records.find((entry) => isFinalWith(known, entry, sha));
  const found = [...reviewed, ...tested].flatMap((entry) =>
    foundIn(entry).map((finding) => ({ finding, isOnlyHere: isOfOne(entry, sha) })),
  );
  const isHere = ({ finding, isOnlyHere }: (typeof found)[number]) =>
    isOnlyHere || files === undefined || finding.file === undefined || files.includes(finding.file);
  const here = found.filter(isHere).map(({ finding }) => finding);
  return {
    sha,
    isBase: sha === known.base,
    isOnBranch: known.places === undefined ? null : known.places.has(sha),
    making: making ?? null,
    milestone: milestone ?? null,
    reviews: stepsWhere(known, (entry) => reviewed.includes(entry) || isRecheck(entry, sha)),
    verifies,
    nextVerify: isVerified ? null : (nextVerify(known, sha) ?? null),
    tests: [...tested, ...(final === undefined ? [] : [final])].map((entry) =>
      stepOf(known, entry),
    ),
    findings: itemSummaries(known, here),
    otherFindings: new Set(found.filter((one) => !isHere(one)).map(({ finding }) => finding.id))
      .size,
  };
}

/** Whether a turn of the session made a commit. */
export function isMadeIn(known: KnownSession, sha: Oid): boolean {
  return makingOf(known, sha) !== undefined;
}

/** A unit that made the commit by its end or, if that is not on record, that announced it before it was published. */
function makingOf(known: KnownSession, sha: Oid): Making | undefined {
  const end = known.records.find((entry) => commitsOf(entry).includes(sha));
  const announced = known.records.findLast(
    ({ record }) => record.kind === "push.intent" && record.shas.includes(sha),
  );
  const made = end ?? announced;
  const role = made?.log;
  if (made === undefined || (role !== "builder" && role !== "tester")) return undefined;
  const { record } = made;
  if (!("unit" in record) || record.unit === undefined) return undefined;
  const { unit } = record;
  const ended = end ?? known.records.find((entry) => isEndOf(entry, role, unit));
  return {
    role,
    unit,
    turns: turnsOf(known, role, unit),
    end: ended === undefined ? null : { ...stepOf(known, ended), turns: [] },
    commits: announced?.record.kind === "push.intent" ? announced.record.shas : commitsOf(made),
    ticks: ticksOf(known, ended ?? made),
    fixes: fixesOf(known, ended),
  };
}

function isEndOf({ log, record }: LogRecord, role: string, unit: string): boolean {
  const isEnd = record.kind.endsWith(".end") && record.kind !== "turn.end";
  return log === role && isEnd && "unit" in record && record.unit === unit;
}

/** The commits that the end of a unit names as its own. */
function commitsOf({ record }: LogRecord): readonly Oid[] {
  switch (record.kind) {
    case "build.end":
    case "test.end":
    case "final.end":
      return record.commits;
    case "fix.end":
      return record.outcome === "fixed" && record.sha !== undefined ? [record.sha] : [];
    default:
      return [];
  }
}

function ticksOf(known: KnownSession, { record }: LogRecord): readonly TickView[] {
  const ticks: readonly MilestoneTicks[] =
    record.kind === "build.end" || (record.kind === "push.intent" && "ticks" in record)
      ? record.ticks
      : [];
  const plans = known.builder.flatMap((one) =>
    one.kind === "plan.adopt" && one.time <= record.time ? [one.milestones] : [],
  );
  return ticks.flatMap(({ m, tasks }) => {
    const plan = plans.at(-1)?.find(({ name }) => name === m);
    return tasks.map((task) => ({ milestone: m, task, text: plan?.tasks[task - 1] ?? null }));
  });
}

function fixesOf(known: KnownSession, end: LogRecord | undefined): readonly ItemSummary[] {
  if (end?.record.kind !== "fix.end") return [];
  const items = itemsNamedIn(known);
  return itemSummaries(
    known,
    fixedIds(end.record).flatMap((id) => items.get(id) ?? []),
  );
}

function milestoneOf(
  known: KnownSession,
  sha: Oid,
  making: Making | undefined,
): string | undefined {
  const named = known.records.flatMap(({ record }) => {
    if (!("unit" in record) || record.unit !== making?.unit || making === undefined) return [];
    return "m" in record && record.m !== undefined ? [record.m] : [];
  });
  const [first] = named;
  return first ?? known.ended.find((range) => isInRange(known, sha, range))?.name;
}

/** A commit, and the milestone that it is part of. */
interface Subject {
  readonly sha: Oid;
  readonly milestone: string | undefined;
}

/** Without the branch, a milestone's review covers the commits that were made for it. */
function isAbout(
  known: KnownSession,
  record: { readonly unit: string; readonly m?: string | undefined },
  { sha, milestone }: Subject,
): boolean {
  const covers = unitCovers(known, record.unit, sha);
  return covers ?? (milestone !== undefined && record.m === milestone);
}

function isReview(known: KnownSession, { record }: LogRecord, subject: Subject): boolean {
  return record.kind === "review.end" && isAbout(known, record, subject);
}

function isTest(known: KnownSession, { record }: LogRecord, subject: Subject): boolean {
  return record.kind === "test.end" && isAbout(known, record, subject);
}

function isRecheck({ record }: LogRecord, sha: Oid): boolean {
  return record.kind === "verify.end" && record.sha === sha && record.of !== "nochange";
}

function isOfOne({ record }: LogRecord, sha: Oid): boolean {
  return (
    record.kind === "review.end" &&
    record.unit.startsWith(`commit:${sha}`) &&
    !record.unit.includes("..")
  );
}

function isRunAt(record: LogRecord["record"], sha: Oid): boolean {
  return (record.kind === "verify.result" || record.kind === "command.result") && record.at === sha;
}

function isVerifyAt(record: LogRecord["record"], sha: Oid): boolean {
  if (record.kind !== "verify.result" && record.kind !== "command.result") return false;
  return (
    record.at === sha &&
    (record.kind === "verify.result" || ("of" in record && record.of === "verify"))
  );
}

function nextVerify(known: KnownSession, sha: Oid): RecordedStep | undefined {
  const place = known.places?.get(sha);
  if (place === undefined) return undefined;
  const next = known.records.find(
    ({ record }) => record.kind === "verify.result" && (known.places?.get(record.at) ?? 0) > place,
  );
  return next && stepOf(known, next);
}

function isFinalWith(known: KnownSession, { record }: LogRecord, sha: Oid): boolean {
  if (record.kind !== "final.end") return false;
  const place = known.places?.get(sha);
  return record.at === sha || (place !== undefined && (known.places?.get(record.at) ?? 0) >= place);
}
