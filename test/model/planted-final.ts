import type { Planted } from "./planted.ts";

/** Naive rules about verify in the final pass, and about tests that are red on purpose. */
export const PLANTED_FINAL: readonly Planted[] = [
  {
    name: "R31",
    rule: "a final pass does not verify",
    scenario: "red",
    invariant: "I9",
    plant: "noVerify",
  },
  {
    name: "R31",
    rule: "`complete` ignores the result of verify in the final pass",
    scenario: "redDismissed",
    invariant: "I9",
    edits: [
      {
        file: "session/steps/builder-step.ts",
        find: "tester.finalAt === view.branch.head && tester.isFinalVerified;",
        replace: "tester.finalAt === view.branch.head;",
      },
    ],
  },
  {
    name: "R32",
    rule: "a final pass verifies only the commit before its own commits",
    scenario: "tests",
    invariant: "I9",
    plant: "verifyBefore",
  },
  {
    name: "R33",
    rule: "red tests are published",
    scenario: "bugs",
    invariant: "L4",
    plant: "redTests",
  },
  {
    name: "R34",
    rule: "a final pass does not run the tests of the base",
    scenario: "bent",
    invariant: "I9",
    plant: "noBaseTests",
  },
  {
    name: "R34",
    rule: "the tests of the base run only once in a session",
    scenario: "bentTwice",
    invariant: "I9",
    plant: "baseTestsOnce",
  },
];
