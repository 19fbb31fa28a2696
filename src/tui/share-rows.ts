/**
 * Shares rows among sections that want some: one each in turn, until all have what they want or no row is
 * left. So a long list leaves room for the short ones.
 */
export function shareRows(rows: number, wanted: readonly number[]): readonly number[] {
  const given = wanted.map(() => 0);
  for (let left = rows; left > 0; left--) {
    const next = leastServed(given, wanted);
    if (next === undefined) return given;
    given[next] = (given[next] ?? 0) + 1;
  }
  return given;
}

/** Who has the fewest rows of those that want more, the first of them. */
function leastServed(given: readonly number[], wanted: readonly number[]): number | undefined {
  let least: number | undefined;
  for (const [index, want] of wanted.entries()) {
    const has = given[index] ?? 0;
    const isNext = least === undefined || has < (given[least] ?? 0);
    if (has < want && isNext) least = index;
  }
  return least;
}
