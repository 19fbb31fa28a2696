import { FAILING_TESTS_MAX } from "../../base/limits.ts";
import { NAMING_RULES, type Tally } from "../../fs-protocol/records/tally.ts";
import { failuresIn, totalsOf } from "../printed/all-printed.ts";
import type { Totals } from "../printed/totals.ts";
import { failingLines } from "./failing-lines.ts";

/** What the output of a test run says of its tests. */
export interface Failures {
  /** The identity of each failing test, sorted; undefined if none were recognised. */
  readonly failing: readonly string[] | undefined;
  /** Undefined if the names are read by the rules of a session that an older wisp began. */
  readonly tally: Tally | undefined;
}

/** An output of a run, and how it is read. */
export interface PrintedRun {
  readonly output: string;
  /** Whether the output is only the end of what was printed. */
  readonly isCut: boolean;
  /** The folder of the verify trees, each of which is `<number>/tree` in it. */
  readonly trees: string;
  /** The name of the folder of the neutral tree, if it ran there. */
  readonly neutral?: string | undefined;
}

/** Reads which tests failed, how often each, and the totals that the runners print. */
export function failingTests({ output, isCut, trees, neutral }: PrintedRun): Failures {
  const text = withoutTree(output, trees, neutral);
  const all = [...failuresIn(text)].sort(([one], [other]) => (one < other ? -1 : 1));
  const kept = all.slice(0, FAILING_TESTS_MAX);
  const times = kept.map(([, count]) => count);
  const tally = {
    rules: NAMING_RULES,
    ...(times.some((count) => count > 1) ? { times } : {}),
    ...(isCut || kept.length < all.length ? { isCut: true } : {}),
    ...printedTotals(text),
  };
  return { failing: kept.length === 0 ? undefined : kept.map(([name]) => name), tally };
}

/** What is read of a run that passed: its totals. */
export function passedTally({ output, trees, neutral }: PrintedRun): Tally {
  return { rules: NAMING_RULES, ...printedTotals(withoutTree(output, trees, neutral)) };
}

/** The totals; a number below 0 means that a part of the lines is missing. */
function printedTotals(text: string): Totals {
  const known = Object.entries(totalsOf(text)).filter(([, count]) => count >= 0);
  return Object.fromEntries(known);
}

/** The same by the rules of a session that an older wisp began. */
export function failingByFirstRules({ output }: Pick<PrintedRun, "output">): Failures {
  return { failing: failingLines(output), tally: undefined };
}

/** The folder alone, as a test's title may have it, and not the begin of another's name. */
const NAME_ENDS = String.raw`(?![\w-]|\.\w)`;

/** Bounds the time that a line of slashes takes. */
const LINKED_CHARS_MAX = 300;

/**
 * Leaves out the path of the tree, or puts "." for it alone: it differs from tree to tree and is nothing that people
 * know. Some systems show a folder under another path than the one by which it was opened; so whatever leads to the same
 * two folders counts.
 */
export function withoutTree(output: string, trees: string, neutral?: string): string {
  const paths = new Set([trees, encodeURI(trees)]);
  const all = [...paths].map((path) => `(?:/private)?${escaped(path)}`);
  const [home = "", folder = ""] = trees.split("/").slice(-2);
  const place = [...all, leadingTo(`${home}/${folder}`)].join("|");
  const numbered = String.raw`(?:${place})/\d+/tree`;
  const own = neutral === undefined ? numbered : `${numbered}|${leadingTo(neutral)}/src`;
  const found = new RegExp(`(?:file://)?(?:${own})(/|${NAME_ENDS})`, "g");
  return output.replace(found, (_, end: string) => (end === "/" ? "" : "."));
}

function leadingTo(end: string): string {
  return String.raw`/[^\s()'"<>]{0,${String(LINKED_CHARS_MAX)}}?/${escaped(end)}`;
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
