import { onceForPair } from "../../base/once-for-pair.ts";
import type { Oid } from "../../base/oid.ts";
import type { BuilderFold } from "../state/builder-state.ts";
import { judgedKey, type JudgeFold } from "../state/fold-judge.ts";

/**
 * Returns the commits of fixes on which the openers of the items have given verdicts: such a
 * verdict counts as the review of the commit.
 */
export function coveredCommits(
  { fixes }: Pick<BuilderFold, "fixes">,
  { judged }: Pick<JudgeFold, "judged">,
): ReadonlySet<Oid> {
  return coveredBy(judged, fixes);
}

const coveredBy = onceForPair((judged: JudgeFold["judged"], fixes: BuilderFold["fixes"]) => {
  const covered = [...fixes.values()].flat().flatMap(({ id, attempt, outcome, sha }) => {
    const isCovered = outcome === "fixed" && judged.has(judgedKey(id, attempt));
    return isCovered && sha !== undefined ? [sha] : [];
  });
  return new Set(covered);
});
