/** How a runner says that there is no test for it to run. */
interface NoTestsLine {
  readonly line: RegExp;
  /** With which exit code it ends then; `any`: the line itself says that it fails for that; undefined: it passes. */
  readonly exit: number | "any" | undefined;
}

const NO_TESTS: readonly NoTestsLine[] = [
  // npm's placeholder for a package without tests.
  { line: /^Error: no test specified$/, exit: "any" },
  // pytest, unittest
  { line: /^(?:=+ )?no tests (?:ran|collected)\b.* in [\d.]+s/, exit: 5 },
  { line: /^NO TESTS RAN(?: \(.*\))?$/, exit: 5 },
  // jest, vitest
  { line: /^No tests found, exiting with code [1-9]\d*$/, exit: "any" },
  { line: /^No test files? found, exiting with code [1-9]\d*$/, exit: "any" },
  { line: /^No tests? (?:files? )?found, exiting with code 0$/, exit: undefined },
  // mocha, ava, Playwright
  { line: /^\s*Error: No test files found(?:: .*)?$/, exit: "any" },
  { line: /^\s*[✖✘] Couldn[’']t find any files to test$/, exit: "any" },
  { line: /^Error: No tests found\.?$/, exit: "any" },
  // deno, bun
  { line: /^error: No test modules found$/, exit: "any" },
  { line: /^No tests found!$/, exit: "any" },
  // cargo nextest, PHPUnit
  { line: /^error: no tests to run$/, exit: "any" },
  { line: /^No tests executed!$/, exit: "any" },
  // go, ctest, RSpec
  { line: /^\?\s+\S+\s+\[no test files\]$/, exit: undefined },
  { line: /^ok\s+\S+\s.*\[no tests to run\]$/, exit: undefined },
  { line: /^No tests were found!!!$/, exit: undefined },
  { line: /^No examples found\.$/, exit: undefined },
];

/** Packages of go whose tests ran, or were not built: how many tests they have is printed only on request. */
const SOME_RAN = /^(?:ok\s+\S+\s(?!.*\[no tests to run\])|FAIL\b|---? FAIL)/;

/** GNU make ends with a code of its own, and prints that of the command. */
const MADE = /^g?make(?:\[\d+\])?: \*\*\* \[.*\] Error (\d+)$/;

/** Whether the runner says that there is no test. What its totals say, which come first, is not known here. */
export function saysNoTests(output: string): boolean {
  const lines = linesIn(output);
  return (
    lines.some((text) => NO_TESTS.some(({ line }) => line.test(text))) &&
    !lines.some((text) => SOME_RAN.test(text))
  );
}

/**
 * Whether a run that ended with an exit code other than 0 did so because there is no test: what the runner prints and
 * its exit code belong together.
 */
export function failedForNoTests(output: string, exitCode: number): boolean {
  if (!saysNoTests(output)) return false;
  const lines = linesIn(output);
  const codes = [exitCode, ...lines.flatMap((text) => Number(MADE.exec(text)?.[1] ?? []))];
  return NO_TESTS.some(
    ({ line, exit }) =>
      (exit === "any" || (exit !== undefined && codes.includes(exit))) &&
      lines.some((text) => line.test(text)),
  );
}

function linesIn(output: string): readonly string[] {
  return output.split("\n").map((line) => line.slice(0, LINE_CHARS_MAX).trimEnd());
}

/** No runner says it in a longer line. */
const LINE_CHARS_MAX = 400;
