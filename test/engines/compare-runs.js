import { relative } from "node:path";

const LINE_CHARS_MAX = 160;

/**
 * The tests that failed in a run, from vitest's report as JSON.
 *
 * @typedef {{ file: string, title: string, message: string }} Failed `file` is relative to the current directory, and
 *   `message` is its first line
 * @returns {Failed[]}
 */
export function failedTests({ testResults }) {
  return testResults.flatMap(({ name, assertionResults, status, message }) => {
    const file = relative(process.cwd(), name);
    const failed = assertionResults.filter((one) => one.status === "failed");
    const own = failed.map(({ fullName, failureMessages }) => ({
      file,
      title: fullName,
      message: firstLine(failureMessages[0] ?? ""),
    }));
    // A file that could not be loaded has no tests.
    if (own.length === 0 && status === "failed")
      return [{ file, title: "", message: firstLine(message) }];
    return own;
  });
}

/**
 * What fails with the newest versions; `isKnown`: with the pinned ones, too.
 *
 * @param {Failed[]} failed with the newest versions
 * @param {Failed[]} known with the pinned ones
 */
export function differences(failed, known) {
  const keyOf = ({ file, title }) => `${file} ${title}`;
  const alsoPinned = new Set(known.map(keyOf));
  return failed.map((one) => ({ ...one, isKnown: alsoPinned.has(keyOf(one)) }));
}

/** A table for people: each CLI with both versions, then each test that the newest ones change. */
export function tableOf(pinned, newest, found) {
  const rows = Object.entries(pinned).map(([cli, { version }]) => [
    cli,
    version,
    newest[cli].version,
  ]);
  const all = [["CLI", "pinned", "newest"], ...rows];
  const widths = [0, 1, 2].map((at) => Math.max(...all.map((row) => row[at].length)));
  const versions = all.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at]))
      .join("  ")
      .trimEnd(),
  );
  const changed = found.filter(({ isKnown }) => !isKnown);
  const lines = changed.map(({ file, title, message }) => `  ${file}: ${title}\n    ${message}`);
  const also = found.length - changed.length;
  return [
    "",
    ...versions,
    "",
    changed.length === 0
      ? "No test tells them apart."
      : `Tests that pass with the pinned versions only: ${changed.length}`,
    ...lines,
    ...(also === 0 ? [] : [`Tests that fail with both: ${also}`]),
  ].join("\n");
}

function firstLine(text) {
  return text.split("\n")[0].slice(0, LINE_CHARS_MAX);
}
