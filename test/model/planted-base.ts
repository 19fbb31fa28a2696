import type { Planted } from "./planted.ts";

const LOOK = "session/state/base-outcome.ts";
const COMMANDS = "session/commands/commands-in-force.ts";
const BUILDER = "session/steps/builder-step.ts";

/** Naive rules about a base at which verify is red and names no test. */
export const PLANTED_BASE: readonly Planted[] = [
  {
    name: "Base",
    rule: "a red base is noted, and no person is asked",
    scenario: "redBase",
    invariant: "I18",
    edits: [
      {
        file: BUILDER,
        find: "if (view.hasVerify && isBaseUnjudged(own, policy.redBase))",
        replace: 'if (view.hasVerify && own.stage.kind === "plan" && own.baseline === undefined)',
      },
    ],
  },
  {
    name: "Base",
    rule: "the builder continues before the question about the base is answered",
    scenario: "redBase",
    invariant: "I18",
    edits: [
      {
        file: BUILDER,
        find: "own.questions.find(({ id }) => human.unanswered.includes(id));",
        replace:
          "own.questions.find(({ id, unit: of }) => of !== unit && human.unanswered.includes(id));",
      },
      {
        file: BUILDER,
        find: `if (own.baseOutcome?.kind === "asked")`,
        replace: `if (own.baseOutcome?.kind === "asked" && human.onBase !== undefined)`,
      },
    ],
  },
  {
    name: "Base",
    rule: "any answer accepts a red base",
    scenario: "redBase",
    invariant: "I18",
    edits: [
      {
        file: LOOK,
        find: `return ACCEPT.test(text.trim()) ? "accept" : "again";`,
        replace: `return text === "" ? "again" : "accept";`,
      },
    ],
  },
  {
    name: "Base",
    rule: "the builder continues after any answer, without running verify at the base again",
    scenario: "redBasePlan",
    invariant: "I18",
    edits: [
      {
        file: BUILDER,
        find: `if (own.baseOutcome?.kind === "asked")`,
        replace: `if (own.baseOutcome?.kind === "asked" && human.onBase === "accept")`,
      },
    ],
  },
  {
    name: "Base",
    rule: "an edit is adopted before a person is asked about the base, which ends the phase in which they are asked",
    scenario: "redBaseEdit",
    invariant: "I18",
    edits: [
      {
        file: BUILDER,
        find: "if (view.hasVerify && isBaseUnjudged(own, policy.redBase))",
        replace:
          "if (view.hasVerify && human.edit === undefined && isBaseUnjudged(own, policy.redBase))",
      },
    ],
  },
  {
    name: "Base",
    rule: "a base that is red by name is no question",
    scenario: "redBaseNamed",
    invariant: "I18",
    edits: [
      {
        file: LOOK,
        find: `return outcome === "failed" && (rule !== undefined || failing === undefined);`,
        replace: `return outcome === "failed" && failing === undefined && rule?.accept !== true;`,
      },
    ],
  },
  {
    name: "Base",
    rule: "names that are known answer for a base that is red without names",
    scenario: "redBaseKnown",
    invariant: "I18",
    edits: [
      {
        file: LOOK,
        find: "failing !== undefined && tally?.isCut !== true && failing.every((name) => names.has(name))",
        replace: "tally?.isCut !== true && (failing ?? []).every((name) => names.has(name))",
      },
    ],
  },
  {
    name: "Base",
    rule: "commands of an answer to a question of a milestone are taken",
    scenario: "redBaseSettings",
    invariant: "I18",
    edits: [
      {
        file: COMMANDS,
        find: "isSettled === true || !isOnBase(question)",
        replace: "isSettled === true",
      },
    ],
  },
  {
    name: "Base",
    rule: "commands of an answer are taken after the settings had the answer and the work began",
    scenario: "redBaseSettings",
    invariant: "I18",
    edits: [
      {
        file: COMMANDS,
        find: "isSettled === true || !isOnBase(question)",
        replace: "!isOnBase(question)",
      },
    ],
  },
  {
    name: "Base",
    rule: "commands that come with an answer that accepts the base are taken",
    scenario: "redBaseSettings",
    invariant: "I18",
    edits: [
      {
        file: COMMANDS,
        find: 'return baseAnswerOf(answers.get(id) ?? "") === "again";',
        replace: "return answers.has(id);",
      },
    ],
  },
];
