import type { Oid } from "../../src/base/oid.ts";
import type { BuilderRecord } from "../../src/fs-protocol/records/builder-log.ts";
import { EMPTY_BUILDER, type BuilderFold } from "../../src/session/state/builder-state.ts";
import { foldBuilder } from "../../src/session/state/fold-builder.ts";
import { EMPTY_HUMAN, foldHuman, type HumanFold } from "../../src/session/state/fold-human.ts";
import { EMPTY_JUDGE, foldJudge, type JudgeFold } from "../../src/session/state/fold-judge.ts";
import {
  EMPTY_PLANNER,
  foldPlanner,
  type PlannerFold,
} from "../../src/session/state/fold-planner.ts";
import {
  EMPTY_SUPERVISOR,
  foldSupervisor,
  type SupervisorFold,
} from "../../src/session/state/fold-supervisor.ts";
import type { HumanRecord } from "../../src/fs-protocol/records/human-log.ts";
import type { PlannerRecord } from "../../src/fs-protocol/records/planner-log.ts";
import type { Policy } from "../../src/fs-protocol/home/policy.ts";
import type { ReviewerRecord } from "../../src/fs-protocol/records/reviewer-log.ts";
import { branchOf, type Branch } from "../../src/session/state/session-state.ts";
import type { SupervisorRecord } from "../../src/fs-protocol/records/supervisor-log.ts";
import type { TesterRecord } from "../../src/fs-protocol/records/tester-log.ts";
import { BASE_TESTS, RED_VERIFY, worksIn } from "./names.ts";

/** One writer's records, and their shipped fold. */
export interface WrittenLog<R, F> {
  readonly records: readonly R[];
  readonly fold: F;
}

/** A commit of the session branch. */
export interface Commit {
  readonly sha: Oid;
  /** What it does, if known: twice the same would be work done twice (I4). */
  readonly work: string | undefined;
  /** The unit that published it, if known (I14). */
  readonly unit: string | undefined;
  /** Verify is red from this commit until a fix. */
  readonly isRed?: true | undefined;
  /** Tests of the session's base fail from this commit until a fix, although verify is green. */
  readonly isBent?: true | undefined;
  /** The number of ends that were recorded before a person pushed it, if any. */
  readonly afterEnds?: number | undefined;
}

/** How often a session has ended: each end but the one in force was followed by a reopening. */
export function endsIn({ reopens, stage }: BuilderFold): number {
  return stage.kind === "done" ? reopens + 1 : reopens;
}

/** Everything that a session has recorded: the subject of the invariants. */
export interface History {
  readonly builder: WrittenLog<BuilderRecord, BuilderFold>;
  readonly planner: WrittenLog<PlannerRecord, PlannerFold>;
  readonly reviewer: WrittenLog<ReviewerRecord, JudgeFold>;
  readonly tester: WrittenLog<TesterRecord, JudgeFold>;
  readonly human: WrittenLog<HumanRecord, HumanFold>;
  readonly supervisor: WrittenLog<SupervisorRecord, SupervisorFold>;
  readonly branch: WrittenLog<Commit, Branch>;
}

/** Whether verify is red at a commit (default: HEAD): a commit made it red, and no fix has made it green since. */
export function isRedAt(
  { records }: Pick<History["branch"], "records">,
  sha: Oid | undefined,
): boolean {
  const seen = upTo(records, sha);
  const decided = seen.findLast(
    ({ isRed, work: done }) => isRed === true || fixes(done, RED_VERIFY),
  );
  return decided?.isRed === true;
}

/** Whether tests of the session's base fail at a commit (default: HEAD), in the same way. */
export function isBentAt(
  { records }: Pick<History["branch"], "records">,
  sha: Oid | undefined,
): boolean {
  const seen = upTo(records, sha);
  const decided = seen.findLast(
    ({ isBent, work: done }) => isBent === true || fixes(done, BASE_TESTS),
  );
  return decided?.isBent === true;
}

function upTo(records: readonly Commit[], sha: Oid | undefined): readonly Commit[] {
  const last = records.findIndex((commit) => commit.sha === sha);
  return last === -1 ? records : records.slice(0, last + 1);
}

function fixes(done: string | undefined, bug: string): boolean {
  return done !== undefined && worksIn(done).some((one) => one.startsWith(`fix:${bug}:`));
}

/** The records of a session and its branch, as a test reads them. */
export interface RawHistory {
  readonly policy: Policy;
  readonly base: Oid;
  readonly builder: readonly BuilderRecord[];
  readonly planner: readonly PlannerRecord[];
  readonly reviewer: readonly ReviewerRecord[];
  readonly tester: readonly TesterRecord[];
  readonly human: readonly HumanRecord[];
  readonly supervisor: readonly SupervisorRecord[];
  /** After `base`, oldest first. */
  readonly commits: readonly Commit[];
}

/**
 * The commits of a session's branch, oldest first, each with the unit whose intent names it. The test adds what a
 * commit does (from its content, or a line in its message).
 */
export function publishedCommits(
  shas: readonly Oid[],
  records: readonly (BuilderRecord | TesterRecord)[],
  workOf: (sha: Oid) => string | undefined = () => undefined,
): readonly Commit[] {
  const units = new Map<Oid, string>();
  for (const record of records) {
    if (record.kind !== "push.intent") continue;
    for (const sha of record.shas) units.set(sha, record.unit);
  }
  return shas.map((sha) => ({ sha, work: workOf(sha), unit: units.get(sha) }));
}

/** Folds the records of a session. */
export function historyOf(raw: RawHistory): History {
  const shas = raw.commits.map(({ sha }) => sha);
  return {
    builder: foldLog(raw.builder, EMPTY_BUILDER, (fold, record) =>
      foldBuilder(fold, record, raw.policy),
    ),
    planner: foldLog(raw.planner, EMPTY_PLANNER, foldPlanner),
    reviewer: foldLog<ReviewerRecord, JudgeFold>(raw.reviewer, EMPTY_JUDGE, foldJudge),
    tester: foldLog<TesterRecord, JudgeFold>(raw.tester, EMPTY_JUDGE, foldJudge),
    human: foldLog(raw.human, EMPTY_HUMAN, foldHuman),
    supervisor: foldLog(raw.supervisor, EMPTY_SUPERVISOR, foldSupervisor),
    branch: { records: raw.commits, fold: branchOf(raw.base, shas.at(-1) ?? raw.base, shas) },
  };
}

function foldLog<R, F>(
  records: readonly R[],
  empty: F,
  reduce: (fold: F, record: R) => F,
): WrittenLog<R, F> {
  return { records, fold: records.reduce(reduce, empty) };
}
