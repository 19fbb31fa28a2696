/** A source text without what only looks like code. Both have the length and the line breaks of the source. */
export interface BareCode {
  /** Comments are blank. */
  readonly text: string;
  /** Comments and the insides of strings are blank. */
  readonly code: string;
}

/** How a language writes what only looks like code. */
export interface CodeMarks {
  /** Global: characters that may begin a comment or a string. */
  readonly starts: RegExp;
  /** Of several that begin at one place the first counts. */
  readonly rules: readonly MarkRule[];
}

/** One form of comments or strings. */
export interface MarkRule {
  readonly kind: "comment" | "string";
  /** Where that ends which begins at an offset of a source; the offset itself: there is none. */
  readonly endAt: (source: string, start: number) => number;
}

/** Comments of one form, by a sticky pattern. */
export function comment(pattern: RegExp): MarkRule {
  return { kind: "comment", endAt: endBy(pattern) };
}

/** Strings of one form, by a sticky pattern. */
export function string(pattern: RegExp): MarkRule {
  return { kind: "string", endAt: endBy(pattern) };
}

function endBy(pattern: RegExp): MarkRule["endAt"] {
  return (source, start) => {
    pattern.lastIndex = start;
    return pattern.test(source) ? pattern.lastIndex : start;
  };
}

// What is not closed goes on to the end of its line, or of the text: never back over what was read.
export const SLASHES = comment(/\/\/[^\n]*/y);
export const BLOCK = comment(/\/\*[\s\S]*?(?:\*\/|$)/y);
export const HASH = comment(/#[^\n]*/y);
export const DOUBLE = string(/"(?:\\[\s\S]|[^"\\\n])*"?/y);
export const SINGLE = string(/'(?:\\[\s\S]|[^'\\\n])*'?/y);

/** Blanks comments and strings. Any text goes through, in linear time; what is no code comes out as it may. */
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

/** The marks around it stay, so that one sees where it is. */
function blankInside(text: string): string {
  if (text.length < 2) return text;
  return `${text.charAt(0)}${blank(text.slice(1, -1))}${text.slice(-1)}`;
}
