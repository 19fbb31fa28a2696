import type { BuilderFold } from "../state/builder-state.ts";
import type { Finding } from "../../fs-protocol/records/finding.ts";
import type { JudgeFold } from "../state/fold-judge.ts";
import type { Policy } from "../../fs-protocol/home/policy.ts";

/**
 * Which of the findings to be fixed share a turn, and its commit: those of one reviewer that are about the
 * same file or of the same category as the first of them, and were tried equally often. At most
 * `fixBatchMax` of them, those in the same file before others. What is in no batch has a turn of its own.
 */
export function fixBatches(
  ids: readonly string[],
  { items }: Pick<JudgeFold, "items">,
  { own, policy }: { readonly own: Pick<BuilderFold, "fixes">; readonly policy: Policy },
): readonly (readonly string[])[] {
  const { fixBatchMax = 1 } = policy;
  if (fixBatchMax < 2) return [];
  const tried = (id: string) => own.fixes.get(id)?.length ?? 0;
  const batches: (readonly string[])[] = [];
  let left = ids.flatMap((id) => items.get(id) ?? []);
  while (left.length > 1) {
    const [first, ...others] = left;
    if (first === undefined) break;
    const equal = others.filter(({ id }) => tried(id) === tried(first.id));
    const batch = [first, ...similarTo(first, equal).slice(0, fixBatchMax - 1)];
    if (batch.length > 1) batches.push(batch.map(({ id }) => id));
    left = others.filter((other) => !batch.includes(other));
  }
  return batches;
}

/** Those in the same file, then those of the same category; of one reviewer, who looks at the fix. */
function similarTo(first: Finding, others: readonly Finding[]): readonly Finding[] {
  const own = others.filter(({ reviewer }) => reviewer === first.reviewer);
  const near = own.filter(({ file }) => file !== undefined && file === first.file);
  const alike = own.filter((other) => !near.includes(other) && hasCategory(other, first.category));
  return [...near, ...alike];
}

function hasCategory({ category }: Finding, name: string): boolean {
  return category.trim().toLowerCase() === name.trim().toLowerCase();
}
