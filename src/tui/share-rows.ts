/**
 * Shares rows among sections that want some: one each in turn, until all have what they want or no row is
 * left. So a long list leaves room for the short ones.
 */
export function shareRows(rows: number, wanted: readonly number[]): readonly number[] {
  const given = wanted.map(() => 0);
  let left = rows;
  while (left > 0) {
    const before = left;
    for (const [index, want] of wanted.entries()) {
      const has = given[index] ?? 0;
      if (left === 0 || has >= want) continue;
      given[index] = has + 1;
      left -= 1;
    }
    if (left === before) return given;
  }
  return given;
}
