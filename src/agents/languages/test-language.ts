import type { BareCode, CodeMarks } from "./bare-code.ts";

/**
 * Everything that wisp knows about the tests of one programming language and about what runs them. Every part is asked
 * for, so that none is forgotten: what a language does not have is said to be undefined, or empty. Patterns that are to
 * be without flags are joined with those of the other languages, so they have no numbered groups either.
 */
export interface TestLanguage {
  /** Endings of its files: small letters, with the dot. */
  readonly extensions: readonly string[];
  /** How comments and strings are written. */
  readonly marks: CodeMarks;
  /** The tests of a file, and the groups around them, as they stand in it. */
  readonly regions: (bare: BareCode) => readonly Region[];
  /** Of a source, comments included: what says that none of its tests is run. */
  readonly excludesFile: RegExp | undefined;
  readonly checks: CheckWords;
  /** Paths of files that runners find by their names, and that hold nothing but tests. Without flags. */
  readonly testFiles: RegExp | undefined;
  /** Paths of files in which tests may stand beside the code; none of those that hold tests alone. Without flags. */
  readonly mixedFiles: RegExp | undefined;
  /** Undefined: what a file imports is not read. */
  readonly imports: ImportReader | undefined;
  readonly settings: TestSettings;
  readonly printed: Printed;
  /** Those that wisp can give one more test; of two that one line starts the first is meant. */
  readonly runners: readonly TestRunner[];
}

/** By what the checks of a test are known. */
export interface CheckWords {
  /** Global. */
  readonly assertion: RegExp;
  /** Global: assertions that always hold; looked for in text without white space. */
  readonly trivial: RegExp;
  /** Global: what compares with a whole value. */
  readonly strict: RegExp;
  /** Global: what nearly everything passes. */
  readonly loose: RegExp;
  /** Global: the definition of a function, whose name is the first group that matched. */
  readonly helper: RegExp;
  /** Where such a function ends: at its closing brace, or where the next one begins. */
  readonly helperEnd: "brace" | "next";
  /** What runs something for each of several cases. Without flags. */
  readonly loop: RegExp | undefined;
  /** Words after which the name of a function of the file stands. Without flags. */
  readonly definedBy: RegExp;
  /** What may fail beside assertions; regardless of case. Without flags. */
  readonly mayFail: RegExp | undefined;
  /** Whether a test has a body: a title alone is a plan. */
  readonly isWritten: (text: string) => boolean;
}

/** The settings under which tests run. Names of files are regardless of case. */
export interface TestSettings {
  /**
   * Ends of paths, from a name on: of files that steer how tests run and nothing else, and can stand as before without
   * the rest. Without flags.
   */
  readonly whole: RegExp;
  /** Names of files in which thresholds, and what is left out, are compared. Without flags. */
  readonly compared: RegExp | undefined;
  /** Files that hold such settings beside other things. */
  readonly manifests: readonly Manifest[];
  /** Words of a line that leaves tests or failures out. Without flags. */
  readonly exclusions: RegExp | undefined;
  /** Words before the number of a coverage threshold. Without flags. */
  readonly thresholds: RegExp | undefined;
}

/** A file that holds settings of tests beside other things. */
export interface Manifest {
  /** Small letters. */
  readonly name: string;
  /**
   * Its text after a range, with the settings of tests that it had before; the same text where they are as they were.
   *
   * @param before undefined: there was no such file
   */
  readonly restored: (before: string | undefined, after: string) => string;
}

/** What the runners and compilers of a language print. */
export interface Printed {
  /**
   * Lines that name a failing test, by the first group: without what is different in every run (how long it took), for
   * names of two runs are compared. No line is of two languages.
   */
  readonly failing: readonly RegExp[];
  /** Lines that say how many tests ran. */
  readonly counts: readonly CountLine[];
  /** What is printed where tests, or what runs them, could not even be loaded. Without flags. */
  readonly notLoaded: RegExp | undefined;
  /** Names of what failed that are of a file or a loader, and of no test. Without flags. */
  readonly ofFile: RegExp | undefined;
}

/** Lines that are summed up; those of one kind, from as many parts as there are. */
export interface CountLine {
  readonly line: RegExp;
  /** Tests that such a line counts as passed or failed; those that were skipped did not run. */
  readonly count: (line: string) => number;
}

/** How the files of a language say what they import, as far as static words of single lines do. */
export interface ImportReader {
  /** Endings of the files that are read, without the dot. */
  readonly extensions: readonly string[];
  /** An extended regular expression of git, for lines that may import something. */
  readonly lines: string;
  /** Names of the modules that a line imports. */
  readonly modulesIn: (line: string) => readonly string[];
  /** For each place where a module may lie, the nearest first: its files in the order in which they are looked for. */
  readonly placesOf: (from: string, module: string) => readonly (readonly string[])[];
  /** On a line that imports: what is bound to names, as the first group; of several patterns the first that fits. */
  readonly bindings: readonly RegExp[];
  /** Global: an import with its groups `names` and `module`. */
  readonly named: RegExp;
  /** Imports that only tests have. Without flags; of several lines. */
  readonly onlyOfTests: RegExp;
  /** Modules that runners load by name, from the folder in which they start before any other. */
  readonly loadedByName: ReadonlySet<string>;
}

/** A test runner that wisp knows how to give one more test. */
export interface TestRunner {
  readonly name: string;
  /** Whether a line of commands starts it: its words, and the same without their folders. */
  readonly isStartedBy: (words: readonly string[], names: ReadonlySet<string>) => boolean;
  /** Whether a file with tests of the language is run by it; of two that look alike nothing is known. */
  readonly isOwn: (file: TestFile) => boolean;
  /** A failing test beside one of its files, called and written like it; undefined: that file cannot be the pattern. */
  readonly plantBeside: (file: TestFile, name: string) => CanaryTest | undefined;
}

/** A file with tests of the project. */
export interface TestFile {
  readonly path: string;
  readonly text: string;
}

/** A test that fails, and the file that it is in; nobody who wrote the project knows its name. */
export interface CanaryTest {
  readonly path: string;
  /** The whole of the file. */
  readonly text: string;
  /** By which it is known in what a runner prints. */
  readonly title: string;
}

/** A part of a file that looks like a test or a group of tests. */
export interface Region {
  readonly kind: "test" | "group";
  readonly title: string;
  /** Offsets in the source: its whole text, and the body in which its checks stand. */
  readonly start: number;
  readonly end: number;
  readonly isSkipped: boolean;
  readonly isFocused: boolean;
}

/** Of one file; what comes after is not looked at. */
export const REGIONS_MAX = 2_000;

/** Helpers from elsewhere are known by their names alone. */
export const CHECKING_NAME = "(?:assert|expect|check|verify|require|must|ensure)[A-Z_]\\w*\\s*\\(";

/** A count of a line: the number that a pattern finds there. */
export function numberBy(pattern: RegExp): CountLine["count"] {
  return (line) => Number(pattern.exec(line)?.[1] ?? 0);
}

/** A count of a summary in words: those that ended as passed or failed, in whatever order. */
export function passedOrFailed(line: string): number {
  return [...line.matchAll(/(\d+) (?:failed|passed|xfailed|xpassed)\b/g)].reduce(
    (sum, [, digits]) => sum + Number(digits),
    0,
  );
}
