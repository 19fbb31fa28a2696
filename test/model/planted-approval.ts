import type { Planted } from "./planted.ts";

const BUILDER = "session/steps/builder-step.ts";
const RULE = "session/rules/plan-approval.ts";

/** Naive rules about plans that a person has to approve. */
export const PLANTED_APPROVAL: readonly Planted[] = [
  {
    name: "R44",
    rule: "an approval counts for any plan",
    scenario: "approve",
    invariant: "I19",
    edits: [
      {
        file: BUILDER,
        find: "isPlanApproved(answer.staged, human.approvedPlans)",
        replace: "human.approvedPlans.length > 0",
      },
    ],
  },
  {
    name: "R44",
    rule: "an approval counts that is older than the plan",
    scenario: "approve",
    invariant: "I19",
    edits: [{ file: RULE, find: "one.index >= human", replace: "one.index >= 0" }],
  },
  {
    name: "R44",
    rule: "only the first plan needs an approval",
    scenario: "approve",
    invariant: "I19",
    edits: [
      {
        file: RULE,
        find: "own.planSha === undefined || addsMilestones(own, staged.milestones);\n  const count",
        replace: "own.planSha === undefined;\n  const count",
      },
    ],
  },
  {
    name: "R44",
    rule: "a later plan above the limit needs no approval",
    scenario: "approveMany",
    invariant: "I19",
    edits: [
      { file: RULE, find: "return isMore &&", replace: "return own.planSha === undefined &&" },
    ],
  },
  {
    name: "R45",
    rule: "a person who changes the request leaves its old plan waiting for an approval",
    scenario: "approve",
    invariant: "L1",
    edits: [
      {
        file: BUILDER,
        find: "if (answer.request < human.updates) {",
        replace: "if (answer.seq < 0) {",
      },
    ],
  },
  {
    name: "R45",
    rule: "the planner plans for a request that the builder knows to be outdated",
    scenario: "approveTwice",
    invariant: "I11",
    edits: [
      {
        file: "session/steps/planner-step.ts",
        find: "if (human.updates < builder.requestSeen)",
        replace: "if (human.updates < 0)",
      },
    ],
  },
];
