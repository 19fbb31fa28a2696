import type { PlantedMistake } from "./planted-mistake.ts";

const SETTLE = "test/evidence/look/settle-looks.test.ts";
const JUDGE = "test/evidence/look/judge-run.test.ts";
const SETTLED = "test/evidence/look/settled-look.test.ts";
const REPEAT = "test/evidence/look/repeat-red.test.ts";
const NARROWED = "test/evidence/look/narrowed-look.test.ts";
const LISTED = "test/evidence/narrow/judge-narrowed.test.ts";
const BECAME = "test/evidence/look/became-unsteady.test.ts";
const UNSTEADY = "test/evidence/rules/unsteady.test.ts";
const ADOPTS = "test/agents/builder/adopt-verify.test.ts";
const TABLE = "test/evidence/narrow/narrow-command.test.ts";

/** The rules of what a look shows and how often it is repeated, each broken alone. */
export const MISTAKES_IN_LOOKS: readonly PlantedMistake[] = [
  {
    mistake: "a red look decides without being repeated",
    edits: [
      {
        file: "evidence/look/settle-looks.ts",
        find: 'isDeciding ? nextRepeat(failed, narrowed) : "enough"',
        replace: 'isDeciding ? "enough" : nextRepeat(failed, narrowed)',
      },
    ],
    foundBy: { file: SETTLE, title: "a red look goes to the builder at once" },
  },
  {
    mistake: "what failed in any look excuses later failures",
    edits: [
      {
        file: "evidence/look/settle-looks.ts",
        find: "isSteady(name) && lists.every(",
        replace: "isSteady(name) && lists.some(",
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
          'return reds.length > 0 ? redOf(reds, named, new Set()) : { kind: "green", split: named, tally: last.tally };',
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
        find: "FROM_OUTSIDE.has(signalName)",
        replace: "!FROM_OUTSIDE.has(signalName)",
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
  {
    mistake: "a test that passes alone clears the tree",
    edits: [
      {
        file: "evidence/look/repeat-red.ts",
        find: 'return passed.size > 0 ? "whole" : "enough";',
        replace: 'return "enough";',
      },
    ],
    foundBy: { file: REPEAT, title: "what passed alone is run once more in the whole" },
  },
  {
    mistake: "tests are run alone without end",
    edits: [
      {
        file: "evidence/look/repeat-red.ts",
        find: "runs.length < NARROWED_REPEATS_MAX",
        replace: "runs.length < NARROWED_REPEATS_MAX * 2",
      },
    ],
    foundBy: { file: REPEAT, title: "what failed is run alone until it passes" },
  },
  {
    mistake: "a test that fails only in company is split",
    edits: [
      {
        file: "evidence/look/settle-looks.ts",
        find: "!alone.has(name) || lists.length > 1",
        replace: "!alone.has(name)",
      },
    ],
    foundBy: { file: REPEAT, title: "a test that passes alone and fails in the whole twice more" },
  },
  {
    mistake: "what passed alone excuses later failures",
    edits: [
      {
        file: "evidence/look/settle-looks.ts",
        find: "!alone.has(name) || lists.length > 1",
        replace: "true || lists.length > 1",
      },
    ],
    foundBy: { file: REPEAT, title: "what passed alone is no licence" },
  },
  {
    mistake: "a run of which the output says nothing counts as one that was red",
    edits: [
      {
        file: "evidence/look/repeat-red.ts",
        find: "!canNarrow || !isSaid ||",
        replace: "!canNarrow ||",
      },
    ],
    foundBy: { file: REPEAT, title: "a run that does not say what became of a test" },
  },
  {
    mistake: "a narrowed run that lists nothing is green",
    edits: [
      {
        file: "evidence/narrow/judge-narrowed.ts",
        find: "passed: others.filter(isPassed),",
        replace: "passed: others,",
      },
    ],
    foundBy: { file: LISTED, title: "a test passed only if it is listed by its own name" },
  },
  {
    mistake: "of two tests of one name, the one that passed counts",
    edits: [
      {
        file: "evidence/narrow/judge-narrowed.ts",
        find: "!failed.includes(test)",
        replace: "true",
      },
    ],
    foundBy: { file: LISTED, title: "of two tests of one name" },
  },
  {
    mistake: "namesakes are run alone",
    edits: [
      {
        file: "evidence/look/narrowed-look.ts",
        find: "return times === undefined && isCut === undefined && failed <= look.failing.length;",
        replace: "return failed >= 0 || times === isCut;",
      },
    ],
    foundBy: { file: NARROWED, title: "a test that shares its name" },
  },
  {
    mistake: "a script with signs of a shell is narrowed",
    edits: [
      {
        file: "evidence/narrow/plain-script.ts",
        find: "if (all === undefined) return undefined;",
        replace: "if (all === undefined) return words;",
      },
    ],
    foundBy: { file: TABLE, title: "`npm test`, with the scripts" },
  },
  {
    mistake: "a file outside of the tree is run",
    edits: [
      {
        file: "evidence/narrow/narrower.ts",
        find: "|| !isBelow(file)",
        replace: "",
      },
    ],
    foundBy: { file: TABLE, title: "`npx vitest run` is not narrowed to /etc" },
  },
  {
    mistake: "a test that was unsteady before is blamed on the range",
    edits: [
      {
        file: "evidence/look/became-unsteady.ts",
        find: "if (start.red > 0)",
        replace: "if (start.red > 1)",
      },
    ],
    foundBy: { file: BECAME, title: "a test that was red at the start as well" },
  },
  {
    mistake: "one green look at the start blames the range",
    edits: [
      {
        file: "evidence/look/became-unsteady.ts",
        find: "start.green < SPLIT_START_LOOKS_MAX",
        replace: "start.green < 1",
      },
    ],
    foundBy: { file: BECAME, title: "fewer looks than the limit" },
  },
  {
    mistake: "a test that does not run alone at the end is looked at without end",
    edits: [
      {
        file: "evidence/look/became-unsteady.ts",
        find: "if (end.unknown > 0)",
        replace: "if (end.unknown > 99)",
      },
    ],
    foundBy: { file: BECAME, title: "a test that does not run alone is unknown" },
  },
  {
    mistake: "a test that seldom fails is blocking",
    edits: [
      {
        file: "evidence/look/became-unsteady.ts",
        find: "2 * end.red >= SPLIT_END_LOOKS",
        replace: "3 * end.red >= SPLIT_END_LOOKS",
      },
    ],
    foundBy: { file: BECAME, title: "a test that was always green at the start" },
  },
  {
    mistake: "looks at a split test are taken again after a kill",
    edits: [
      {
        file: "fs-protocol/records/alone-looks.ts",
        find: "if (test === undefined || more.length > 0) return all;",
        replace: "if (test === undefined || more.length >= 0) return all;",
      },
    ],
    foundBy: { file: UNSTEADY, title: "looks that are on record" },
  },
  {
    mistake: "the base excuses what an adopted verify finds",
    edits: [
      {
        file: "evidence/verify/verify-at.ts",
        find: "return references.filter((one) => one !== base && !adopted.before.has(one));",
        replace: "return references;",
      },
    ],
    foundBy: { file: ADOPTS, title: "its red tests withhold the milestone" },
  },
  {
    mistake: "verify is adopted against the settings",
    edits: [
      {
        file: "evidence/verify/adopt-verify.ts",
        find: 'if (session.verify.length > 0 || !adopts.includes("verify")) return state;',
        replace: "if (session.verify.length > 0) return state;",
      },
    ],
    foundBy: { file: ADOPTS, title: "sessions whose settings have a word on it" },
  },
];
