import type { BuilderFold } from "../../src/session/state/builder-state.ts";
import { addedBy, judgedKey, type JudgeFold } from "../../src/session/state/fold-judge.ts";
import type { ReviewerRecord } from "../../src/fs-protocol/records/reviewer-log.ts";
import type { Branch } from "../../src/session/state/session-state.ts";
import type { TesterRecord } from "../../src/fs-protocol/records/tester-log.ts";
import type { Broken } from "./broken.ts";
import type { Commit, WrittenLog } from "./history.ts";
import { work, worksIn } from "./names.ts";

/** What the invariants about findings and bugs are checked against, for one opener. */
export interface Items {
  readonly opener: "reviewer" | "tester";
  readonly builder: BuilderFold;
  readonly branch: WrittenLog<Commit, Branch>;
  readonly judge: WrittenLog<ReviewerRecord | TesterRecord, JudgeFold>;
}

type VerifyEnd = Extract<ReviewerRecord, { kind: "verify.end" }>;

/** I5 and I6: no item is lost, fixed again before its opener's verdict, or closed by anything but a verdict. */
export function itemsBroken(items: Items): Broken | undefined {
  return fixedTooSoon(items) ?? closedUnseen(items) ?? gone(items);
}

function isOf({ opener }: Items, id: string): boolean {
  return id.startsWith("BUG-") === (opener === "tester");
}

/**
 * I5: attempt n+1 follows only if attempt n failed, or its opener reopened the item or gave up, or closed it and
 * found it again.
 */
function fixedTooSoon(items: Items): Broken | undefined {
  for (const [id, attempts] of items.builder.fixes) {
    if (!isOf(items, id)) continue;
    const early = attempts.slice(0, -1).find(({ attempt, outcome }) => {
      const verdict = items.judge.fold.judged.get(judgedKey(id, attempt));
      if (outcome === "failed" || verdict === "reopened" || verdict === "gaveup") return false;
      return verdict === undefined || timesReported(items, id) < 2;
    });
    if (early !== undefined) {
      const what = `${id} is fixed again before its opener judged attempt ${early.attempt}`;
      return { invariant: "I5", what };
    }
  }
  return undefined;
}

function timesReported({ judge }: Items, id: string): number {
  return judge.records.flatMap(reportedBy).filter((other) => other === id).length;
}

/** I6: a verdict names the fix commit of that item and attempt, or the HEAD that `nochange` names. */
function closedUnseen(items: Items): Broken | undefined {
  for (const record of items.judge.records) {
    if (record.kind !== "verify.end") continue;
    if (isOf(items, record.id) && isLookAtFix(items, record)) continue;
    return { invariant: "I6", what: `${record.id} is judged without a look at its fix` };
  }
  return undefined;
}

/** Independent of the builder's log: the judge may write before the builder's `end` is in view. */
function isLookAtFix({ builder, branch }: Items, { id, attempt, sha }: VerifyEnd): boolean {
  const commit = branch.records.find((other) => other.sha === sha);
  if (worksIn(commit?.work ?? "").includes(work.fix([id], attempt))) return true;
  const fix = builder.fixes.get(id)?.find((other) => other.attempt === attempt);
  if (fix?.sha !== sha) return false;
  return fix.outcome === "nochange" || (commit !== undefined && commit.work === undefined);
}

/** I5 and I6: each reported item is open, or was closed by its opener, or dismissed by a person. */
function gone({ judge }: Items): Broken | undefined {
  const open = new Set<string>();
  const dismissed = new Set<string>();
  for (const record of judge.records) {
    for (const id of reportedBy(record)) open.add(id);
    if (record.kind === "verify.end" && record.verdict === "closed") open.delete(record.id);
    if (record.kind === "adopt.end" && record.dismiss !== undefined) dismissed.add(record.dismiss);
  }
  const lost = [...open].find((id) => !judge.fold.open.has(id) && !dismissed.has(id));
  if (lost === undefined) return undefined;
  return { invariant: "I6", what: `${lost} is no longer open, and nobody closed it` };
}

function reportedBy(record: ReviewerRecord | TesterRecord): readonly string[] {
  if (record.kind === "review.end") return record.findings.map(({ id }) => id);
  if (record.kind === "adopt.end") {
    const finding = addedBy(record);
    return finding === undefined ? [] : [finding.id];
  }
  if (record.kind !== "test.end" && record.kind !== "final.end") return [];
  return record.bugs.map(({ id }) => id);
}
