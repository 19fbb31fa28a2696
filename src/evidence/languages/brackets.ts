import { REGIONS_MAX, type Region } from "./test-language.ts";

const PAIRS: Readonly<Record<string, string>> = { ")": "(", "}": "{", "]": "[" };

/**
 * For each opening bracket, the offset of the one that closes it. Each kind of bracket is matched independently
 * of the others.
 */
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

/**
 * Finds tests that are functions. Each takes its title from the group `title`, and ends with the first pair of
 * braces after the match.
 */
export function bracedTests(
  code: string,
  pattern: RegExp,
  isSkipped: (matched: string, body: string) => boolean,
): readonly Region[] {
  const ends = closings(code);
  return [...code.matchAll(pattern)].slice(0, REGIONS_MAX).map(({ 0: matched, index, groups }) => {
    const open = code.indexOf("{", index + matched.length);
    const end = open === -1 ? code.length : (ends.get(open) ?? code.length - 1) + 1;
    return {
      kind: "test",
      title: groups?.["title"] ?? "",
      start: index,
      end,
      isSkipped: isSkipped(matched, code.slice(index, end)),
      isFocused: false,
    };
  });
}
