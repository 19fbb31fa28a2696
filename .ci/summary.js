// Names the failed tests of vitest's JSON reports, given by path, and adds all up in one last line. A report
// that is not there counts as a failure: a run that died early must not look like one without failed tests.
import { readFileSync } from "node:fs";

/** Characters shown of what a failed test says. */
const MESSAGE_CHARS_MAX = 1_200;

const total = { passed: 0, failed: 0, skipped: 0 };

for (const path of process.argv.slice(2)) {
  const report = readReport(path);
  if (report === undefined) {
    console.log(`no report at ${path}`);
    total.failed += 1;
    continue;
  }
  report.testResults.forEach(tellFailures);
  total.passed += report.numPassedTests;
  total.failed += report.numFailedTests + report.testResults.filter(failedToLoad).length;
  total.skipped += report.numPendingTests + report.numTodoTests;
}

const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : "";
console.log(`${total.passed} passed, ${total.failed} failed${skipped}`);
process.exitCode = total.failed > 0 ? 1 : 0;

/** The end of a long run's output is what is read first: what failed is told there once more. */
function tellFailures(file) {
  if (failedToLoad(file)) console.log(`FAILED ${file.name}\n${clip(file.message)}`);
  for (const { status, fullName, failureMessages } of file.assertionResults) {
    if (status === "failed") console.log(`FAILED ${fullName}\n${clip(failureMessages.join("\n"))}`);
  }
}

function clip(text = "") {
  return text.slice(0, MESSAGE_CHARS_MAX);
}

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

/** A file that could not be loaded holds no test that could fail, yet it failed. */
function failedToLoad(file) {
  return (
    file.status === "failed" && file.assertionResults.every(({ status }) => status !== "failed")
  );
}
