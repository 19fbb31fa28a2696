import type { Oid } from "../../src/base/oid.ts";
import type { BuilderRecord } from "../../src/fs-protocol/records/builder-log.ts";
import type { HumanRecord } from "../../src/fs-protocol/records/human-log.ts";
import type { PlannerRecord } from "../../src/fs-protocol/records/planner-log.ts";
import type { Policy } from "../../src/fs-protocol/home/policy.ts";
import { DEFAULT_POLICY } from "../rig/default-policy.ts";
import type { PlanMilestone, MilestoneTicks } from "../../src/fs-protocol/codec/record-fields.ts";
import type { ReviewerRecord } from "../../src/fs-protocol/records/reviewer-log.ts";
import type { SessionState } from "../../src/session/state/session-state.ts";
import type { SupervisorRecord } from "../../src/fs-protocol/records/supervisor-log.ts";
import type { TesterRecord } from "../../src/fs-protocol/records/tester-log.ts";
import { encodeUnit } from "../../src/fs-protocol/records/unit-key.ts";
import { historyOf, type Commit, type History, type RawHistory } from "./history.ts";
import {
  BASE,
  editDigest,
  findingOf,
  milestoneOf,
  NOTHING,
  planDigest,
  shaAt,
  TIME,
} from "./names.ts";

/** Records and sessions written by hand, for tests of one rule in one state. */

type Given = Partial<Omit<RawHistory, "policy" | "base" | "commits">> & {
  readonly policy?: Policy;
  /** The branch's commits, or the number of commits of which nothing is known. */
  readonly commits?: readonly Commit[] | number;
};

/** The history of a session with these records; missing logs are empty. */
export function historyWith(given: Given): History {
  return historyOf({ ...EMPTY, policy: DEFAULT_POLICY, ...given, commits: commitsOf(given) });
}

/** The state by which the roles decide. */
export function stateWith(given: Given): SessionState {
  const { builder, planner, reviewer, tester, human, supervisor, branch } = historyWith(given);
  return {
    policy: given.policy ?? DEFAULT_POLICY,
    builder: builder.fold,
    planner: planner.fold,
    reviewer: reviewer.fold,
    tester: tester.fold,
    human: human.fold,
    supervisor: supervisor.fold,
    branch: branch.fold,
  };
}

const EMPTY = {
  base: BASE,
  builder: [],
  planner: [],
  reviewer: [],
  tester: [],
  human: [],
  supervisor: [],
};

function commitsOf({ commits = 0 }: Given): readonly Commit[] {
  if (typeof commits !== "number") return commits;
  return Array.from({ length: commits }, (_, index) => {
    return { sha: shaAt(index + 1), work: undefined, unit: undefined };
  });
}

/** A commit of the model. */
export function commit(place: number, work: string, unit: string): Commit {
  return { sha: shaAt(place), work, unit };
}

const milestones = (names: readonly string[]): PlanMilestone[] => names.map(milestoneOf);

/** The planner's answers. */
export const plan = {
  /** `follows`: the milestones of the plan in force for which it was made. */
  staged: (
    seq: number,
    names: readonly string[],
    at: { boundary?: number; request?: number; follows?: readonly string[] } = {},
  ) =>
    planEnd(
      seq,
      { boundary: at.boundary ?? 0, request: at.request ?? 0 },
      {
        outcome: "plan",
        plan: planDigest(milestones(names)),
        milestones: milestones(names),
        base: at.follows && planDigest(milestones(at.follows)),
      },
    ),
  keep: (seq: number, boundary: number, request = 0) =>
    planEnd(seq, { boundary, request }, { outcome: "keep" }),
  gaveUp: (seq: number, boundary: number, at = { request: 0, reopens: 0 }) =>
    planEnd(seq, { boundary, request: at.request }, { outcome: "gaveup", reopens: at.reopens }),
  asks: (seq: number, question: string) =>
    planEnd(seq, { boundary: 0, request: 0 }, { outcome: "needs_input", question }),
};

type PlanEnd = Extract<PlannerRecord, { kind: "plan.end" }>;

function planEnd(
  seq: number,
  at: { readonly boundary: number; readonly request: number },
  outcome: Pick<PlanEnd, "outcome"> & Partial<PlanEnd>,
): PlanEnd {
  const unit = encodeUnit({
    kind: "plan",
    boundary: at.boundary,
    request: at.request,
    refusals: 0,
  });
  return { kind: "plan.end", time: TIME, unit, seq, ...at, ...outcome };
}

type BuildEnd = Extract<BuilderRecord, { kind: "build.end" }>;
type FixEnd = Extract<BuilderRecord, { kind: "fix.end" }>;
type Closed = Extract<BuilderRecord, { kind: "drain.close" }>;

/** The builder's records. Commits are named by their place on the branch. */
export const build = {
  adopts: (seq: number, names: readonly string[], request = 0): BuilderRecord => ({
    kind: "plan.adopt",
    time: TIME,
    seq,
    plan: planDigest(milestones(names)),
    request,
    milestones: milestones(names),
  }),
  adoptsEdit: (
    human: number,
    names: readonly string[],
    ticks: MilestoneTicks[] = [],
  ): BuilderRecord => ({
    kind: "plan.adopt",
    time: TIME,
    human,
    plan: editDigest(human),
    request: 0,
    milestones: milestones(names),
    ticks,
  }),
  /** Verify at the base, which names no test where it fails. */
  seesBase: (outcome: "passed" | "failed"): BuilderRecord => ({
    kind: "verify.result",
    time: TIME,
    ...{ at: BASE, tree: BASE, command: NOTHING, setup: NOTHING },
    outcome,
  }),
  endsBase: (
    outcome: "needs_input" | "accepted" | "judged",
    names: { readonly question?: string; readonly by?: string } = {},
  ): BuilderRecord => ({
    kind: "base.end",
    time: TIME,
    unit: encodeUnit({ kind: "base", at: BASE }),
    at: BASE,
    outcome,
    ...names,
  }),
  begins: (unit: string): BuilderRecord => ({ kind: "unit.begin", time: TIME, unit }),
  intends: (unit: string, places: readonly number[]): BuilderRecord => ({
    kind: "push.intent",
    time: TIME,
    unit,
    shas: places.map(shaAt),
    ticks: [],
    splits: [],
  }),
  ends: (m: string, from: number, to: number, attempt = 1): BuildEnd => ({
    ...buildEnd(m, "milestone", attempt),
    ticks: [{ m, tasks: milestoneOf(m).tasks.map((_, index) => index + 1) }],
    commits: Array.from({ length: to - from }, (_, index) => shaAt(from + index + 1)),
    milestones: [{ name: m, start: from === 0 ? BASE : shaAt(from), end: shaAt(to) }],
  }),
  ticks: (m: string, tasks: number[]): BuildEnd => ({
    ...buildEnd(m, "partial", 1),
    ticks: [{ m, tasks }],
  }),
  idles: (m: string, attempt: number): BuildEnd => buildEnd(m, "noprogress", attempt),
  closes: (
    cause: Closed["cause"],
    fix: string[] = [],
    batches: readonly (readonly string[])[] = [],
  ): BuilderRecord => ({
    kind: "drain.close",
    time: TIME,
    cause,
    waiting: [],
    fix,
    ...(batches.length > 0 && { batches: batches.map((batch) => batch.join("+")) }),
  }),
  fixes: (id: string, attempt: number, end: FixOutcome): BuilderRecord =>
    fixEnd([id], attempt, end),
  fixesBatch: (ids: readonly string[], attempt: number, end: FixOutcome): BuilderRecord =>
    fixEnd(ids, attempt, end),
  opensFinal: (n: number): BuilderRecord => ({ kind: "final.open", time: TIME, n, at: BASE }),
  halts: (): BuilderRecord => ({
    kind: "halt",
    time: TIME,
    reason: "no-progress",
    explanation: NOTHING,
  }),
  isDone: (
    how: "complete" | "stuck",
    place: number,
    rest: { readonly human?: number; readonly failed?: ("planner" | "tester")[] } = {},
  ): BuilderRecord => ({
    kind: "done",
    time: TIME,
    how,
    head: place === 0 ? BASE : shaAt(place),
    open: [],
    gaveup: [],
    failed: rest.failed ?? [],
    human: rest.human ?? 0,
    reason: NOTHING,
  }),
  reopens: (human: number): BuilderRecord => ({ kind: "reopen", time: TIME, human, by: NOTHING }),
};

type FixOutcome = Pick<FixEnd, "outcome" | "sha">;

function fixEnd(ids: readonly string[], attempt: number, end: FixOutcome): FixEnd {
  const [id = "", ...others] = ids;
  const also = others.map((other) => ({ id: other, brief: NOTHING }));
  return {
    kind: "fix.end",
    time: TIME,
    unit: encodeUnit({ kind: "fix", ids, attempt }),
    id,
    ...(also.length > 0 && { also }),
    attempt,
    ...end,
    by: NOTHING,
    brief: NOTHING,
    files: [],
  };
}

function buildEnd(m: string, outcome: BuildEnd["outcome"], attempt: number): BuildEnd {
  const unit = encodeUnit({ kind: "build", milestone: m, attempt });
  return {
    kind: "build.end",
    time: TIME,
    unit,
    m,
    outcome,
    ticks: [],
    commits: [],
    milestones: [],
  };
}

type Verdict = Extract<ReviewerRecord, { kind: "verify.end" }>;

/** The opener's verdict on a fix. */
export function verdict(id: string, attempt: number, sha: Oid, said: Verdict["verdict"]): Verdict {
  const unit = encodeUnit({ kind: "verify", id, sha, attempt });
  return { kind: "verify.end", time: TIME, unit, id, attempt, sha, verdict: said };
}

/** The reviewer's records. */
export const review = {
  commit: (place: number, ids: readonly string[] = []): ReviewerRecord => ({
    kind: "review.end",
    time: TIME,
    unit: encodeUnit({ kind: "commit", first: shaAt(place), last: shaAt(place) }),
    checkpoint: shaAt(place),
    outcome: "reviewed",
    findings: ids.map(findingOf),
  }),
  milestone: (m: string, end: number, ids: readonly string[] = []): ReviewerRecord => ({
    kind: "review.end",
    time: TIME,
    unit: encodeUnit({ kind: "review", milestone: m, end: shaAt(end) }),
    m,
    outcome: "reviewed",
    findings: ids.map(findingOf),
  }),
  /** Of a milestone and its commits. */
  together: (m: string, end: number, ids: readonly string[] = []): ReviewerRecord => ({
    kind: "review.end",
    time: TIME,
    unit: encodeUnit({ kind: "review", milestone: m, end: shaAt(end) }),
    checkpoint: shaAt(end),
    m,
    outcome: "reviewed",
    findings: ids.map(findingOf),
  }),
  adoptsAdded: (human: number, id: string): ReviewerRecord => ({
    kind: "adopt.end",
    time: TIME,
    human,
    finding: findingOf(id),
  }),
};

/** The tester's records. */
export const tests = {
  begins: (unit: string): TesterRecord => ({ kind: "unit.begin", time: TIME, unit }),
  milestone: (m: string, end: number, ids: readonly string[] = []): TesterRecord => ({
    kind: "test.end",
    time: TIME,
    unit: encodeUnit({ kind: "test", milestone: m, end: shaAt(end) }),
    m,
    outcome: "tested",
    bugs: ids.map(findingOf),
    commits: [],
  }),
  final: (n: number, place: number, outcome: "tested" | "gaveup" = "tested"): TesterRecord => ({
    kind: "final.end",
    time: TIME,
    unit: encodeUnit({ kind: "final", n }),
    n,
    at: shaAt(place),
    outcome,
    bugs: [],
    commits: [],
    verify: outcome === "tested" ? "nosuite" : undefined,
  }),
};

/** A person's records. */
export const person = {
  updates: (v: number): HumanRecord => ({ kind: "update", time: TIME, v, sha256: NOTHING }),
  approves: (): HumanRecord => ({ kind: "approve", time: TIME }),
  stops: (): HumanRecord => ({ kind: "stop", time: TIME }),
  pauses: (): HumanRecord => ({ kind: "pause", time: TIME }),
  resumes: (): HumanRecord => ({ kind: "resume", time: TIME }),
  answers: (question: string, text = NOTHING): HumanRecord => ({
    kind: "answer",
    time: TIME,
    question,
    text,
  }),
  /** Of a plan for the first request; `ticks` as the person left the boxes. */
  edits: (index: number, names: readonly string[], ticks: MilestoneTicks[] = []): HumanRecord => ({
    kind: "edit",
    time: TIME,
    plan: editDigest(index),
    request: 0,
    milestones: milestones(names),
    ticks,
    cleared: [],
  }),
  adds: (id: string): HumanRecord => ({ kind: "add", time: TIME, finding: findingOf(id) }),
};

/** The supervisor's records about a role. */
export const supervisor = {
  fails: (role: "planner" | "tester"): SupervisorRecord => ({
    kind: "role.failed",
    time: TIME,
    role,
    reason: NOTHING,
  }),
};
