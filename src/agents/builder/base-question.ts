import { count } from "../../base/words/sentence.ts";
import { REASON_CHARS_MAX } from "../../base/limits.ts";
import { abbreviate, type Oid } from "../../base/oid.ts";

/** A base at which verify is red. */
export interface RedBase {
  readonly at: Oid;
  /** The session, if it keeps the commands that it began with; undefined if an answer may replace them. */
  readonly anew: string | undefined;
  /** The command, and how it ended: one line. */
  readonly reason: string;
  /** The path of its output, relative to the user's repository. */
  readonly output: string | undefined;
  /** False if verify could not run at all: its setup failed, or the tree could not be made. */
  readonly isOfCommit: boolean;
  /** The failing tests that it names. */
  readonly failing: readonly string[];
  /** What is missing, as far as that is known, and how to mend it: a sentence or two each, the likeliest first. */
  readonly missing: readonly string[];
  /** Environment variables of the person that the project's files mention, but its commands do not see. */
  readonly mentioned: readonly string[];
}

/** The limits of what a question shows. */
const REASON_SHOWN_CHARS_MAX = 160;
const NAMES_SHOWN_MAX = 6;
const TESTS_SHOWN_MAX = 3;
const TEST_SHOWN_CHARS_MAX = 60;
const NAME_SHOWN_CHARS_MAX = 40;

/**
 * The question about a red base: what failed, then what the person can do, then details,
 * because narrow views show only the beginning. It never contains values of variables.
 */
export function baseQuestion(red: RedBase): string {
  const where = red.output === undefined ? [] : [`Its output: ${red.output}`];
  // The names of tests give way to what is missing, and that to what a person may do.
  const fewerTests = counted(TESTS_SHOWN_MAX, 1).map((tests) => ({
    tests,
    missing: red.missing.length,
  }));
  const fewerMissing = counted(red.missing.length, 0).map((missing) => ({ tests: 1, missing }));
  const texts = [...fewerTests, ...fewerMissing].map((shown) =>
    [
      failed(red, shown.tests),
      ...red.missing.slice(0, shown.missing),
      ...missed(red),
      again(red),
      accept(red),
    ].join(" "),
  );
  const text = texts.find(({ length }) => length <= REASON_CHARS_MAX) ?? texts.at(-1) ?? "";
  return [text, ...where].join(" ");
}

/** The numbers from one down to another. */
function counted(from: number, to: number): readonly number[] {
  return Array.from({ length: Math.max(0, from - to + 1) }, (_, less) => from - less);
}

function failed({ at, reason, isOfCommit, failing }: RedBase, shown: number): string {
  const why = reason === "" ? "it failed" : shortened(reason, REASON_SHOWN_CHARS_MAX);
  const where = `at ${abbreviate(at)}, in a tree made from that commit alone`;
  if (!isOfCommit) return `Verify could not be run before any work: ${why}, ${where}.`;
  if (failing.length > 0) {
    return `Verify is red before any work, ${where}: ${failedTests(failing, shown)}.`;
  }
  return `Verify is red before any work, and names no failing test: ${why}, ${where}.`;
}

function failedTests(failing: readonly string[], shownMax: number): string {
  const shown = failing.slice(0, shownMax).map((name) => shortened(name, TEST_SHOWN_CHARS_MAX));
  const more = failing.length - shown.length;
  const others = more === 0 ? "" : `, and ${String(more)} more`;
  return `${count(failing.length, "test")} ${failing.length === 1 ? "fails" : "fail"}: ${shown.join(", ")}${others}`;
}

function missed({ mentioned, anew }: RedBase): readonly string[] {
  if (mentioned.length === 0) return [];
  const names = mentioned.filter(({ length }) => length <= NAME_SHOWN_CHARS_MAX);
  const shown = names.slice(0, NAMES_SHOWN_MAX);
  const more = mentioned.length - shown.length;
  const others = more === 0 ? "" : ` and ${String(more)} more`;
  return [
    `Your environment has ${shown.join(", ")}${others}: tracked files mention that, commands do not see it. ` +
      `If it is missing, name it in \`commands.env\` of .wisp/config.yaml${provided(anew)}`,
  ];
}

/** How what is named in the settings reaches the commands. */
function provided(anew: string | undefined): string {
  if (anew === undefined) return ` and answer "again".`;
  return `, run \`wisp abandon ${anew}\`, and start a new session: each keeps the settings that it began with.`;
}

function again({ mentioned, anew }: RedBase): string {
  const what = mentioned.length === 0 ? "something" : "something else";
  const or = anew === undefined ? ", or change the commands in .wisp/config.yaml," : "";
  return `If ${what} is missing, such as a service, start it${or} and answer "again": verify is run once more.`;
}

function accept({ isOfCommit, failing }: RedBase): string {
  if (!isOfCommit) {
    return `Or answer "accept": the work begins, nothing is verified, and the session cannot become complete.`;
  }
  return failing.length === 0
    ? `Or answer "accept": a verify that is red and names no test counts as no worse from then on.`
    : `Or answer "accept": these tests may go on failing, and nothing else.`;
}

/** Keeps the beginning, which shows the command, and the end, which shows how it ended. */
function shortened(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const half = Math.floor(charsMax / 2);
  return `${text.slice(0, half)} … ${text.slice(-half)}`;
}
