import type { Oid } from "../../src/base/oid.ts";
import type { BuilderRecord } from "../../src/fs-protocol/records/builder-log.ts";
import type { Finding } from "../../src/fs-protocol/records/finding.ts";
import type { HumanRecord } from "../../src/fs-protocol/records/human-log.ts";
import type { PlannerRecord } from "../../src/fs-protocol/records/planner-log.ts";
import type { ReviewerRecord } from "../../src/fs-protocol/records/reviewer-log.ts";
import type { TesterRecord } from "../../src/fs-protocol/records/tester-log.ts";

/** Minute `n` of an hour: the time of a record. */
export function timeAt(minute: number): string {
  return `2026-11-20T12:${String(minute).padStart(2, "0")}:00.000Z`;
}

/** The n-th commit. */
export function sha(n: number): Oid {
  return n.toString(16).padStart(40, "0");
}

type Of<R, K> = Extract<R, { readonly kind: K }>;

/** Defaults for the fields of a record that do not matter to a test. */
type Some<R, K, D extends keyof Of<R, K>> = Omit<Of<R, K>, "kind" | "time" | D> &
  Partial<Pick<Of<R, K>, D | ("time" & keyof Of<R, K>)>>;

const time = timeAt(0);

/** Records of builder.log. */
export const builder = {
  begin: (unit: string, base: Oid = sha(0)): BuilderRecord => ({
    kind: "unit.begin",
    time,
    unit,
    base,
  }),
  adopt: (
    milestones: Readonly<Record<string, readonly string[]>>,
    fields: Partial<Of<BuilderRecord, "plan.adopt">> = {},
  ): BuilderRecord => ({
    kind: "plan.adopt",
    time,
    seq: 0,
    plan: "p0",
    request: 0,
    milestones: Object.entries(milestones).map(([name, tasks]) => ({ name, tasks: [...tasks] })),
    ...fields,
  }),
  refuse: (seq: number, reason = "it drops A"): BuilderRecord => ({
    kind: "plan.refuse",
    time,
    seq,
    plan: `p${String(seq)}`,
    reason,
  }),
  intent: (unit: string, shas: readonly Oid[]): BuilderRecord => ({
    kind: "push.intent",
    time,
    unit,
    shas: [...shas],
    ticks: [],
    splits: [],
  }),
  build: (
    fields: Some<BuilderRecord, "build.end", "unit" | "ticks" | "commits" | "milestones">,
  ): BuilderRecord => ({
    kind: "build.end",
    time,
    unit: `build:${fields.m}:1`,
    ticks: [],
    commits: [],
    milestones: [],
    ...fields,
  }),
  /** Each of `batches` is a list of ids joined by `+`. */
  close: (
    cause: Of<BuilderRecord, "drain.close">["cause"],
    fix: string[] = [],
    batches?: string[],
  ): BuilderRecord => ({
    kind: "drain.close",
    time,
    cause,
    waiting: [],
    fix,
    ...(batches && { batches }),
  }),
  fix: (
    fields: Some<BuilderRecord, "fix.end", "unit" | "by" | "brief" | "files">,
  ): BuilderRecord => ({
    kind: "fix.end",
    time,
    unit: `fix:${fields.id}:${String(fields.attempt)}`,
    by: "correctness",
    brief: "It is wrong",
    files: [],
    ...fields,
  }),
  final: (n: number, at: Oid = sha(9)): BuilderRecord => ({ kind: "final.open", time, n, at }),
  halt: (reason = "no progress"): BuilderRecord => ({
    kind: "halt",
    time,
    reason,
    explanation: "See the log.",
  }),
  done: (
    how: "complete" | "stuck",
    fields: Partial<Of<BuilderRecord, "done">> = {},
  ): BuilderRecord => ({
    kind: "done",
    time,
    how,
    head: sha(9),
    open: [],
    gaveup: [],
    failed: [],
    human: 0,
    reason: "-",
    ...fields,
  }),
  reopen: (human: number, at = time): BuilderRecord => ({
    kind: "reopen",
    time: at,
    human,
    by: "human.log",
  }),
};

/** A finding or bug; blocking. */
export function finding(id: string, fields: Partial<Finding> = {}): Finding {
  return {
    id,
    level: "blocking",
    reviewer: id.startsWith("BUG-") ? "tester" : "correctness",
    category: "Correctness",
    brief: "It is wrong",
    issue: "It is wrong.",
    suggestion: "Make it right.",
    ...fields,
  };
}

/** Records of reviewer.log. */
export const reviewer = {
  commit: (n: number, fields: Partial<Of<ReviewerRecord, "review.end">> = {}): ReviewerRecord => ({
    kind: "review.end",
    time,
    unit: `commit:${sha(n)}`,
    checkpoint: sha(n),
    outcome: "reviewed",
    findings: [],
    ...fields,
  }),
  milestone: (
    m: string,
    fields: Partial<Of<ReviewerRecord, "review.end">> = {},
  ): ReviewerRecord => ({
    kind: "review.end",
    time,
    unit: `review:${m}:${sha(9)}`,
    m,
    outcome: "reviewed",
    findings: [],
    ...fields,
  }),
  verify: (
    id: string,
    verdict: Of<ReviewerRecord, "verify.end">["verdict"],
    fields: Partial<Of<ReviewerRecord, "verify.end">> = {},
  ): Of<ReviewerRecord, "verify.end"> => ({
    kind: "verify.end",
    time,
    unit: `verify:${id}:${sha(9)}:1`,
    id,
    attempt: 1,
    sha: sha(9),
    verdict,
    ...fields,
  }),
  adopt: (
    human: number,
    what: { readonly finding: Finding } | { readonly dismiss: string },
  ): ReviewerRecord => ({ kind: "adopt.end", time, human, ...what }),
};

/** Records of tester.log. */
export const tester = {
  adopt: (human: number, dismiss: string, why?: string): TesterRecord => ({
    kind: "adopt.end",
    time,
    human,
    dismiss,
    why,
  }),
  test: (m: string, fields: Partial<Of<TesterRecord, "test.end">> = {}): TesterRecord => ({
    kind: "test.end",
    time,
    unit: `test:${m}:${sha(9)}`,
    m,
    outcome: "tested",
    bugs: [],
    commits: [],
    ...fields,
  }),
  final: (n: number, fields: Partial<Of<TesterRecord, "final.end">> = {}): TesterRecord => ({
    kind: "final.end",
    time,
    unit: `final:${String(n)}`,
    n,
    at: sha(9),
    outcome: "tested",
    bugs: [],
    commits: [],
    ...fields,
  }),
  verify: reviewer.verify,
};

/** Records of planner.log. */
export const planner = {
  end: (fields: Some<PlannerRecord, "plan.end", "unit" | "request">): PlannerRecord => ({
    kind: "plan.end",
    time,
    unit: `plan:b${String(fields.boundary)}:r0`,
    request: 0,
    ...fields,
  }),
};

/** Records of human.log. */
export const human = {
  update: (v: number): HumanRecord => ({ kind: "update", time, v, sha256: "0".repeat(64) }),
  answer: (question: string, text = "yes"): HumanRecord => ({
    kind: "answer",
    time,
    question,
    text,
  }),
  add: (item: Finding): HumanRecord => ({ kind: "add", time, finding: item }),
  dismiss: (id: string): HumanRecord => ({ kind: "dismiss", time, id, why: "not a defect" }),
  say: (kind: "pause" | "resume" | "stop" | "approve"): HumanRecord => ({ kind, time }),
};
