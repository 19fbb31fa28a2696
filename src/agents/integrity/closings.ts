const PAIRS: Readonly<Record<string, string>> = { ")": "(", "}": "{", "]": "[" };

/** For each opening bracket that is closed: where. Brackets of one kind know nothing of the others. */
export function closings(code: string): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  const open: Readonly<Record<string, number[]>> = { "(": [], "{": [], "[": [] };
  for (const { 0: bracket, index } of code.matchAll(/[()[\]{}]/g)) {
    const opener = PAIRS[bracket];
    if (opener === undefined) {
      open[bracket]?.push(index);
      continue;
    }
    const start = open[opener]?.pop();
    if (start !== undefined) ends.set(start, index);
  }
  return ends;
}
