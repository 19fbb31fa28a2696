import type { Oid } from "../../base/oid.ts";
import type { BuilderFold } from "../state/builder-state.ts";
import { judgedKey, type JudgeFold } from "../state/fold-judge.ts";

/** Commits of fixes that their openers have given verdicts on: a verdict counts as the review of its commit. */
export function coveredCommits(
  { fixes }: Pick<BuilderFold, "fixes">,
  { judged }: Pick<JudgeFold, "judged">,
): ReadonlySet<Oid> {
  const covered = [...fixes.values()].flat().flatMap(({ id, attempt, outcome, sha }) => {
    const isCovered = outcome === "fixed" && judged.has(judgedKey(id, attempt));
    return isCovered && sha !== undefined ? [sha] : [];
  });
  return new Set(covered);
}
