import type { Planted } from "./planted.ts";

const ORDER = "session/rules/build-order.ts";

/** Naive rules about a milestone without progress. */
export const PLANTED_STUCK: readonly Planted[] = [
  {
    name: "R30",
    rule: "an end after a halt is not recognised as an end",
    scenario: "skipPause",
    invariant: "I9",
    edits: [
      {
        file: "session/state/fold-builder.ts",
        find: "return isAtEnd(fold);",
        replace: `return stage.kind === "final";`,
      },
    ],
  },
  {
    name: "R29",
    rule: "a milestone that is set aside is never built",
    scenario: "skip",
    invariant: "I9",
    edits: [{ file: ORDER, find: ", ...unbuilt.filter(isAside)];", replace: "];" }],
  },
  {
    name: "R29",
    rule: "a plan may change a milestone that was set aside with commits on the branch",
    scenario: "skipRethink",
    invariant: "I8",
    edits: [
      {
        file: ORDER,
        find: `ticks.has(name) || (isTried && stage.kind !== "halt")`,
        replace: `ticks.has(name) || (isTried && stage.kind === "plan")`,
      },
    ],
  },
  {
    name: "R29",
    rule: "a hint is made again for the same number of attempts",
    scenario: "hint",
    invariant: "I4",
    edits: [
      {
        file: ORDER,
        find: "isDue && fold.hints.get(m)?.attempts !== attempts ?",
        replace: "isDue ?",
      },
    ],
  },
  {
    name: "R29",
    rule: "a hint that failed is made again",
    scenario: "hint",
    invariant: "I4",
    edits: [
      {
        file: ORDER,
        find: "fold.hints.get(m)?.attempts !== attempts ?",
        replace:
          "(fold.hints.get(m)?.text === undefined || fold.hints.get(m)?.attempts !== attempts) ?",
      },
    ],
  },
  {
    name: "R29",
    rule: "attempts at a milestone that is set aside are not counted",
    scenario: "skipPause",
    invariant: "I11",
    edits: [
      {
        file: "session/steps/builder-step.ts",
        find: "stalledAttempts(own, name) >= stagesOf(policy).pause",
        replace:
          "own.plan.indexOf(milestone) === 0 && stalledAttempts(own, name) >= stagesOf(policy).pause",
      },
    ],
  },
];
