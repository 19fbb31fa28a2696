import { REASON_CHARS_MAX } from "../../base/limits.ts";
import type { Finding } from "../../fs-protocol/records/finding.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import { addedBy, type JudgeFold } from "../../session/state/fold-judge.ts";
import { encodeItem, type ItemLine } from "../../fs-protocol/projections/items-md.ts";
import type { ReviewerRecord } from "../../fs-protocol/records/reviewer-log.ts";
import type { TesterRecord } from "../../fs-protocol/records/tester-log.ts";

/**
 * Lines of REVIEWS.md and BUGS.md: one for each state change of an item, so that `grep` finds the open ones: the
 * last line about an id has its present state. `items-md.ts` defines their form.
 */
export function itemLines(
  record: ReviewerRecord | TesterRecord,
  before: JudgeFold,
  after: JudgeFold,
): readonly string[] {
  const lines = changesOf(record, before, after).map(encodeItem);
  return record.kind === "adopt.end" ? [...lines, ...reasonLines(record)] : lines;
}

/** The person's reason, below the line of a dismissed item; programs ignore it. */
function reasonLines({ dismiss, why = "" }: AdoptEnd): readonly string[] {
  const reason = cleanText(why, { charsMax: REASON_CHARS_MAX, lines: "one" });
  return dismiss === undefined || reason === "" ? [] : [`    # dismissed by a person: ${reason}\n`];
}

function changesOf(
  record: ReviewerRecord | TesterRecord,
  before: JudgeFold,
  after: JudgeFold,
): readonly ItemLine[] {
  switch (record.kind) {
    case "review.end":
      return opened(record.findings, before, after, record.unit);
    case "test.end":
    case "final.end":
      return opened(record.bugs, before, after, record.unit);
    case "verify.end":
      return judged(record, after);
    case "adopt.end":
      return adopted(record, before, after);
    default:
      return [];
  }
}

function opened(
  findings: readonly Finding[],
  before: JudgeFold,
  after: JudgeFold,
  by: string,
): readonly ItemLine[] {
  return findings
    .filter(({ id }) => !before.open.has(id) && after.open.has(id))
    .map(({ id, level, file, line, brief }) => ({
      kind: "opened",
      id,
      level,
      file: file === "" ? undefined : file,
      line,
      brief,
      by,
    }));
}

type VerifyEnd = Extract<ReviewerRecord | TesterRecord, { kind: "verify.end" }>;

function judged(record: VerifyEnd, after: JudgeFold): readonly ItemLine[] {
  const state = stateAfter(record, after);
  if (state === undefined) return [];
  const { id, attempt, sha, unit } = record;
  return [{ kind: "judged", state, id, attempt, sha, by: unit }];
}

/** An item that a person dismissed stays dismissed, whatever the verdict on a fix that was already being judged. */
function stateAfter({ id, verdict }: VerifyEnd, after: JudgeFold) {
  switch (verdict) {
    case "needs_input":
    case "blocked":
      return undefined;
    case "closed":
      return "CLOSED";
    case "reopened":
      return after.open.has(id) ? "REOPENED" : "DISMISSED";
    case "gaveup":
      return after.open.has(id) ? "UNJUDGED" : "DISMISSED";
  }
}

type AdoptEnd = Extract<ReviewerRecord | TesterRecord, { kind: "adopt.end" }>;

function adopted(record: AdoptEnd, before: JudgeFold, after: JudgeFold): readonly ItemLine[] {
  const { dismiss } = record;
  const finding = addedBy(record);
  const by = `human:${String(record.human)}`;
  if (finding !== undefined) return opened([finding], before, after, by);
  return dismiss === undefined || dismiss === "" ? [] : [{ kind: "dismissed", id: dismiss, by }];
}
