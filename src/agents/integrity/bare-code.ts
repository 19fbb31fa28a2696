import type { TestLanguage } from "./test-language.ts";

/** A source text without what only looks like code. Both have the length and the line breaks of the source. */
export interface BareCode {
  /** Comments are blank. */
  readonly text: string;
  /** Comments and the insides of strings are blank. */
  readonly code: string;
}

interface Rule {
  /** Sticky. Where it matches, it takes at least one character. */
  readonly pattern: RegExp;
  readonly kind: "comment" | "string";
}

const comment = (pattern: RegExp): Rule => ({ pattern, kind: "comment" });
const string = (pattern: RegExp): Rule => ({ pattern, kind: "string" });

// What is not closed goes on to the end of its line, or of the text: never back over what was read.
const SLASHES = comment(/\/\/[^\n]*/y);
const BLOCK = comment(/\/\*[\s\S]*?(?:\*\/|$)/y);
const HASH = comment(/#[^\n]*/y);
const DOUBLE = string(/"(?:\\[\s\S]|[^"\\\n])*"?/y);
const SINGLE = string(/'(?:\\[\s\S]|[^'\\\n])*'?/y);

const REGEX = string(
  /(?<=(?:^|[(,=:[!&|?{};+*%~^<>-]|\b(?:return|case|typeof|of|in))\s{0,40})\/(?![/*])(?:\\[^\n]|\[(?:\\[^\n]|[^\]\\\n]){0,300}\]|[^/\\\n[]){1,1000}\/[a-z]*/y,
);

const RULES: Readonly<Record<TestLanguage, readonly Rule[]>> = {
  javascript: [SLASHES, BLOCK, DOUBLE, SINGLE, REGEX],
  python: [HASH, string(/"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)/y), DOUBLE, SINGLE],
  go: [SLASHES, BLOCK, DOUBLE, SINGLE, string(/`[^`]*`?/y)],
  rust: [
    SLASHES,
    BLOCK,
    string(/(?<!\w)b?r(#{0,9})"[\s\S]*?(?:"\1|$)/y),
    string(/"(?:\\[\s\S]|[^"\\])*"?/y),
    // A quote that closes no character begins a lifetime.
    string(/'(?:\\[^\n]{1,10}?|[^'\\\n])'/y),
  ],
  ruby: [
    comment(/(?<=^|\n)=begin[\s\S]*?(?:\n=end[^\n]*|$)/y),
    HASH,
    string(/<<[~-](['"]?)([A-Z_]\w*)\1[^\n]*\n[\s\S]*?(?:\n[ \t]*\2\b|$)/y),
    DOUBLE,
    SINGLE,
  ],
};

/** Characters that may begin a comment or a string. */
const STARTS: Readonly<Record<TestLanguage, RegExp>> = {
  javascript: /[/"'`]/g,
  python: /[#"']/g,
  go: /[/"'`]/g,
  rust: /[/"'rb]/g,
  ruby: /[=#<"']/g,
};

/** Blanks comments and strings. Any text goes through, in linear time; what is no code comes out as it may. */
export function bareCode(source: string, language: TestLanguage): BareCode {
  const text: string[] = [];
  const code: string[] = [];
  let done = 0;
  const starts = new RegExp(STARTS[language]);
  for (let found = starts.exec(source); found !== null; found = starts.exec(source)) {
    const taken = takenAt(source, found.index, language);
    if (taken === undefined) continue;
    const { kind, end } = taken;
    const before = source.slice(done, found.index);
    const inside = source.slice(found.index, end);
    text.push(before, kind === "comment" ? blank(inside) : inside);
    code.push(before, kind === "comment" ? blank(inside) : blankInside(inside));
    done = end;
    starts.lastIndex = end;
  }
  const rest = source.slice(done);
  return { text: text.join("") + rest, code: code.join("") + rest };
}

function takenAt(
  source: string,
  index: number,
  language: TestLanguage,
): { readonly kind: Rule["kind"]; readonly end: number } | undefined {
  if (language === "javascript" && source[index] === "`") {
    return { kind: "string", end: templateEnd(source, index) };
  }
  for (const { pattern, kind } of RULES[language]) {
    pattern.lastIndex = index;
    const end = pattern.test(source) ? pattern.lastIndex : index;
    if (end > index) return { kind, end };
  }
  return undefined;
}

/** After a template literal, with the templates inside its expressions. */
function templateEnd(source: string, start: number): number {
  const stack: ("template" | "braces")[] = ["template"];
  const marks = /\\[\s\S]|`|\$\{|[{}]/g;
  marks.lastIndex = start + 1;
  for (let mark = marks.exec(source); mark !== null; mark = marks.exec(source)) {
    const inTemplate = stack.at(-1) === "template";
    if (mark[0] === "`" && inTemplate) stack.pop();
    else if (mark[0] === "`") stack.push("template");
    else if (mark[0] === "${" || (mark[0] === "{" && !inTemplate)) stack.push("braces");
    else if (mark[0] === "}" && !inTemplate) stack.pop();
    if (stack.length === 0) return marks.lastIndex;
  }
  return source.length;
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, " ");
}

/** The marks around it stay, so that one sees where it is. */
function blankInside(text: string): string {
  if (text.length < 2) return text;
  return `${text.charAt(0)}${blank(text.slice(1, -1))}${text.slice(-1)}`;
}
