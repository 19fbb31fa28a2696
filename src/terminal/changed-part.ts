import type { Row, Span } from "../views/rows/row.ts";

/** The part of a row that differs from what is on the terminal. */
export interface ChangedPart {
  /** Cells before it, which stay. */
  readonly cells: number;
  readonly part: Row;
  /** Whether the rest of the row stays, too. */
  readonly isWithin: boolean;
}

/** A character and the span that it is from. */
interface Letter {
  readonly text: string;
  readonly from: Span;
}

/** Characters that are one cell wide on every terminal, and never join with their neighbours. */
const SURE = /^[ -~─-╿▀-▟⠀-⣿○●▸✓✗·…]$/u;

/**
 * What has to be written to change one row into another. Only next to characters of a sure width does it begin or end: a
 * terminal may draw others wider or narrower than measured, or join them with their neighbours.
 */
export function changedPart(before: Row, after: Row): ChangedPart {
  const [old, next] = [lettersOf(before), lettersOf(after)];
  const cells = sameAtStart(old, next);
  const kept = old.length === next.length ? sameAtEnd(old, next, cells) : 0;
  const gone = old.slice(cells, old.length - kept);
  const part = next.slice(cells, next.length - kept);
  const isWithin = kept > 0 && [...gone, ...part].every(isSure);
  return { cells, part: spansOf(isWithin ? part : next.slice(cells)), isWithin };
}

function lettersOf(whole: Row): readonly Letter[] {
  return whole.flatMap((from) => Array.from(from.text, (text) => ({ text, from })));
}

function isSame(one: Letter | undefined, other: Letter | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  const { style, isStrong = false } = one.from;
  const isStyled = style === other.from.style && isStrong === (other.from.isStrong ?? false);
  return isStyled && one.text === other.text;
}

function isSure(one: Letter | undefined): boolean {
  return one === undefined || SURE.test(one.text);
}

function sameAtStart(old: readonly Letter[], next: readonly Letter[]): number {
  let count = 0;
  while (isSame(old[count], next[count]) && isSure(next[count])) count += 1;
  // What follows may join with the last character.
  return isSure(old[count]) && isSure(next[count]) ? count : Math.max(0, count - 1);
}

function sameAtEnd(old: readonly Letter[], next: readonly Letter[], from: number): number {
  let count = 0;
  const most = next.length - from;
  while (count < most && isSame(old.at(-1 - count), next.at(-1 - count))) count += 1;
  // The first of them may join with what is before it.
  while (count > 0 && !isSure(next.at(-count))) count -= 1;
  return count;
}

function spansOf(letters: readonly Letter[]): Row {
  const spans: Span[] = [];
  let last: Span | undefined;
  for (const { text, from } of letters) {
    const before = from === last ? spans.pop()?.text : undefined;
    spans.push({ ...from, text: (before ?? "") + text });
    last = from;
  }
  return spans;
}
