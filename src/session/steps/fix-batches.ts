import type { BuilderFold } from "../state/builder-state.ts";
import type { Finding } from "../../fs-protocol/records/finding.ts";
import type { JudgeFold } from "../state/fold-judge.ts";
import type { Policy } from "../../fs-protocol/home/policy.ts";

/**
 * Groups the findings to be fixed into batches that share a turn and its commit. A batch contains
 * findings of one reviewer that were tried equally often and that are in the same file as the first
 * of them, or of the same category. A batch has at most `fixBatchMax` findings; those in the same
 * file come first. Each finding outside every batch gets its own turn.
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
  let remaining = ids.flatMap((id) => items.get(id) ?? []);
  while (remaining.length > 1) {
    const [first, ...others] = remaining;
    if (first === undefined) break;
    const equal = others.filter(({ id }) => tried(id) === tried(first.id));
    const batch = [first, ...similarTo(first, equal).slice(0, fixBatchMax - 1)];
    if (batch.length > 1) batches.push(batch.map(({ id }) => id));
    remaining = others.filter((other) => !batch.includes(other));
  }
  return batches;
}

/**
 * Returns findings in the same file, then those of the same category. All are of the same reviewer,
 * because that reviewer verifies the fix.
 */
function similarTo(first: Finding, others: readonly Finding[]): readonly Finding[] {
  const own = others.filter(({ reviewer }) => reviewer === first.reviewer);
  const sameFile = own.filter(({ file }) => file !== undefined && file === first.file);
  const sameCategory = own.filter(
    (other) => !sameFile.includes(other) && hasCategory(other, first.category),
  );
  return [...sameFile, ...sameCategory];
}

function hasCategory({ category }: Finding, name: string): boolean {
  return category.trim().toLowerCase() === name.trim().toLowerCase();
}
