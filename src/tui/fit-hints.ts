/** What a key does. If not all hints fit, those with the lowest ranks are shown. */
export type Hint = readonly [rank: number, text: string];

/** As many hints as fit into a row, in their order. */
export function fitHints(all: readonly Hint[], columns: number): string {
  const line = (most: number) =>
    all
      .filter(([rank]) => rank <= most)
      .map(([, text]) => text)
      .join("  ");
  const ranks = all.map(([rank]) => rank).sort((one, other) => other - one);
  const most = ranks.find((rank) => line(rank).length <= columns) ?? ranks.at(-1) ?? 0;
  return line(most);
}
