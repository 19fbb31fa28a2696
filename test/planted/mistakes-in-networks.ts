import type { PlantedMistake } from "./planted-mistake.ts";

const CHOOSE = "test/evidence/look/choose-network.test.ts";
const KEPT = "test/evidence/look/kept-network.test.ts";
const BUGS = "test/agents/tester/bug-networks.test.ts";

/** The rules of which network a look gets and which looks count, each broken alone. */
export const MISTAKES_IN_NETWORKS: readonly PlantedMistake[] = [
  {
    mistake: "what is red without the network is never looked at with it",
    edits: [
      {
        file: "evidence/look/choose-network.ts",
        find: 'case "red":\n      return true;',
        replace: 'case "red":\n      return false;',
      },
    ],
    foundBy: { file: CHOOSE, title: "what is red for the want of a network" },
  },
  {
    mistake: "a green look without the network is taken again with it",
    edits: [
      {
        file: "evidence/look/choose-network.ts",
        find: "return isLess ||",
        replace: "return true || isLess ||",
      },
    ],
    foundBy: { file: CHOOSE, title: "what is green on a loopback of its own" },
  },
  {
    mistake: "fewer tests without the network are as good as all",
    edits: [
      {
        file: "evidence/look/choose-network.ts",
        find: "const isLess = (own.ran ?? 0) < (before?.ran ?? 0);",
        replace: "const isLess = false;",
      },
    ],
    foundBy: { file: CHOOSE, title: "fewer tests than at the range's start" },
  },
  {
    mistake: "tests that are left out without the network are not missed",
    edits: [
      {
        file: "evidence/look/choose-network.ts",
        find: "(own.tally?.skipped ?? 0) > (before?.skipped ?? 0)",
        replace: "(own.tally?.skipped ?? 0) < 0",
      },
    ],
    foundBy: { file: CHOOSE, title: "fewer tests than at the range's start" },
  },
  {
    mistake: "ports that somebody holds are in the licence of a base that is red anyway",
    edits: [
      {
        file: "evidence/look/choose-network.ts",
        find: "return !isNoWorse(after, before,",
        replace: "return true || !isNoWorse(after, before,",
      },
    ],
    foundBy: { file: CHOOSE, title: "what is red both ways is decided without the network" },
  },
  {
    mistake: "what fails only without the network is red",
    edits: [
      {
        file: "evidence/look/choose-network.ts",
        find: "return !isNoWorse(after, before,",
        replace: "return false && !isNoWorse(after, before,",
      },
    ],
    foundBy: { file: CHOOSE, title: "whatever suites show: nothing is red for the want" },
  },
  {
    mistake: "looks without the network count together with those that have it",
    edits: [
      {
        file: "evidence/look/choose-network.ts",
        find: '? { network: "machine", counted: onMachine }',
        replace: '? { network: "machine", counted: looks }',
      },
    ],
    foundBy: { file: CHOOSE, title: "whatever suites show: one look at most is added" },
  },
  {
    mistake: "a suite that hangs without the network is only repeated without it",
    edits: [
      {
        file: "evidence/look/choose-network.ts",
        find: 'return own.cause === "time";',
        replace: "return own.cause !== own.cause;",
      },
    ],
    foundBy: { file: CHOOSE, title: "a suite that hangs without the network" },
  },
  {
    mistake: "each commit is looked at without the network first, whatever the base needed",
    edits: [
      {
        file: "evidence/look/kept-network.ts",
        find: ': (baseline?.network ?? "machine");',
        replace: ': "own";',
      },
    ],
    foundBy: { file: KEPT, title: "the first look at a commit whose base needed it" },
  },
  {
    mistake: "what was decided at the base is not kept",
    edits: [
      {
        file: "session/state/fold-builder.ts",
        find: "return isThere ? baseline : { ...seen, network };",
        replace: "return isThere ? baseline : seen;",
      },
    ],
    foundBy: { file: KEPT, title: "old tests run on the network that the base needed" },
  },
  {
    mistake: "a command that is to have a loopback of its own gets the machine's",
    edits: [
      {
        file: "evidence/verify/run-verify.ts",
        find: 'hasOwnLoopback: wanted.network === "own",',
        replace: "hasOwnLoopback: false,",
      },
    ],
    foundBy: { file: KEPT, title: "old tests run on the network that the base needed" },
  },
  {
    mistake: "the failure of old tests without the network is confirmed without it",
    edits: [
      {
        file: "evidence/integrity/run-old-tests.ts",
        find: 'const network = again === 1 ? kept && "machine" : kept;',
        replace: "const network = kept;",
      },
    ],
    foundBy: { file: KEPT, title: "old tests run on the network that the base needed" },
  },
  {
    mistake: "a bug's command that fails for the want of a network shows a bug",
    edits: [
      {
        file: "agents/tester/run-on-networks.ts",
        find: "? again : first;",
        replace: "? first : first;",
      },
    ],
    foundBy: { file: BUGS, title: "a bug's command that fails for the want of a network" },
  },
];
