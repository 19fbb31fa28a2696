import type { Oid } from "../../base/oid.ts";
import type { Clone } from "../../base/ports/repo.ts";
import { FINDINGS_PER_REVIEW_MAX } from "../../base/limits.ts";
import type { Finding, Level } from "../../fs-protocol/records/finding.ts";
import type { FindingsBlock } from "../../fs-protocol/findings/findings-judge.ts";
import type { ReviewerResult } from "../../fs-protocol/records/reviewer-result.ts";
import { fitFindings, joinFindings, takeFindings } from "../judge/findings-for-record.ts";
import { promoteRepeated } from "./promote-repeated.ts";

/** What one reviewer said of a range, under the weight that wisp gives it. */
export interface Heard {
  readonly name: string;
  readonly level: Level;
  readonly blocks: readonly Pick<FindingsBlock, "findings">[];
}

/** What came of a range: one list of findings, and who came to which verdict. */
export interface Gathered {
  readonly findings: readonly Finding[];
  readonly looks: readonly ReviewerResult[];
  /** How many findings were more than a record may have. */
  readonly omitted: number;
}

/** What wisp itself found, and the reviewer in whose name. */
export interface Certain {
  readonly name: string;
  /** With their ids, and blocking. */
  readonly findings: readonly Finding[];
}

/** Where the findings are, and which are open there already. */
export interface Ground {
  readonly clone: Clone;
  readonly at: Oid;
  readonly known: ReadonlyMap<string, Finding>;
}

/**
 * Makes one list of what several reviewers found: what two of them say of one thing is one finding, of
 * the heavier of the two, and stands with both. Who found nothing has passed.
 *
 * @param heard heaviest first
 */
export async function mergeFindings(
  heard: readonly Heard[],
  certain: Certain,
  ground: Ground,
): Promise<Gathered> {
  const all = new Map(certain.findings.map((finding) => [finding.id, finding]));
  const looks: ReviewerResult[] = [];
  for (const { name, level, blocks } of withCertain(heard, certain)) {
    const finder = { kind: "finding", reviewer: name, level, ...ground } as const;
    const taken = await takeFindings(blocks, finder);
    for (const finding of taken) {
      const other = all.get(finding.id);
      all.set(finding.id, other === undefined ? finding : joinFindings(other, finding));
    }
    const own = name === certain.name ? certain.findings : [];
    looks.push(lookOf({ name, level }, [...own, ...taken]));
  }
  const capOf = new Map(heard.map(({ name, level }) => [name, level]));
  const promoted = promoteRepeated([...all.values()], ground.known, capOf);
  const findings = fitFindings(promoted.slice(0, FINDINGS_PER_REVIEW_MAX));
  return { findings, looks, omitted: all.size - findings.length };
}

/** In whose name something was found looked, too, whether it was asked or not. */
function withCertain(heard: readonly Heard[], { name, findings }: Certain): readonly Heard[] {
  const isHeard = findings.length === 0 || heard.some((each) => each.name === name);
  return isHeard ? heard : [{ name, level: "blocking", blocks: [] }, ...heard];
}

function lookOf(who: Pick<Heard, "name" | "level">, findings: readonly Finding[]): ReviewerResult {
  if (findings.length === 0) return { ...who, verdict: "passed" };
  const ids = [...new Set(findings.map(({ id }) => id))];
  return { ...who, verdict: "needs_work", ids };
}
