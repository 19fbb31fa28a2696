import type { Oid } from "../../base/oid.ts";
import { isRole, type LogName } from "../../base/role.ts";
import type { LogRecord } from "../../fs-protocol/home/logs.ts";
import type { LoggedTurn } from "../timeline/turn-list.ts";
import type { BuilderRecord, EndedMilestone } from "../../fs-protocol/records/builder-log.ts";
import { decodeUnit } from "../../fs-protocol/records/unit-key.ts";
import { EMPTY_JUDGE, foldJudge, type JudgeFold } from "../../session/state/fold-judge.ts";

/** What was read of a session. */
export interface RecordedFacts {
  readonly id: string;
  readonly branch: string;
  /** The commit at which the session began. */
  readonly base: Oid;
  /** By time. */
  readonly records: readonly LogRecord[];
  /** Places of the commits of its branch: 1 is the first after the base. Undefined if the branch could not be read. */
  readonly places: ReadonlyMap<Oid, number> | undefined;
  /** The existing files with the output of a turn or command, by its name, relative to the repository. */
  readonly filesOf: (output: string) => readonly string[];
}

/** What is on record of a session, as far as it could be read, and what follows from it. */
export interface KnownSession extends RecordedFacts {
  readonly builder: readonly BuilderRecord[];
  /** The milestones that ended, oldest first. */
  readonly ended: readonly EndedMilestone[];
  /** The folds of those who judge: which items are open. */
  readonly reviewer: JudgeFold;
  readonly tester: JudgeFold;
  /** The turns of each unit by `turnsKey`, and each by the name of its output, which no two turns share. */
  readonly turns: ReadonlyMap<string, ReadonlyMap<string, LoggedTurn>>;
}

/** The key of a unit's turns. */
export function turnsKey(role: LogName, unit: string): string {
  return `${role} ${unit}`;
}

/** Folds what was read of a session. */
export function knownSession(facts: RecordedFacts): KnownSession {
  const { records } = facts;
  const builder = records.flatMap((entry) => (entry.log === "builder" ? [entry.record] : []));
  const reviewer = records.flatMap((entry) => (entry.log === "reviewer" ? [entry.record] : []));
  const tester = records.flatMap((entry) => (entry.log === "tester" ? [entry.record] : []));
  return {
    ...facts,
    builder,
    ended: builder.flatMap((one) => (one.kind === "build.end" ? one.milestones : [])),
    reviewer: reviewer.reduce<JudgeFold>(foldJudge, EMPTY_JUDGE),
    tester: tester.reduce<JudgeFold>(foldJudge, EMPTY_JUDGE),
    turns: turnsIn(records),
  };
}

/** One pass over all records, because a log may have a million. */
function turnsIn(records: readonly LogRecord[]): KnownSession["turns"] {
  const turns = new Map<string, Map<string, LoggedTurn>>();
  for (const { log, record } of records) {
    if (!isRole(log) || (record.kind !== "turn.begin" && record.kind !== "turn.end")) continue;
    const key = turnsKey(log, record.unit);
    const ofUnit = turns.get(key) ?? new Map<string, LoggedTurn>();
    const begun = ofUnit.get(record.output);
    if (record.kind === "turn.begin") {
      ofUnit.set(record.output, { role: log, begin: record, end: undefined });
    } else if (begun !== undefined) ofUnit.set(record.output, { ...begun, end: record });
    turns.set(key, ofUnit);
  }
  return turns;
}

/** Every milestone that a plan or a turn names, in order of appearance. */
export function milestoneNames({ builder }: KnownSession): readonly string[] {
  const names = builder.flatMap((record) => {
    if (record.kind === "plan.adopt") return record.milestones.map(({ name }) => name);
    if (record.kind === "build.end")
      return [record.m, ...record.milestones.map(({ name }) => name)];
    return record.kind === "turn.begin" && record.m !== undefined ? [record.m] : [];
  });
  return [...new Set(names)];
}

/** Whether a commit is after `start` and not after `end`; undefined if the branch does not tell. */
export function isInRange(
  { places, base }: KnownSession,
  sha: Oid,
  { start, end }: { readonly start: Oid; readonly end: Oid },
): boolean | undefined {
  if (sha === end) return true;
  const [at, last] = [places?.get(sha), places?.get(end)];
  const first = start === base ? 0 : places?.get(start);
  if (at === undefined || last === undefined || first === undefined) return undefined;
  return first < at && at <= last;
}

/** Whether the unit of a review or a test is about a range with this commit; undefined if nothing tells. */
export function unitCovers(known: KnownSession, key: string, sha: Oid): boolean | undefined {
  const unit = decodeUnit(key);
  if (unit?.kind === "commit") {
    const { first, last } = unit;
    if (sha === first || sha === last) return true;
    return first === last ? false : isInRange(known, sha, { start: first, end: last });
  }
  if (unit?.kind !== "review" && unit?.kind !== "test") return false;
  const { milestone: name, end } = unit;
  const range = known.ended.find((one) => one.name === name && one.end === end);
  return range === undefined ? end === sha : isInRange(known, sha, range);
}
