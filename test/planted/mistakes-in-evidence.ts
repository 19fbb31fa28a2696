import type { PlantedMistake } from "./planted-mistake.ts";

const OLD_TESTS = "test/evidence/harness/old-tests.test.ts";
const SOURCE = "test/evidence/canary/source-canary.long.test.ts";
const ELSEWHERE = "test/evidence/look/look-elsewhere.long.test.ts";
const NARROWED = "test/evidence/look/narrowed-look.test.ts";
const UNSTEADY = "test/evidence/rules/unsteady.test.ts";
const BUGS = "test/agents/tester/verify-bug.long.test.ts";
const CHANGED = "test/evidence/integrity/limits.long.test.ts";
const PLANTED = "test/evidence/canary/check-with-canary.long.test.ts";
const BY_DATA = "test/evidence/harness/read-by-tests.long.test.ts";

/** The rules by which wisp finds something, besides looks, each broken alone. */
export const MISTAKES_IN_EVIDENCE: readonly PlantedMistake[] = [
  {
    mistake: "what may be the product is put back in every run of old tests",
    edits: [
      {
        file: "evidence/harness/old-tests.ts",
        find: "return isRestored && isOther;",
        replace: 'return isRestored && isOther && by === "old-harness";',
      },
    ],
    foundBy: { file: OLD_TESTS, title: "old tests run in part, too, where" },
  },
  {
    mistake: "data that nothing shows to be the tests' is put back in every run of old tests",
    edits: [
      {
        file: "evidence/harness/old-tests.ts",
        find: "...data.filter((path) => !isDataForTests(path))",
        replace: "...data.filter((path) => isDataForTests(path))",
      },
    ],
    foundBy: { file: OLD_TESTS, title: "each run restores what it does not leave out" },
  },
  {
    mistake: "names of modules lead as before in every run of old tests",
    edits: [
      {
        file: "evidence/harness/old-tests.ts",
        find: 'if (by !== "old-checks-alone") return harness.restored;',
        replace: 'if (by !== "new-harness") return harness.restored;',
      },
    ],
    foundBy: { file: OLD_TESTS, title: "each run restores what it does not leave out" },
  },
  {
    mistake: "a partial run of old tests is left out after one that passed",
    edits: [
      {
        file: "evidence/integrity/try-old-tests.ts",
        find: "sofar.newFailures.isBlamed || !isPartial(by)",
        replace: "sofar.newFailures.isBlamed || isPartial(by)",
      },
    ],
    foundBy: { file: BY_DATA, title: "exports that no longer work" },
  },
  {
    mistake: "data that tests read is no part of them",
    edits: [
      {
        file: "evidence/harness/data-of-tests.ts",
        find: "named.tests.has(file) && !named.product.has(file)",
        replace: "named.tests.has(file) && named.product.has(file)",
      },
    ],
    foundBy: { file: BY_DATA, title: "code that is broken behind cases that a test reads" },
  },
  {
    mistake: "names of modules lead as they do now when old tests run",
    edits: [
      {
        file: "evidence/harness/restored-manifests.ts",
        find: "const whole = withFormerNames(path, was, text ?? now);",
        replace: "const whole = text === undefined ? undefined : withFormerNames(path, was, text);",
      },
    ],
    foundBy: { file: BY_DATA, title: "code that is broken behind the exports of the package" },
  },
  {
    mistake: "new files beside the tests leave old ones out",
    edits: [
      {
        file: "evidence/integrity/changed-tests.ts",
        find: "const compared = [...former, ...readable.filter((path) => !was.has(path))].slice(0, FILES_MAX);",
        replace: "const compared = readable.slice(0, 300 * Math.min(former.length, 1));",
      },
    ],
    foundBy: { file: CHANGED, title: "new tests beside them hide no old test" },
  },
  {
    mistake: "the failing test that is planted loads nothing of the product",
    edits: [
      {
        file: "evidence/canary/plant-canary.ts",
        find: 'taken === "none" ? known.plantBeside(pattern, name)',
        replace: "loaded.length > 0 ? known.plantBeside(pattern, name)",
      },
    ],
    foundBy: { file: PLANTED, title: "code under test that" },
  },
  {
    mistake: "a verify that stays green without the source is believed",
    edits: [
      {
        file: "evidence/canary/source-canary.ts",
        find: 'if (seen.outcome !== "passed") return { kind: "checked" };',
        replace: 'if (seen.outcome !== undefined) return { kind: "checked" };',
      },
    ],
    foundBy: { file: SOURCE, title: "any other answer has it looked at again" },
  },
  {
    mistake: "one module that is not noticed is enough to ask",
    edits: [
      {
        file: "evidence/canary/source-canary.ts",
        find: "return modules.slice(0, SOURCE_MODULES_MAX);",
        replace: "return modules.slice(0, SOURCE_MODULES_MAX - 2);",
      },
    ],
    foundBy: { file: SOURCE, title: "with 'no sandbox' a verify that loads an installed copy" },
  },
  {
    mistake: "a verify that is red where nothing is named after wisp is not named",
    edits: [
      {
        file: "evidence/look/look-elsewhere.ts",
        find: "if (how === undefined) return",
        replace: "if (how !== undefined) return",
      },
    ],
    foundBy: { file: ELSEWHERE, title: "with 'no sandbox' code that is right only under wisp" },
  },
  {
    mistake: "one red run where nothing is named after wisp is named",
    edits: [
      {
        file: "evidence/look/look-elsewhere.ts",
        find: "if (n < NEUTRAL_LOOKS_MAX) continue;",
        replace: "if (n > NEUTRAL_LOOKS_MAX) continue;",
      },
    ],
    foundBy: { file: ELSEWHERE, title: "a failure that does not come again is not named" },
  },
  {
    mistake: "a test that became unsteady is not named",
    edits: [
      {
        file: "evidence/rules/unsteady.ts",
        find: 'if (verdict.kind === "before") return undefined;',
        replace: 'if (verdict.kind !== "unknown") return undefined;',
      },
    ],
    foundBy: { file: UNSTEADY, title: "a test that became unsteady in half of its runs" },
  },
  {
    mistake: "a run alone that does not say that the test passed is green",
    edits: [
      {
        file: "evidence/look/narrowed-look.ts",
        find: 'verdict: isSaid ? seen : "unknown",',
        replace: "verdict: seen,",
      },
    ],
    foundBy: { file: NARROWED, title: "a run alone that is green because nothing ran" },
  },
  {
    mistake: "a run alone that says nothing of a split test shows that it passes",
    edits: [
      {
        file: "evidence/look/try-splits.ts",
        find: "if (tests.passed.length > 0) return",
        replace: "if (tests.failed.length === 0) return",
      },
    ],
    foundBy: { file: UNSTEADY, title: "a run alone that does not name the test" },
  },
  {
    mistake: "a fix may bend what is meant for tests and the bug's command reads",
    edits: [
      {
        file: "agents/tester/verify-bug.ts",
        find: "paths: [...new Set([...old.paths, ...read])]",
        replace: "paths: [...new Set(old.paths)]",
      },
    ],
    foundBy: { file: BUGS, title: "if a command passes only because the fix bent expected" },
  },
];
