import type { FailureReader } from "../printed/test-identity.ts";
import type { CountLine } from "../printed/totals.ts";
import type { BareCode, CodeMarks } from "./bare-code.ts";

/**
 * Everything that wisp knows about tests in one programming language, and about what runs them. All properties
 * are required, so that none is forgotten; one that a language does not have is undefined or empty. Patterns
 * documented as "without flags" are joined with those of the other languages, so they must not have numbered
 * groups either.
 */
export interface TestLanguage {
  /** Extensions of its files: lower case, with the dot. */
  readonly extensions: readonly string[];
  /** How comments and strings are written. */
  readonly marks: CodeMarks;
  /** Finds the tests of a file and the groups around them, in the order of the file. */
  readonly regions: (bare: BareCode) => readonly Region[];
  /** Matches a source, comments included, none of whose tests is run. */
  readonly excludesFile: RegExp | undefined;
  readonly checks: CheckWords;
  /** Paths of files that runners find by name, and that hold nothing but tests. Without flags. */
  readonly testFiles: RegExp | undefined;
  /** Paths of files that may mix tests and code; never those that hold only tests. Without flags. */
  readonly mixedFiles: RegExp | undefined;
  /** Undefined if wisp does not read the language's imports. */
  readonly imports: ImportReader | undefined;
  readonly settings: TestSettings;
  readonly printed: Printed;
  /** Runners for which wisp can write a test. If a command line starts two of them, the first counts. */
  readonly runners: readonly TestRunner[];
}

/** How to recognise the checks in a test. */
export interface CheckWords {
  /** Assertions. Must have the flag `g`. */
  readonly assertion: RegExp;
  /** Assertions that always hold, matched in text without white space. Must have the flag `g`. */
  readonly trivial: RegExp;
  /** Assertions that compare with a whole value. Must have the flag `g`. */
  readonly strict: RegExp;
  /** Assertions that nearly every value passes. Must have the flag `g`. */
  readonly loose: RegExp;
  /** The definition of a function, whose name is the first group that matched. Must have the flag `g`. */
  readonly helper: RegExp;
  /** Where such a function ends: at its closing brace, or where the next one begins. */
  readonly helperEnd: "brace" | "next";
  /** Code that runs something for each of several cases. Without flags. */
  readonly loop: RegExp | undefined;
  /** Keywords that precede a function's name in its definition. Without flags. */
  readonly definedBy: RegExp;
  /** Code other than assertions that may fail; matched regardless of case. Without flags. */
  readonly mayFail: RegExp | undefined;
  /** Loads a runner whose totals count each check, not each test. Without flags. */
  readonly countsChecks?: RegExp;
  /** Whether a test has a body. A title alone only announces a test. */
  readonly isWritten: (text: string) => boolean;
}

/** The settings under which tests run. File names are matched regardless of case. */
export interface TestSettings {
  /**
   * Path endings, each from the start of a name, of files that only steer how tests run, and that can be
   * restored without the rest of the project. Without flags.
   */
  readonly whole: RegExp;
  /** Names of files whose thresholds and exclusions are compared. Without flags. */
  readonly compared: RegExp | undefined;
  /** Files that hold such settings among other things. */
  readonly manifests: readonly Manifest[];
  /** Words of a line that excludes tests or ignores failures. Without flags. */
  readonly exclusions: RegExp | undefined;
  /** Words that precede the number of a coverage threshold. Without flags. */
  readonly thresholds: RegExp | undefined;
}

/** A file that holds settings for tests among other things. */
export interface Manifest {
  /** In lower case. */
  readonly name: string;
  /**
   * Returns the text after a range with its former settings for tests; the same text if they did not change.
   *
   * @param before undefined if there was no such file
   */
  readonly restored: (before: string | undefined, after: string) => string;
  /** The same for what leads from the names of modules to files; undefined if it holds nothing of the kind. */
  readonly mapped?: ((before: string | undefined, after: string) => string) | undefined;
}

/** The output of a language's runners and compilers. */
export interface Printed {
  /** Find the failing tests, with what the runner prints around them. */
  readonly failing: readonly FailureReader[];
  /** Lines that report how many tests did what. No line may match in two languages. */
  readonly counts: readonly CountLine[];
  /** Output that shows that tests, or their harness, could not be loaded. Without flags. */
  readonly notLoaded: RegExp | undefined;
  /** Failing names that denote a file or a loader rather than a test. Without flags. */
  readonly ofFile: RegExp | undefined;
}

/** How to read the imports of a language's files, as far as static words of single lines tell. */
export interface ImportReader {
  /** Extensions of the files that are read, without the dot. */
  readonly extensions: readonly string[];
  /** An extended regular expression for `git grep` that matches lines which may import something. */
  readonly lines: string;
  /** The names of the modules that a line imports. */
  readonly modulesIn: (line: string) => readonly string[];
  /** For each place where a module may be, nearest first: the files to look for there, in order. */
  readonly placesOf: (from: string, module: string) => readonly (readonly string[])[];
  /** Match an import line, with the bound names as first group; the first pattern that matches counts. */
  readonly bindings: readonly RegExp[];
  /** Matches an import with the groups `names` and `module`. Must have the flag `g`. */
  readonly named: RegExp;
  /** Imports that only test code contains. Without flags; matched against several lines. */
  readonly onlyOfTests: RegExp;
  /** Modules that runners load by name, looking first in the folder in which they start. */
  readonly loadedByName: ReadonlySet<string>;
}

/** A test runner for which wisp can write a test. */
export interface TestRunner {
  readonly name: string;
  /** Whether a command line starts it. `names` are the line's words without their folders. */
  readonly isStartedBy: (words: readonly string[], names: ReadonlySet<string>) => boolean;
  /** Whether it runs a test file of the language; runners whose files look alike cannot be told apart. */
  readonly isOwn: (file: TestFile) => boolean;
  /**
   * Creates a failing test next to one of its files, named and written like it; undefined if that file cannot
   * serve as a pattern.
   */
  readonly plantBeside: (file: TestFile, name: string) => CanaryTest | undefined;
  /**
   * The same, with what other test files load, so that it runs together with the code under test, and red only if each
   * usual assertion can fail. Its title is no part of its path. Undefined if a failing test is together with the code
   * anyway, as one in the same package of a compiled language.
   */
  readonly plantOn?: (
    file: TestFile,
    name: string,
    loaded: readonly TestFile[],
  ) => CanaryTest | undefined;
}

/** A test file of the project. */
export interface TestFile {
  readonly path: string;
  readonly text: string;
}

/** A failing test with its file. The project's authors cannot know its name. */
export interface CanaryTest {
  readonly path: string;
  /** The complete text of the file. */
  readonly text: string;
  /** The test's name in a runner's output. */
  readonly title: string;
}

/** A part of a file that looks like a test or a group of tests. */
export interface Region {
  readonly kind: "test" | "group";
  readonly title: string;
  /** Offsets in the source, from its beginning to the end of its body. */
  readonly start: number;
  readonly end: number;
  readonly isSkipped: boolean;
  readonly isFocused: boolean;
}

/** Limit per file; further tests are ignored. */
export const REGIONS_MAX = 5_000;

/** Matches a call of an imported helper that checks; such a helper is recognised only by its name. */
export const CHECKING_NAME = "(?:assert|expect|check|verify|require|must|ensure)[A-Z_]\\w*\\s*\\(";
