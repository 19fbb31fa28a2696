import type { Finding } from "../fs-protocol/finding.ts";
import type { JudgeFold } from "../fs-protocol/fold-judge.ts";
import type { ReviewerRecord } from "../fs-protocol/reviewer-log.ts";
import type { TesterRecord } from "../fs-protocol/tester-log.ts";

/**
 * Lines of REVIEWS.md and BUGS.md: one per change of state of an item, so that the open set is
 * `grep`: the last line about an id says what it is. Each names the unit that made it.
 *
 * ```
 * OPEN COR-7f3a91 blocking src/parse.js:12 The last field is dropped [review:Parsing:<sha>]
 * REOPENED COR-7f3a91 attempt 1 at <sha> [verify:COR-7f3a91:<sha>:1]
 * CLOSED COR-7f3a91 attempt 2 at <sha> [verify:COR-7f3a91:<sha>:2]
 * DISMISSED COR-7f3a91 [human:3]
 * ```
 */
export function itemLines(
  record: ReviewerRecord | TesterRecord,
  before: JudgeFold,
  after: JudgeFold,
): readonly string[] {
  switch (record.kind) {
    case "review.end":
      return opened(record.findings, before, after, record.unit);
    case "test.end":
    case "final.end":
      return opened(record.bugs, before, after, record.unit);
    case "verify.end":
      return judged(record);
    case "adopt.end":
      return record.finding === undefined
        ? [`DISMISSED ${record.dismiss ?? ""} [human:${String(record.human)}]\n`]
        : opened([record.finding], before, after, `human:${String(record.human)}`);
    default:
      return [];
  }
}

function opened(
  findings: readonly Finding[],
  before: JudgeFold,
  after: JudgeFold,
  unit: string,
): readonly string[] {
  return findings
    .filter(({ id }) => !before.open.has(id) && after.open.has(id))
    .map(({ id, level, file, line, brief }) => {
      const place = file === undefined ? "-" : `${file}${line === undefined ? "" : `:${line}`}`;
      return `OPEN ${id} ${level} ${place} ${brief} [${unit}]\n`;
    });
}

function judged(
  record: Extract<ReviewerRecord | TesterRecord, { kind: "verify.end" }>,
): readonly string[] {
  const { id, attempt, sha, verdict, unit } = record;
  if (verdict === "needs_input" || verdict === "blocked") return [];
  const word = { closed: "CLOSED", reopened: "REOPENED", gaveup: "UNJUDGED" }[verdict];
  return [`${word} ${id} attempt ${String(attempt)} at ${sha} [${unit}]\n`];
}
