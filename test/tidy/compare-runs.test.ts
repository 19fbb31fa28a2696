import { join } from "node:path";
import { expect, test } from "vitest";
import { differences, failedTests, tableOf } from "../engines/compare-runs.js";

const FILE = join(process.cwd(), "test/engines/turns.test.ts");

function report(
  ...statuses: readonly (readonly [title: string, status: string, message?: string])[]
) {
  const assertionResults = statuses.map(([fullName, status, message]) => ({
    ...{ fullName, status },
    failureMessages: message === undefined ? [] : [message],
  }));
  return { testResults: [{ name: FILE, status: "failed", message: "", assertionResults }] };
}

const PINNED = { claude: { version: "2.1.0" }, codex: { version: "0.9.0" } };
const NEWEST = { claude: { version: "2.2.0" }, codex: { version: "0.9.0" } };

test("only what passes with the pinned versions is told as changed", () => {
  const failed = failedTests(
    report(
      ["claude: resumes", "failed", "expected 1 to be 2\n  at x"],
      ["codex: asks", "failed", "no"],
      ["fine", "passed"],
    ),
  );
  const known = failedTests(report(["claude: resumes", "passed"], ["codex: asks", "failed", "no"]));
  expect(tableOf(PINNED, NEWEST, differences(failed, known)).split("\n")).toEqual([
    "",
    "CLI     pinned  newest",
    "claude  2.1.0   2.2.0",
    "codex   0.9.0   0.9.0",
    "",
    "Tests that pass with the pinned versions only: 1",
    "  test/engines/turns.test.ts: claude: resumes",
    "    expected 1 to be 2",
    "Tests that fail with both: 1",
  ]);
});

test("a file that cannot be loaded counts as one that fails, and nothing is told where all passes", () => {
  const broken = { name: FILE, status: "failed", message: "no module", assertionResults: [] };
  expect(failedTests({ testResults: [broken] })).toEqual([
    { file: "test/engines/turns.test.ts", title: "", message: "no module" },
  ]);
  expect(tableOf(PINNED, NEWEST, [])).toContain("No test tells them apart.");
});
