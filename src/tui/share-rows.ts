/**
 * Shares rows among sections one at a time in turn, until every section has what it wants or no rows are left. That way
 * a long list leaves room for the short ones.
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

/** Index of the first section with the fewest rows among those that want more. */
function leastServed(given: readonly number[], wanted: readonly number[]): number | undefined {
  let least: number | undefined;
  for (const [index, want] of wanted.entries()) {
    const has = given[index] ?? 0;
    const isNext = least === undefined || has < (given[least] ?? 0);
    if (has < want && isNext) least = index;
  }
  return least;
}
