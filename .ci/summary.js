// Adds up vitest's JSON reports, given by path, and says so in one line. A report that is not there
// counts as a failure: a run that died early must not look like one without failed tests.
import { readFileSync } from "node:fs";

const total = { passed: 0, failed: 0, skipped: 0 };

for (const path of process.argv.slice(2)) {
  const report = readReport(path);
  if (report === undefined) {
    console.log(`no report at ${path}`);
    total.failed += 1;
    continue;
  }
  total.passed += report.numPassedTests;
  total.failed += report.numFailedTests + report.testResults.filter(failedToLoad).length;
  total.skipped += report.numPendingTests + report.numTodoTests;
}

const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : "";
console.log(`${total.passed} passed, ${total.failed} failed${skipped}`);
process.exitCode = total.failed > 0 ? 1 : 0;

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
