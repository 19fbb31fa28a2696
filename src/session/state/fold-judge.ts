import { present } from "../../base/assert.ts";
import { STALE_FIXES_MAX } from "../../base/limits.ts";
import type { Oid } from "../../base/oid.ts";
import type { BaseTests } from "../../fs-protocol/records/base-tests.ts";
import { ranKey, type RanCommand } from "../../fs-protocol/records/command-result.ts";
import type { Finding } from "../../fs-protocol/records/finding.ts";
import { gaveUpKey, gaveUpOf, withGaveUp, type GaveUpUnits } from "./gave-up.ts";
import { withLook, type AllAloneLooks } from "../../fs-protocol/records/alone-looks.ts";
import { foldOpenUnit, questionOf, type OpenUnit, type Question } from "./open-unit.ts";
import { withOrigins, withOwn, type BugOrigin, type OwnCommits } from "./own-commits.ts";
import type { ReviewerRecord } from "../../fs-protocol/records/reviewer-log.ts";
import type { FinalVerify } from "../../fs-protocol/records/final-verify.ts";
import { withoutPublished, withUnpublished, type UnpublishedTests } from "./unpublished-tests.ts";
import type { TesterRecord } from "../../fs-protocol/records/tester-log.ts";

/** How the role that opened the item judged a fix. */
export type FixJudgement = "closed" | "reopened" | "gaveup";

/** An item that was reopened because its fix left the lines in question unchanged. */
export interface Stale {
  /** Number of consecutive such verdicts. */
  readonly count: number;
  /** Session reopens that its opener had seen; a later one grants fresh attempts. */
  readonly atReopens: number;
}

export interface TestIntent {
  readonly shas: readonly Oid[];
}

/**
 * The fold of `reviewer.log` or `tester.log`: both judge the work, so both have the same shape.
 * Only a reviewer has a checkpoint and adopts findings that people add; only a tester has final
 * passes. Each adopts what a person dismisses of its own items.
 */
export interface JudgeFold {
  readonly checkpoint: Oid | undefined;
  /** For a tester: all commits that the ends of its units name. */
  readonly own: OwnCommits | undefined;
  /** Milestones whose review or test has ended. */
  readonly answered: ReadonlySet<string>;
  readonly items: ReadonlyMap<string, Finding>;
  readonly open: ReadonlySet<string>;
  /** Of a tester's bugs, by id. */
  readonly origins: ReadonlyMap<string, BugOrigin>;
  readonly dismissed: ReadonlySet<string>;
  /** By `judgedKey`. */
  readonly judged: ReadonlyMap<string, FixJudgement>;
  /** Why a fix was not accepted, by item id; included in the prompt of the next attempt. */
  readonly refusals: ReadonlyMap<string, string>;
  /** Items whose fixes left the lines in question unchanged, by item id. */
  readonly stale: ReadonlyMap<string, Stale>;
  readonly gaveUp: GaveUpUnits;
  readonly finalDone: number;
  readonly finalAt: Oid | undefined;
  /** Result of verify at `finalAt`; undefined if verify did not run there. */
  readonly finalVerify: FinalVerify | undefined;
  /** Tests of the session's base that failed at `finalAt`. */
  readonly finalBaseTests: readonly BaseTests[];
  readonly finalGaveUp: boolean;
  /** How the last attempt failed, if the final pass gave up. */
  readonly finalReason: string | undefined;
  /** A tester's unpublished tests by unit, until they are published or a bug refers to them. */
  readonly unpublished: ReadonlyMap<string, UnpublishedTests>;
  /** One past the last human.log record that was adopted. */
  readonly human: number;
  readonly questions: readonly Question[];
  readonly openUnit: OpenUnit<TestIntent> | undefined;
  readonly lastEndMs: number;
  /** Results of the role's own commands, by `ranKey`; the last result counts. */
  readonly ran: ReadonlyMap<string, RanCommand>;
  /** The role's looks at single tests. */
  readonly alone: AllAloneLooks;
}

const NO_BASE_TESTS: readonly BaseTests[] = [];

export const EMPTY_JUDGE: JudgeFold = {
  checkpoint: undefined,
  own: undefined,
  answered: new Set(),
  items: new Map(),
  open: new Set(),
  origins: new Map(),
  dismissed: new Set(),
  judged: new Map(),
  refusals: new Map(),
  stale: new Map(),
  gaveUp: new Map(),
  finalDone: 0,
  finalAt: undefined,
  finalVerify: undefined,
  finalBaseTests: NO_BASE_TESTS,
  finalGaveUp: false,
  finalReason: undefined,
  unpublished: new Map(),
  human: 0,
  questions: [],
  openUnit: undefined,
  lastEndMs: 0,
  ran: new Map(),
  alone: new Map(),
};

type JudgeRecord = ReviewerRecord | TesterRecord;
type RecordOf<K extends JudgeRecord["kind"]> = Extract<JudgeRecord, { readonly kind: K }>;

/** Returns the key under which the verdict on an attempt is stored. */
export function judgedKey(id: string, attempt: number): string {
  return `${id}:${String(attempt)}`;
}

/** Applies one record of `reviewer.log` or `tester.log`. */
export function foldJudge(fold: JudgeFold, record: JudgeRecord): JudgeFold {
  switch (record.kind) {
    case "review.end":
      return isQuestion(record.outcome)
        ? withQuestion(fold, record)
        : endReview(ended(fold, record), record);
    case "test.end":
      return isQuestion(record.outcome)
        ? withQuestion(fold, record)
        : endTest(ended(fold, record), record);
    case "final.end":
      return isQuestion(record.outcome)
        ? withQuestion(fold, record)
        : endFinal(ended(fold, record), record);
    case "verify.end":
      return isQuestion(record.verdict)
        ? withQuestion(fold, record)
        : endVerify(ended(fold, record), record);
    case "adopt.end":
      return adoptHuman(fold, record);
    case "push.intent":
      return intend(fold, record);
    case "note":
      return {
        ...fold,
        unpublished: withUnpublished(fold.unpublished, fold.openUnit?.unit, record),
      };
    case "command.result":
      return { ...fold, ran: new Map(fold.ran).set(ranKey(record), record) };
    case "look":
      return { ...fold, alone: withLook(fold.alone, record) };
    default: {
      const openUnit = foldOpenUnit(fold.openUnit, record);
      return openUnit === fold.openUnit ? fold : { ...fold, openUnit };
    }
  }
}

function isQuestion(outcome: string): boolean {
  return outcome === "needs_input" || outcome === "blocked";
}

function ended(fold: JudgeFold, record: { readonly time: string }): JudgeFold {
  return { ...fold, openUnit: undefined, lastEndMs: Date.parse(record.time) };
}

interface Asking {
  readonly time: string;
  readonly unit: string;
  readonly question?: string | undefined;
  readonly ask?: string | undefined;
  readonly outcome?: string | undefined;
  readonly verdict?: string | undefined;
}

function withQuestion(fold: JudgeFold, record: Asking): JudgeFold {
  const id = present(record.question, "a question has an id");
  const question = questionOf(record, { id, outcome: record.outcome ?? record.verdict ?? "" });
  return { ...ended(fold, record), questions: [...fold.questions, question] };
}

function endReview(fold: JudgeFold, record: RecordOf<"review.end">): JudgeFold {
  const { m, checkpoint = fold.checkpoint } = record;
  const key = gaveUpKey(
    m === undefined
      ? { of: "commit", subject: record.checkpoint ?? "" }
      : { of: "milestone", subject: m },
  );
  const before = fold.gaveUp.get(key);
  const isRepeated = before !== undefined;
  // A repeated review covers the same commits, but its record has no checkpoint to show it.
  const covers = before?.covers ?? (m !== undefined && record.checkpoint !== undefined);
  const now = record.outcome === "gaveup" ? gaveUpOf(record, covers) : undefined;
  const gaveUp = withGaveUp(fold.gaveUp, key, now);
  const next = withItems({ ...fold, gaveUp }, record.findings);
  const answered = m === undefined ? fold.answered : new Set(fold.answered).add(m);
  // A review that is repeated after a reopen is about commits before the checkpoint, which must not
  // move back.
  return { ...next, answered, checkpoint: isRepeated ? fold.checkpoint : checkpoint };
}

function endTest(fold: JudgeFold, record: RecordOf<"test.end">): JudgeFold {
  const key = gaveUpKey({ of: "milestone", subject: record.m });
  const now = record.outcome === "gaveup" ? gaveUpOf(record) : undefined;
  const gaveUp = withGaveUp(fold.gaveUp, key, now);
  return withBugs(
    {
      ...fold,
      gaveUp,
      unpublished: withoutPublished(fold.unpublished, record),
      answered: new Set(fold.answered).add(record.m),
      own: withOwn(fold.own, record.commits),
    },
    record,
  );
}

function endFinal(fold: JudgeFold, record: RecordOf<"final.end">): JudgeFold {
  return withBugs(
    {
      ...fold,
      finalDone: record.n,
      finalAt: record.at,
      finalVerify: record.verify,
      finalBaseTests: record.basetests ?? NO_BASE_TESTS,
      finalGaveUp: record.outcome === "gaveup",
      finalReason: record.outcome === "gaveup" ? record.reason : undefined,
      unpublished: withoutPublished(fold.unpublished, record),
      own: withOwn(fold.own, record.commits),
    },
    record,
  );
}

function withBugs(fold: JudgeFold, record: RecordOf<"test.end" | "final.end">): JudgeFold {
  const next = withItems(fold, record.bugs);
  const fresh = record.bugs.filter(({ id }) => next.open.has(id) && !fold.open.has(id));
  return { ...next, origins: withOrigins(next.origins, fresh, record) };
}

/** Opens findings that are new or closed; those that are open or dismissed stay as they are. */
function withItems(fold: JudgeFold, findings: readonly Finding[]): JudgeFold {
  const fresh = findings.filter(({ id }) => !fold.open.has(id) && !fold.dismissed.has(id));
  if (fresh.length === 0) return fold;
  const items = new Map(fold.items);
  const open = new Set(fold.open);
  for (const finding of fresh) {
    items.set(finding.id, finding);
    open.add(finding.id);
  }
  return { ...fold, items, open };
}

function endVerify(fold: JudgeFold, record: RecordOf<"verify.end">): JudgeFold {
  const { id, attempt, verdict, reason } = record;
  if (verdict === "needs_input" || verdict === "blocked") return fold;
  const judged = new Map(fold.judged).set(judgedKey(id, attempt), verdict);
  const refusals =
    verdict === "reopened" ? new Map(fold.refusals).set(id, reason ?? "") : fold.refusals;
  const stale = withStale(fold.stale, record);
  if (verdict !== "closed") return { ...fold, judged, refusals, stale };
  return { ...fold, judged, refusals, stale, open: without(fold.open, id) };
}

/** Counts consecutive verdicts on an unchanged item; a verification that gave up is ignored. */
function withStale(before: JudgeFold["stale"], record: RecordOf<"verify.end">): JudgeFold["stale"] {
  const { id, verdict, stale: count = 0, reopens: atReopens = 0 } = record;
  if (verdict === "gaveup" || (count === 0 && !before.has(id))) return before;
  const next = new Map(before);
  if (count === 0) next.delete(id);
  else next.set(id, { count, atReopens });
  return next;
}

/** Whether opener and builder have reached a stalemate that more attempts will not resolve. */
export function isStalemate({ stale }: JudgeFold, id: string, reopens: number): boolean {
  const { count, atReopens } = stale.get(id) ?? { count: 0, atReopens: 0 };
  return count >= STALE_FIXES_MAX && atReopens >= reopens;
}

function without(open: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return new Set([...open].filter((other) => other !== id));
}

/** Returns the finding that a person added, if the record adopts one. */
export function addedBy(record: RecordOf<"adopt.end">): Finding | undefined {
  return "finding" in record ? record.finding : undefined;
}

function adoptHuman(fold: JudgeFold, record: RecordOf<"adopt.end">): JudgeFold {
  const next = { ...fold, human: record.human + 1, lastEndMs: Date.parse(record.time) };
  const finding = addedBy(record);
  if (finding !== undefined) return withItems(next, [finding]);
  const id = record.dismiss;
  if (id === undefined) return next;
  return { ...next, open: without(fold.open, id), dismissed: new Set(fold.dismissed).add(id) };
}

function intend(fold: JudgeFold, record: RecordOf<"push.intent">): JudgeFold {
  if (fold.openUnit?.unit !== record.unit) return fold;
  return { ...fold, openUnit: { ...fold.openUnit, intent: { shas: record.shas } } };
}
