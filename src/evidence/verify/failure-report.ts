import { cleanText } from "../../base/words/clean-text.ts";
import { failureBlock } from "./failure-block.ts";

/** A red run of the project's own commands. */
export interface RedRun {
  /** Its output, cleaned; of a long one the end. */
  readonly text: string;
  /** Whether `text` is all of it. */
  readonly isWhole: boolean;
  /** The tests that fail and did not fail before. */
  readonly names: readonly string[];
}

/** A red run whose output is in a file. */
export interface RedOutput extends RedRun {
  /** Name of the file below `logs/turns`, without its extension; undefined if there is none. */
  readonly output: string | undefined;
}

/** How much of a red run is told. */
interface Extent {
  readonly namesMax: number;
  readonly blockCharsMax: number;
  readonly tailCharsMax: number;
  /** The tail if there is no block to show. */
  readonly onlyTailCharsMax: number;
  /** Leaves out lines that say nothing. */
  readonly isTerse?: boolean;
}

const NAME_SHOWN_CHARS_MAX = 100;

/** For the prompt of the next attempt. */
const IN_PROMPT: Extent = {
  namesMax: 20,
  blockCharsMax: 4_000,
  tailCharsMax: 2_000,
  onlyTailCharsMax: 6_000,
};
/** For a bug: together no more than BUG_OUTPUT_TAIL_CHARS_MAX. */
const IN_BUG: Extent = {
  namesMax: 3,
  blockCharsMax: 450,
  tailCharsMax: 200,
  onlyTailCharsMax: 650,
};
/** For one line: fits into a reason, with words before and after it. */
const IN_LINE: Extent = {
  namesMax: 5,
  blockCharsMax: 300,
  tailCharsMax: 120,
  onlyTailCharsMax: 400,
  isTerse: true,
};

/** Tells the next attempt what failed: names, then the first failure, then the end of the output. */
export function failureReport(red: RedRun, path: string): string {
  const { names, block, tail } = partsOf(red, IN_PROMPT);
  return [
    names.length === 0 ? "" : ["Tests that fail:", ...names.map((name) => `- ${name}`)].join("\n"),
    block === "" ? "" : `The first of them:\n\n${quoted(block)}`,
    tail === "" ? "" : `The end of the output:\n\n${quoted(tail)}`,
    path === "" ? "" : `The output: \`${path}\`.`,
    beginningWords(red),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** What a bug shows of the run that proves it, beside names: the first failure, then the end of the output. */
export function failureExcerpt(red: RedRun): string {
  const { block, tail } = partsOf(red, IN_BUG);
  return [block, tail].filter((part) => part !== "").join("\n…\n");
}

/** The same for a bug whose texts do not name the tests: these come first. */
export function namedExcerpt(red: RedRun): string {
  const names = namedTests(red.names, IN_BUG.namesMax);
  const which = names === "" ? "" : `Tests that fail: ${names}`;
  return [which, failureExcerpt(red)].filter((part) => part !== "").join("\n");
}

/**
 * Says in one line what failed, for a record: names first, because the rest may be cut off.
 *
 * @param how how the command ended, if its output does not say that
 */
export function failureLine({ output, ...red }: RedOutput, how = ""): string {
  const { names, block, tail } = partsOf(red, IN_LINE);
  const isOnlyTail = names.length === 0 && block === "";
  const sentences = [
    names.join(", "),
    block === "" ? "" : `The first: ${block}`,
    tail === "" || isOnlyTail ? tail : `The output ended with: ${tail}`,
    beginningWords(red),
  ].filter((part) => part !== "");
  const where = output === undefined ? "" : `(logs/turns/${output}.out)`;
  return [oneLine(sentences.join(". "), LINE_CHARS_MAX), how, where]
    .filter((part) => part !== "")
    .join(" ");
}

const LINE_CHARS_MAX = 720;

/** The first names, and how many more there are; one line. */
export function namedTests(names: readonly string[], namesMax = IN_LINE.namesMax): string {
  return listed(names, namesMax).join(", ");
}

function listed(names: readonly string[], namesMax: number): readonly string[] {
  const shown = names.slice(0, namesMax).map((name) => oneLine(name, NAME_SHOWN_CHARS_MAX));
  const more = names.length - shown.length;
  return more > 0 && namesMax > 0 ? [...shown, `and ${String(more)} more`] : shown;
}

interface Parts {
  readonly names: readonly string[];
  readonly block: string;
  readonly tail: string;
}

function partsOf(
  { text, names }: RedRun,
  { namesMax, blockCharsMax, isTerse = false, ...extent }: Extent,
): Parts {
  const lines = text.split("\n");
  const found = failureBlock(lines, names);
  const rest = lines.slice(found?.after ?? 0).join("\n");
  const isAlone = found === undefined;
  const block = (found?.lines ?? []).filter((line) => !isTerse || !SAYS_NOTHING.test(line));
  return {
    names: listed(names, namesMax),
    block: isAlone ? "" : cut(block.join("\n"), blockCharsMax),
    tail: endOf(rest, isAlone ? extent.onlyTailCharsMax : extent.tailCharsMax),
  };
}

/** Marks and times of TAP, which stand before what is wrong. */
const SAYS_NOTHING = /^\s*(?:---|\.\.\.|duration_ms: .*)$/;

function cut(text: string, charsMax: number): string {
  return cleanText(text, { charsMax, lines: "many" });
}

/** The end of a text, from the start of a line if there is one. */
function endOf(text: string, charsMax: number): string {
  const clean = cut(text, text.length + 1);
  if (clean.length <= charsMax) return clean;
  const end = clean.slice(1 - charsMax);
  const line = end.indexOf("\n");
  return `…${cut(line < 0 ? end : end.slice(line + 1), charsMax)}`;
}

function oneLine(text: string, charsMax: number): string {
  return cleanText(text, { charsMax, lines: "one" });
}

/** Indented, so that no line of a program's output is mistaken for a line of the prompt. */
function quoted(text: string): string {
  return text.replace(/^(?=.)/gm, "    ");
}

function beginningWords({ isWhole }: RedRun): string {
  return isWhole ? "" : "The beginning of the output was not read";
}
