/**
 * Moments in the order of time. Those of the same millisecond are in the order of their texts, so that it does not
 * matter in which order the logs that record them were read.
 *
 * @param textOf what a moment is told by
 */
export function inTimeOrder<T extends { readonly atMs: number }>(
  moments: readonly T[],
  textOf: (moment: T) => string,
): readonly T[] {
  return moments.toSorted(
    (one, other) => one.atMs - other.atMs || compare(textOf(one), textOf(other)),
  );
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
