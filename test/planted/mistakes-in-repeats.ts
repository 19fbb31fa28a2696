import type { PlantedMistake } from "./planted-mistake.ts";

const REPEATS = "test/evidence/look/repeats.test.ts";
const BUGS = "test/agents/tester/bug-networks.test.ts";
const MOVED = "test/evidence/verify/moved-tests.test.ts";

/** How what decides together is repeated alone, and what a test is called after its file moved; each rule broken alone. */
export const MISTAKES_IN_REPEATS: readonly PlantedMistake[] = [
  {
    mistake: "what is repeated runs beside other repeats",
    edits: [
      {
        file: "evidence/look/repeats.ts",
        find: "return n > 1 ? this.alone(run) : run();",
        replace: "return n > 99 ? this.alone(run) : run();",
      },
    ],
    foundBy: { file: REPEATS, title: "each run of" },
  },
  {
    mistake: "the first run waits, too",
    edits: [
      {
        file: "evidence/look/repeats.ts",
        find: "return n > 1 ? this.alone(run) : run();",
        replace: "return n > 0 ? this.alone(run) : run();",
      },
    ],
    foundBy: { file: REPEATS, title: "each run of" },
  },
  {
    mistake: "a run of old tests that confirms a failure counts as the first one",
    edits: [
      {
        file: "evidence/integrity/run-old-tests.ts",
        find: "await repeats.take(again + n,",
        replace: "await repeats.take(n,",
      },
    ],
    foundBy: { file: REPEATS, title: "each run of old tests" },
  },
  {
    mistake: "turns are waited for anew before each repeat of old tests",
    edits: [
      {
        file: "evidence/integrity/confirm-failures.ts",
        find: "{ ...run, again, repeats }",
        replace: "{ ...run, again, repeats: new Repeats(context) }",
      },
    ],
    foundBy: {
      file: REPEATS,
      title: "repeats of old tests wait for turns for five minutes in all",
    },
  },
  {
    mistake: "a bug's command on the second network counts as its first run",
    edits: [
      {
        file: "agents/tester/run-bug-command.ts",
        find: "taken += 1;",
        replace: "taken = n;",
      },
    ],
    foundBy: { file: BUGS, title: "a bug's command that fails for the want of a network" },
  },
  {
    mistake: "who waits for the lock in vain decides nonetheless",
    edits: [
      {
        file: "agents/tester/run-bug-command.ts",
        find: 'return ended ?? { kind: "stopped" };',
        replace: 'return ended ?? { kind: "failed", reason: "" };',
      },
    ],
    foundBy: { file: REPEATS, title: "who is asked to stop while it waits for the lock" },
  },
  {
    mistake: "a copy of a red test is excused",
    edits: [
      {
        file: "evidence/verify/moved-tests.ts",
        find: "onlyByContent(before.filter(({ path }) => !is.has(path)))",
        replace: "onlyByContent(before.filter(({ path }) => !is.has(path) || is.has(path)))",
      },
    ],
    foundBy: { file: MOVED, title: "one that is still there was copied" },
  },
  {
    mistake: "a moved test is blamed on who moved it",
    edits: [
      {
        file: "evidence/verify/compare-verify.ts",
        find: "const names = namesAfterMoves(failing, await movedIn(context, range));",
        replace: "const names = namesAfterMoves(failing, new Map());",
      },
    ],
    foundBy: { file: MOVED, title: "a test that was red before the work began" },
  },
];
