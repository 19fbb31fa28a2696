import type { PassReader } from "../printed/listed-tree.ts";
import { fileOfIdentity } from "../printed/test-identity.ts";

/** A test to run alone, by its identity. */
export interface WantedTest {
  /** The identity as it is in records. */
  readonly text: string;
  /** What the runner prints of it: a file if it prints one, titles and a name. */
  readonly parts: readonly [string, ...string[]];
}

/** The same where the first part is a file. */
export interface TestInFile extends WantedTest {
  readonly file: string;
  /** The titles around it, and its name at the end. */
  readonly titles: readonly [string, ...string[]];
}

/** The arguments that choose tests, in place of a runner's own; undefined if they cannot be narrowed. */
export type NarrowArguments = (
  args: readonly string[],
  tests: readonly WantedTest[],
) => readonly string[] | undefined;

/** A test file to run alone. */
export interface WantedFile {
  readonly path: string;
  /** Whether the output of the whole suite names it. */
  readonly isSeen: boolean;
}

/**
 * The arguments that choose one test file, in place of a runner's own; undefined if it cannot be chosen, or if it is not
 * certain that it is among those that the runner's own arguments choose.
 */
export type NarrowToFile = (
  args: readonly string[],
  file: WantedFile,
) => readonly string[] | undefined;

/** How one runner is made to run chosen tests only. */
export interface Narrower {
  readonly name: string;
  /** How many of these words start the runner: its arguments follow. Undefined if they do not start it. */
  readonly startOf: (words: readonly string[]) => number | undefined;
  /** Whether the tests of each file are a run of their own, since what is printed does not tell files apart. */
  readonly isPerFile: boolean;
  readonly narrow: NarrowArguments;
  /** Absent: it cannot be made to run one file. */
  readonly ofFile?: NarrowToFile;
  /** Reads what passed in the output of the narrowed command. */
  readonly passed: PassReader;
}

/** Takes an identity apart; undefined if it was too long to be kept whole. */
export function wantedTest(text: string): WantedTest | undefined {
  const [first = "", ...more] = text.split(" > ");
  return first === "" || text.includes("…") ? undefined : { text, parts: [first, ...more] };
}

/** The same tests with their files; undefined if one has no file, or is one. */
export function testsInFiles(tests: readonly WantedTest[]): readonly TestInFile[] | undefined {
  const all = tests.flatMap(({ text, parts: [file, title, ...more] }): readonly TestInFile[] => {
    if (title === undefined || fileOfIdentity(text) !== file || !isBelow(file)) return [];
    return [{ text, parts: [file, title, ...more], file, titles: [title, ...more] }];
  });
  return all.length === tests.length ? all : undefined;
}

/** Whether a path is in the tree, and no option: what a runner prints may come from a model. */
export function isBelow(path: string): boolean {
  return !/^[-/]/.test(path) && !path.split("/").includes("..");
}

/** A regular expression for exactly one of several texts, for runners that know the usual signs. */
export function exactly(texts: readonly string[]): string {
  const parts = [...new Set(texts)].map((text) => text.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&"));
  return parts.length === 1 ? `^${parts.join("")}$` : `^(${parts.join("|")})$`;
}

/** The files of tests, each once. */
export function filesOfTests(tests: readonly TestInFile[]): readonly string[] {
  return [...new Set(tests.map(({ file }) => file))];
}

/** Titles and name with one space between them. */
export function joinedTitles({ titles }: TestInFile): string {
  return titles.join(" ");
}
