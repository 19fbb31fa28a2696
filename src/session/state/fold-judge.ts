import { present } from "../../base/assert.ts";
import { STALE_FIXES_MAX } from "../../base/limits.ts";
import type { Oid } from "../../base/oid.ts";
import type { BaseTests } from "../../fs-protocol/records/base-tests.ts";
import { ranKey, type RanCommand } from "../../fs-protocol/records/command-result.ts";
import type { Finding } from "../../fs-protocol/records/finding.ts";
import { gaveUpKey, type GaveUp, type GaveUpUnits } from "./gave-up.ts";
import { foldOpenUnit, questionOf, type OpenUnit, type Question } from "./open-unit.ts";
import { withOwn, type OwnCommits } from "./own-commits.ts";
import type { ReviewerRecord } from "../../fs-protocol/records/reviewer-log.ts";
import type { FinalVerify } from "../../fs-protocol/records/final-verify.ts";
import { withoutPublished, withUnpublished, type UnpublishedTests } from "./unpublished-tests.ts";
import type { TesterRecord } from "../../fs-protocol/records/tester-log.ts";
import { decodeUnit } from "../../fs-protocol/records/unit-key.ts";

/** What became of a fix in the eyes of who opened the item. */
export type FixJudgement = "closed" | "reopened" | "gaveup";

/** An item that was opened again with its lines as they were. */
export interface Stale {
  /** How often in a row. */
  readonly count: number;
  /** The reopens that its opener had seen: a later one gives it fresh attempts. */
  readonly atReopens: number;
}

export interface TestIntent {
  readonly shas: readonly Oid[];
}

/**
 * Everything that `reviewer.log` or `tester.log` says, folded: both judge the work, so both have
 * one shape. A reviewer has a checkpoint and adopts human findings; a tester has final passes. Each takes
 * over what a person dismisses of its own.
 */
export interface JudgeFold {
  readonly checkpoint: Oid | undefined;
  /** A tester's: all commits that ends of its units name. */
  readonly own: OwnCommits | undefined;
  /** Milestones whose review or test was answered. */
  readonly answered: ReadonlySet<string>;
  readonly items: ReadonlyMap<string, Finding>;
  readonly open: ReadonlySet<string>;
  readonly dismissed: ReadonlySet<string>;
  /** By `<id>:<attempt>`. */
  readonly judged: ReadonlyMap<string, FixJudgement>;
  /** Why a fix was not accepted, by item id: for the next attempt's prompt. */
  readonly refusals: ReadonlyMap<string, string>;
  /** Fixes that changed nothing about the lines in question, by item id. */
  readonly stale: ReadonlyMap<string, Stale>;
  readonly gaveUp: GaveUpUnits;
  readonly finalDone: number;
  readonly finalAt: Oid | undefined;
  /** What verify said at `finalAt`; undefined: nobody verified there. */
  readonly finalVerify: FinalVerify | undefined;
  /** Tests of the session's base that failed at `finalAt`. */
  readonly finalBaseTests: readonly BaseTests[];
  readonly finalGaveUp: boolean;
  /** How the last attempt of the final pass failed that gave up. */
  readonly finalReason: string | undefined;
  /** A tester's: by unit, unless later attempts at it were published, or a bug holds them. */
  readonly unpublished: ReadonlyMap<string, UnpublishedTests>;
  /** One past the last record of human.log that was adopted. */
  readonly human: number;
  readonly questions: readonly Question[];
  readonly openUnit: OpenUnit<TestIntent> | undefined;
  readonly lastEndMs: number;
  /** What commands of its own said, by `ranKey`; the last one counts. */
  readonly ran: ReadonlyMap<string, RanCommand>;
}

const NO_BASE_TESTS: readonly BaseTests[] = [];

export const EMPTY_JUDGE: JudgeFold = {
  checkpoint: undefined,
  own: undefined,
  answered: new Set(),
  items: new Map(),
  open: new Set(),
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
};

type JudgeRecord = ReviewerRecord | TesterRecord;
type RecordOf<K extends JudgeRecord["kind"]> = Extract<JudgeRecord, { readonly kind: K }>;

/** Under which the verdict on one attempt is kept. */
export function judgedKey(id: string, attempt: number): string {
  return `${id}:${String(attempt)}`;
}

/** One record of `reviewer.log` or `tester.log`, applied. */
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
      return { ...fold, unpublished: withUnpublished(fold.unpublished, fold.openUnit?.unit, record) };
    case "command.result":
      return { ...fold, ran: new Map(fold.ran).set(ranKey(record), record) };
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
  const gaveUp = new Map(fold.gaveUp);
  const { m, checkpoint = fold.checkpoint } = record;
  const key = gaveUpKey(
    m === undefined
      ? { of: "commit", subject: record.checkpoint ?? "" }
      : { of: "milestone", subject: m },
  );
  const before = gaveUp.get(key);
  const again = gaveUp.delete(key);
  // Asked again, it covers what it covered, and has no checkpoint to say so.
  const covers = before?.covers ?? (m !== undefined && record.checkpoint !== undefined);
  if (record.outcome === "gaveup") gaveUp.set(key, gaveUpOf(record, covers));
  const next = withItems({ ...fold, gaveUp }, record.findings);
  const answered = m === undefined ? fold.answered : new Set(fold.answered).add(m);
  // What is looked at again after a reopen lies behind the checkpoint: it must not go back.
  return { ...next, answered, checkpoint: again ? fold.checkpoint : checkpoint };
}

function gaveUpOf(record: RecordOf<"review.end"> | RecordOf<"test.end">, covers = false): GaveUp {
  const atReopens = record.reopens ?? 0;
  const { m = "", reason } = record;
  if (record.kind === "test.end") return { subject: m, of: "milestone", atReopens, reason };
  const { checkpoint } = record;
  if (checkpoint === undefined || m !== "") {
    const cover = covers ? ({ covers: true } as const) : {};
    return { subject: m, of: "milestone", ...cover, atReopens, reason };
  }
  const unit = decodeUnit(record.unit);
  const range = unit?.kind === "commit" && unit.first !== checkpoint ? { first: unit.first } : {};
  return { subject: checkpoint, ...range, of: "commit", atReopens, reason };
}

function endTest(fold: JudgeFold, record: RecordOf<"test.end">): JudgeFold {
  const gaveUp = new Map(fold.gaveUp);
  const key = gaveUpKey({ of: "milestone", subject: record.m });
  gaveUp.delete(key);
  if (record.outcome === "gaveup") gaveUp.set(key, gaveUpOf(record));
  return withItems(
    {
      ...fold,
      gaveUp,
      unpublished: withoutPublished(fold.unpublished, record),
      answered: new Set(fold.answered).add(record.m),
      own: withOwn(fold.own, record.commits),
    },
    record.bugs,
  );
}

function endFinal(fold: JudgeFold, record: RecordOf<"final.end">): JudgeFold {
  return withItems(
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
    record.bugs,
  );
}

/** A finding that was seen before adds nothing while it is open, and opens again when it was closed. */
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

/** Only verdicts in a row count; one that could not be given says nothing. */
function withStale(before: JudgeFold["stale"], record: RecordOf<"verify.end">): JudgeFold["stale"] {
  const { id, verdict, stale: count = 0, reopens: atReopens = 0 } = record;
  if (verdict === "gaveup" || (count === 0 && !before.has(id))) return before;
  const next = new Map(before);
  if (count === 0) next.delete(id);
  else next.set(id, { count, atReopens });
  return next;
}

/** Whether opener and builder have come to a stalemate over an item, which more attempts do not end. */
export function isStalemate({ stale }: JudgeFold, id: string, reopens: number): boolean {
  const { count, atReopens } = stale.get(id) ?? { count: 0, atReopens: 0 };
  return count >= STALE_FIXES_MAX && atReopens >= reopens;
}

function without(open: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return new Set([...open].filter((other) => other !== id));
}

/** What a person added, where a record takes that over. */
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
