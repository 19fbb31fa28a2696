import { readBats, readBusted, readExunit, readGradle, readSurefire } from "./other-runs.ts";
import { readCatch2, readCtest, readErt, readGtest } from "./native-runs.ts";
import { readPerl } from "./perl.ts";
import { readPhpunit } from "./ruby-and-php.ts";
import type { FailureReader } from "./test-identity.ts";
import { countLine, numberOf, totalsOfAll, type CountLine } from "./totals.ts";

/** What runners print that belong to no language whose tests wisp compares, or to several of them. */
export const OTHER_RUNNERS: {
  readonly failing: readonly FailureReader[];
  readonly counts: readonly CountLine[];
} = {
  failing: [
    ...[readPerl, readBats, readPhpunit, readSurefire, readGradle],
    ...[readGtest, readCtest, readCatch2, readExunit, readBusted, readErt],
  ],
  counts: [
    // prove has the number of all tests at its end, and that of failed ones for each script.
    countLine(/^Files=\d+, Tests=(\d+),/, "passed"),
    {
      line: /^\S+\s+\(Wstat: .* Tests: \d+ Failed: \d+\)$/,
      totals: (line) => {
        const failed = numberOf(line, /Failed: (\d+)/g);
        return { passed: -failed, failed };
      },
    },
    // PHPUnit
    countLine(/^OK \((\d+) tests?, \d+ assertions?\)$/, "passed"),
    {
      line: /^Tests: \d+, Assertions: \d+/,
      totals: (line) =>
        totalsOfAll(line, {
          all: /Tests: (\d+)/g,
          failed: /(?:Errors|Failures): (\d+)/g,
          skipped: /(?:Skipped|Incomplete): (\d+)/g,
        }),
    },
    // Surefire; a line for one class also has a time.
    {
      line: /^\[\w+\] Tests run: \d+, Failures: \d+, Errors: \d+, Skipped: \d+$/,
      totals: (line) =>
        totalsOfAll(line, {
          all: /Tests run: (\d+)/g,
          failed: /(?:Errors|Failures): (\d+)/g,
          skipped: /Skipped: (\d+)/g,
        }),
    },
    // Gradle, only if a test failed
    {
      line: /^\d+ tests? completed, \d+ failed/,
      totals: (line) =>
        totalsOfAll(line, {
          all: /(\d+) tests? completed/g,
          failed: /(\d+) failed/g,
          skipped: /(\d+) skipped/g,
        }),
    },
    // googletest
    countLine(/^\[ {2}PASSED {2}\] (\d+) tests?\.$/, "passed"),
    countLine(/^\[ {2}FAILED {2}\] (\d+) tests?, listed below:$/, "failed"),
    countLine(/^\[ {2}SKIPPED \] (\d+) tests?, listed below:$/, "skipped"),
    // ctest
    {
      line: /^\d+% tests passed, \d+ tests? failed out of \d+$/,
      totals: (line) =>
        totalsOfAll(line, {
          all: /out of (\d+)/g,
          failed: /(\d+) tests? failed/g,
          skipped: /(?!)/g,
        }),
    },
    // Catch2
    countLine(/^All tests passed \(\d+ assertions? in (\d+) test cases?\)$/, "passed"),
    {
      line: /^test cases: +\d+ \|/,
      totals: (line) => ({
        passed: numberOf(line, /(\d+) passed/g),
        failed: numberOf(line, /(\d+) failed(?! as expected)/g),
      }),
    },
    // ExUnit, bats for a terminal: `2 doctests, 5 tests, 3 failures, 1 skipped`
    {
      line: /^(?:\d+ (?:doctests?|propert(?:y|ies)), )*\d+ tests?, \d+ failures?(?:, \d+ (?:excluded|invalid|skipped|not run))*$/,
      totals: (line) =>
        totalsOfAll(line, {
          all: /(\d+) (?:doctests?|propert(?:y|ies)|tests?)\b/g,
          failed: /(\d+) (?:failures?|invalid)\b/g,
          skipped: /(\d+) (?:excluded|skipped|not run)\b/g,
        }),
    },
    // busted
    {
      line: /^\d+ success(?:es)? \/ \d+ failures? \/ \d+ errors? \/ \d+ pending/,
      totals: (line) => ({
        passed: numberOf(line, /(\d+) success/g),
        failed: numberOf(line, /(\d+) (?:failures?|errors?)\b/g),
        skipped: numberOf(line, /(\d+) pending/g),
      }),
    },
    // ERT
    {
      line: /^Ran \d+ tests?, \d+ results? as expected/,
      totals: (line) => ({
        passed: numberOf(line, /(\d+) results? as expected/g),
        failed: numberOf(line, /(\d+) unexpected/g),
        skipped: numberOf(line, /(\d+) skipped/g),
      }),
    },
  ],
};
