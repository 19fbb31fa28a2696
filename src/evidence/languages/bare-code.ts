/**
 * A source text with everything blanked that only looks like code. Both versions keep its length and line
 * breaks.
 */
export interface BareCode {
  /** Comments are blanked. */
  readonly text: string;
  /** Comments and the contents of strings are blanked. */
  readonly code: string;
}

/** How a language writes comments and strings. */
export interface CodeMarks {
  /** Characters that may begin a comment or a string. Must have the flag `g`. */
  readonly starts: RegExp;
  /** Where several rules match at one place, the first wins. */
  readonly rules: readonly MarkRule[];
}

/** One form of comments or strings. */
export interface MarkRule {
  readonly kind: "comment" | "string";
  /** Returns where a comment or string that begins at `start` ends; `start` itself if none begins there. */
  readonly endAt: (source: string, start: number) => number;
}

/** A rule for one form of comment; the pattern must be sticky. */
export function comment(pattern: RegExp): MarkRule {
  return { kind: "comment", endAt: endBy(pattern) };
}

/** A rule for one form of string; the pattern must be sticky. */
export function string(pattern: RegExp): MarkRule {
  return { kind: "string", endAt: endBy(pattern) };
}

function endBy(pattern: RegExp): MarkRule["endAt"] {
  return (source, start) => {
    pattern.lastIndex = start;
    return pattern.test(source) ? pattern.lastIndex : start;
  };
}

// An unclosed comment or string extends to the end of its line or of the text, so that nothing is read twice.
export const SLASHES = comment(/\/\/[^\n]*/y);
export const BLOCK = comment(/\/\*[\s\S]*?(?:\*\/|$)/y);
export const HASH = comment(/#[^\n]*/y);
export const DOUBLE = string(/"(?:\\[\s\S]|[^"\\\n])*"?/y);
export const SINGLE = string(/'(?:\\[\s\S]|[^'\\\n])*'?/y);

/**
 * Blanks comments and strings. Accepts any text and takes linear time; text that is not code gives arbitrary
 * results.
 */
export function bareCode(source: string, { starts: anywhere, rules }: CodeMarks): BareCode {
  const text: string[] = [];
  const code: string[] = [];
  let done = 0;
  const starts = new RegExp(anywhere);
  for (let found = starts.exec(source); found !== null; found = starts.exec(source)) {
    const start = found.index;
    const mark = markAt(source, start, rules);
    if (mark === undefined) continue;
    const { kind, end } = mark;
    const before = source.slice(done, start);
    const inside = source.slice(start, end);
    text.push(before, kind === "comment" ? blank(inside) : inside);
    code.push(before, kind === "comment" ? blank(inside) : blankInside(inside));
    done = end;
    starts.lastIndex = end;
  }
  const rest = source.slice(done);
  return { text: text.join("") + rest, code: code.join("") + rest };
}

function markAt(source: string, start: number, rules: CodeMarks["rules"]) {
  for (const { kind, endAt } of rules) {
    const end = endAt(source, start);
    if (end > start) return { kind, end };
  }
  return undefined;
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, " ");
}

/** Keeps the quotes, so that the string's position stays visible. */
function blankInside(text: string): string {
  if (text.length < 2) return text;
  return `${text.charAt(0)}${blank(text.slice(1, -1))}${text.slice(-1)}`;
}
