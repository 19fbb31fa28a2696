/**
 * Lines that test runners and language runtimes print: results in TAP or with marks, stack traces, what was expected,
 * source code. They may speak of anything that the project is about, such as limits.
 */
const OF_A_PROJECT: readonly RegExp[] = [
  /^\s*(?:not )?ok\b/u,
  /^\s*(?:#|\d+\.\.\d+|TAP version\b|---$|\.\.\.$)/u,
  /^\s*[✗✘✕✖×✓✔√❯●○◌⎯│┃▶⨯]/u,
  /^\s*(?:--- |=== )?(?:FAIL|PASS|FAILED|PASSED|RUN|SKIP)\b/u,
  /^\s*at \S/u,
  /^\s*(?:File ".*", line \d+|Traceback\b|E {2,}|> |\|)/u,
  /^\s*(?:>\s*)?\d+\s*\|/u,
  /^\s*\d+\) /u,
  /^\s*\d+ (?:passing|failing|pending|passed|failed)\b/u,
  /^\s*[+-] ?(?:expected|actual|received)\b/iu,
  /^\s*(?:expected|actual|received|assertion\w*)\b/iu,
  /^\s*test .* \.\.\. /u,
  /AssertionError|\bassert(?:ion)? failed|panicked at/iu,
  /^npm (?:ERR!|error)/u,
];

/** Whether a line may be the words of a CLI itself, and not the output of a project's tests. */
export function isOwnLine(line: string): boolean {
  return !OF_A_PROJECT.some((pattern) => pattern.test(line));
}

/** Lines by which programs report that they failed: `error: …`, `API Error 429 …`, `HTTP status: 401`. */
const ERROR =
  /^\W{0,3}(?:\w+[ :]{1,2})?(?:\w*error|fatal)\b[^\n]{0,20}?[:\d(]|\b(?:http|status)(?: code)?[ :=]{1,3}(?:401|402|403|429|5\d\d)\b/iu;

/**
 * The words of any program by which its failure may be classified: its last line, and those before it that report an
 * error; none of them like those of a test runner.
 */
export function lastWords(lines: readonly string[]): string {
  const own = lines.filter((line, at) => {
    return isOwnLine(line) && (at === lines.length - 1 || ERROR.test(line));
  });
  return own.join(" / ");
}
