/** Where an output describes one failure. */
export interface FailureBlock {
  /** Its lines, bounded; before them the title under which a runner printed it, if that stands further up. */
  readonly lines: readonly string[];
  /** Index of the first line after it. */
  readonly after: number;
}

/** A line with which runners and compilers begin what they say about one failure. */
interface Head {
  readonly line: RegExp;
  /**
   * What belongs to it: the lines that are `indented` further, all up to the end of a `section` (another head, a rule, a
   * summary), or a `paragraph`. An `opened` section must begin with a line that is indented further.
   */
  readonly body: "indented" | "section" | "opened" | "paragraph";
  /** Lower is better: a test, then what may also be a file or a list, then any error, which a passing test may print. */
  readonly rank: number;
  /** What above it belongs to it, too: the nearest comment, or the indented lines directly above. */
  readonly above?: "comment" | "indented";
}

const HEADS: readonly Head[] = [
  // TAP: a line with a directive is expected to fail. tape prints the test's title above, as a comment.
  {
    line: /^\s*not ok \d+(?!.*(?<!\\)# (?:TODO|SKIP))/i,
    body: "indented",
    rank: 0,
    above: "comment",
  },
  // node --test, jest, vitest, mocha
  { line: /^\s*[✖✕✗×●] (?!failing tests:)\S/u, body: "indented", rank: 0 },
  // go: with -v, what a test printed stands above.
  { line: /^\s*--- FAIL: \S/, body: "indented", rank: 0, above: "indented" },
  // pytest
  { line: /^_{3,} \S.* _{3,}$/, body: "section", rank: 0 },
  // unittest
  { line: /^(?:FAIL|ERROR): \S/, body: "section", rank: 0 },
  // cargo
  { line: /^---- \S.* stdout ----$/, body: "section", rank: 0 },
  // minitest, PHPUnit
  { line: /^\s*\d+\) (?:(?:Failure|Error):|\S+::\S+)/, body: "section", rank: 0 },
  // gradle
  { line: /^\S.* > .+ FAILED$/, body: "indented", rank: 0 },
  // jest and vitest: a file; vitest: also a test
  { line: /^ ?FAIL {1,2}\S/, body: "section", rank: 1 },
  // mocha, RSpec
  { line: /^\s+\d+\) \S/, body: "opened", rank: 1 },
  { line: /^\W*FAIL(?:ED|URE)?\b\W* \S/, body: "indented", rank: 1 },
  // Compilers, and what programs throw
  {
    line: /^\s*(?:(?:error|ERROR|fatal|panic)(?:\[\w+\]| error)?:|Traceback \(most recent call last\):|(?:[A-Za-z_$][\w$.]*)?(?:Error|Exception)\b(?: \[\w+\])?(?::|$)|\S+[:(]\d+[:,]\d+\)?: )/,
    body: "paragraph",
    rank: 2,
  },
];

const RULE = /^\s*([-=_⎯─])\1{2,}(?:.*\1)?$/u;
const SUMMARY = /^(?:failures:$|Failed examples:$|Finished in |FAIL\b|Ran \d+ tests?\b|Tests:? )/;
const COMMENT = /^\s*# (?:Subtest: )?(.*\S)/;

/** How much of a line is looked at, and shown. */
const LINE_CHARS_MAX = 400;
const BLOCK_LINES_MAX = 60;
/** How many lines that may begin a block are compared. */
const HEADS_MAX = 2_000;
/** How many names are searched for. */
const NAMES_MAX = 20;
/** How far above a test's title is searched for. */
const TITLE_LINES_MAX = 200;
const ABOVE_LINES_MAX = 20;
/** A name is looked for in the first lines of a block, since some runners print titles on lines of their own. */
const NAMED_LINES = 3;

/**
 * The first failure that an output describes, if possible one of these tests, and with what is wrong: most runners print
 * a test's name more than once. Undefined if no line looks like a failure.
 */
export function failureBlock(
  all: readonly string[],
  names: readonly string[],
): FailureBlock | undefined {
  const lines = all.map((line) => line.slice(0, LINE_CHARS_MAX));
  const words = names.slice(0, NAMES_MAX).map(lastTitle);
  let best: Candidate | undefined;
  let count = 0;
  for (const [at, line] of lines.entries()) {
    const head = headOf(line);
    if (head === undefined) continue;
    if (++count > HEADS_MAX) break;
    const candidate = candidateAt(lines, at, head, words);
    if (best === undefined || candidate.order < best.order) best = candidate;
    if (best.order === 0) break;
  }
  return best && blockOf(lines, best);
}

interface Candidate {
  readonly at: number;
  readonly after: number;
  readonly head: Head;
  /** Less is better. */
  readonly order: number;
}

function candidateAt(
  lines: readonly string[],
  at: number,
  head: Head,
  words: readonly string[],
): Candidate {
  const after = endOf(lines, at, head);
  const first = lines.slice(at, Math.min(after, at + NAMED_LINES)).join("\n");
  const isNamed = words.some((word) => holds(first, word));
  const hasDetails = after > at + 1 || (head.above === "indented" && isIndented(lines[at - 1]));
  const order = (isNamed ? 0 : 100) + (hasDetails ? 0 : 10) + head.rank;
  return { at, after, head, order };
}

function headOf(line: string): Head | undefined {
  return HEADS.find((head) => head.line.test(line));
}

/** The last part of a name that has its file and groups before it. */
function lastTitle(name: string): string {
  const title = name.split(/ [>›] |::/u).findLast((part) => part.trim() !== "");
  return (title ?? name).trim();
}

/** Whether a text has these words, not only as a part of longer ones. */
function holds(text: string, words: string): boolean {
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    const around = `${text.charAt(at - 1)} ${text.charAt(at + words.length)}`;
    if (!/[\p{L}\p{N}]/u.test(around)) return true;
  }
  return false;
}

/** Index of the first line that does not belong to the head at `at`. */
function endOf(lines: readonly string[], at: number, head: Head): number {
  const below = lines.slice(at + 1, at + BLOCK_LINES_MAX);
  const isOpened = isDeeper(below.find(isFilled), lines[at] ?? "");
  const count = lengthOf(below, lines[at] ?? "", {
    ...head,
    // jest lists a file's tests and failures below it, vitest prints one failure, not indented.
    body: head.body === "section" && head.rank === 1 && isOpened ? "indented" : head.body,
  });
  const rest = head.body === "opened" && !isOpened ? 0 : count;
  const last = below.slice(0, rest).findLastIndex(isFilled);
  return at + 2 + last;
}

function lengthOf(below: readonly string[], line: string, { body, rank }: Head): number {
  const ends = (next: string, index: number) => {
    switch (body) {
      case "indented":
        return isFilled(next) && !isDeeper(next, line);
      case "paragraph":
        return !isFilled(next) || SUMMARY.test(next);
      case "section":
      case "opened":
        if (index === 0 && RULE.test(next)) return false;
        return RULE.test(next) || SUMMARY.test(next) || (headOf(next)?.rank ?? Infinity) <= rank;
    }
  };
  const end = below.findIndex(ends);
  return end < 0 ? below.length : end;
}

function isFilled(line: string): boolean {
  return line.trim() !== "";
}

function isDeeper(line: string | undefined, than: string): boolean {
  return line !== undefined && indentOf(line) > indentOf(than);
}

function isIndented(line: string | undefined): boolean {
  return line !== undefined && isFilled(line) && indentOf(line) > 0;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function blockOf(lines: readonly string[], { at, after, head }: Candidate): FailureBlock {
  const own = lines.slice(at, after);
  return { lines: [...aboveOf(lines, at, head), ...own], after };
}

function aboveOf(lines: readonly string[], at: number, { above }: Head): readonly string[] {
  if (above === "comment") {
    const near = lines.slice(Math.max(0, at - TITLE_LINES_MAX), at);
    const title = near.findLast((line) => COMMENT.test(line)) ?? "";
    const words = COMMENT.exec(title)?.[1] ?? "";
    return words === "" || lines[at]?.includes(words) === true ? [] : [title];
  }
  if (above === undefined) return [];
  const near = lines.slice(Math.max(0, at - ABOVE_LINES_MAX), at);
  return near.slice(near.findLastIndex((line) => !isIndented(line)) + 1);
}
