import type { PlantedMistake } from "./planted-mistake.ts";

const SETTLE = "test/evidence/look/settle-looks.test.ts";
const JUDGE = "test/evidence/look/judge-run.test.ts";
const SETTLED = "test/evidence/look/settled-look.test.ts";

/** The rules of what a look shows and how often it is repeated, each broken alone. */
export const MISTAKES_IN_LOOKS: readonly PlantedMistake[] = [
  {
    mistake: "a red look decides without being repeated",
    edits: [
      {
        file: "evidence/look/settle-looks.ts",
        find: "if (isDeciding && reds.length <= SUITE_REPEATS_MAX)",
        replace: "if (isDeciding && reds.length > SUITE_REPEATS_MAX)",
      },
    ],
    foundBy: { file: SETTLE, title: "a red look goes to the builder at once" },
  },
  {
    mistake: "what failed in any look excuses later failures",
    edits: [
      {
        file: "evidence/look/settle-looks.ts",
        find: "lists.every((list) => list.includes(name))",
        replace: "lists.some((list) => list.includes(name))",
      },
    ],
    foundBy: { file: SETTLE, title: "what fails in every look is red" },
  },
  {
    mistake: "a green look after a red one does not clear the tree",
    edits: [
      {
        file: "evidence/look/settle-looks.ts",
        find: 'return { kind: "green", split: named, tally: last.tally };',
        replace:
          'return reds.length > 0 ? redOf(reds, named) : { kind: "green", split: named, tally: last.tally };',
      },
    ],
    foundBy: { file: SETTLE, title: "one green look clears the tree" },
  },
  {
    mistake: "unknown looks are repeated without end",
    edits: [
      {
        file: "evidence/look/settle-looks.ts",
        find: "unknowns <= UNKNOWN_REPEATS_MAX",
        replace: "unknowns <= UNKNOWN_REPEATS_MAX * 9",
      },
    ],
    foundBy: { file: SETTLE, title: "an unknown look is taken again twice" },
  },
  {
    mistake: "a suite that was killed is red",
    edits: [
      {
        file: "evidence/look/judge-run.ts",
        find: "FROM_OUTSIDE.has(ended.signalName)",
        replace: "!FROM_OUTSIDE.has(ended.signalName)",
      },
    ],
    foundBy: { file: JUDGE, title: "a suite that is killed" },
  },
  {
    mistake: "a suite that runs no test any more is green",
    edits: [
      {
        file: "evidence/look/judge-run.ts",
        find: "return ran === 0 ? withoutTests(before)",
        replace: "return ran === -1 ? withoutTests(before)",
      },
    ],
    foundBy: { file: JUDGE, title: "a suite that runs no test, where some ran before" },
  },
  {
    mistake: "a runner that says that there are no tests excuses that they are gone",
    edits: [
      {
        file: "evidence/look/judge-run.ts",
        find: "isForNoTests && (before === undefined || before.ran === 0)",
        replace: "isForNoTests && (before === undefined || before.ran !== 0)",
      },
    ],
    foundBy: { file: JUDGE, title: "a suite without tests from the start verifies nothing" },
  },
  {
    mistake: "what is unknown excuses what is unknown",
    edits: [
      {
        file: "evidence/verify/verify-at.ts",
        find: "if (!isComparable || (!isKnown && !isLetBegin)) continue;",
        replace: "if (!isComparable || (!isKnown && isLetBegin)) continue;",
      },
    ],
    foundBy: { file: SETTLED, title: "a suite that was killed before the commit, too" },
  },
];
