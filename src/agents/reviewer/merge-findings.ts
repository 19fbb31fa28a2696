import type { Oid } from "../../base/oid.ts";
import type { Clone } from "../../base/ports/repo.ts";
import { FINDINGS_PER_REVIEW_MAX } from "../../base/limits.ts";
import type { Finding, Level } from "../../fs-protocol/records/finding.ts";
import type { FindingsBlock } from "../../fs-protocol/findings/findings-judge.ts";
import type { ReviewerResult } from "../../fs-protocol/records/reviewer-result.ts";
import { fitFindings, joinFindings, identifyFindings } from "../judge/findings-for-record.ts";
import { promoteRepeated } from "./promote-repeated.ts";

/** What one reviewer found in a range, with the level that its settings give it. */
export interface ReviewerFindings {
  readonly name: string;
  readonly level: Level;
  readonly blocks: readonly Pick<FindingsBlock, "findings">[];
}

/** The outcome for a range: one list of findings, and the verdict of each reviewer. */
export interface MergedFindings {
  readonly findings: readonly Finding[];
  readonly results: readonly ReviewerResult[];
  /** How many findings exceeded the limit of a record. */
  readonly omitted: number;
}

/** What wisp itself found, and the reviewer under whose name it is recorded. */
export interface ComputedFindings {
  readonly name: string;
  /** With their ids, and blocking. */
  readonly findings: readonly Finding[];
}

/** The tree that was reviewed, and the findings that were open before. */
export interface ReviewedTree {
  readonly clone: Clone;
  readonly at: Oid;
  readonly known: ReadonlyMap<string, Finding>;
}

/**
 * Merges the findings of several reviewers into one list: if two report the same thing it is one finding,
 * of the heavier level, and is listed in the results of both. A reviewer without findings has passed.
 *
 * @param reviews heaviest level first
 */
export async function mergeFindings(
  reviews: readonly ReviewerFindings[],
  computed: ComputedFindings,
  tree: ReviewedTree,
): Promise<MergedFindings> {
  const all = new Map(computed.findings.map((finding) => [finding.id, finding]));
  const results: ReviewerResult[] = [];
  for (const { name, level, blocks } of withComputed(reviews, computed)) {
    const finder = { kind: "finding", reviewer: name, level, ...tree } as const;
    const identified = await identifyFindings(blocks, finder);
    for (const finding of identified) {
      const other = all.get(finding.id);
      all.set(finding.id, other === undefined ? finding : joinFindings(other, finding));
    }
    const own = name === computed.name ? computed.findings : [];
    results.push(resultOf({ name, level }, [...own, ...identified]));
  }
  const capOf = new Map(reviews.map(({ name, level }) => [name, level]));
  const promoted = promoteRepeated([...all.values()], tree.known, capOf);
  const findings = fitFindings(promoted.slice(0, FINDINGS_PER_REVIEW_MAX));
  return { findings, results, omitted: all.size - findings.length };
}

/** The reviewer under whose name wisp found something has a result, too, even if no engine was asked for it. */
function withComputed(
  reviews: readonly ReviewerFindings[],
  { name, findings }: ComputedFindings,
): readonly ReviewerFindings[] {
  const isPresent = findings.length === 0 || reviews.some((each) => each.name === name);
  return isPresent ? reviews : [{ name, level: "blocking", blocks: [] }, ...reviews];
}

function resultOf(
  reviewer: Pick<ReviewerFindings, "name" | "level">,
  findings: readonly Finding[],
): ReviewerResult {
  if (findings.length === 0) return { ...reviewer, verdict: "passed" };
  const ids = [...new Set(findings.map(({ id }) => id))];
  return { ...reviewer, verdict: "needs_work", ids };
}
