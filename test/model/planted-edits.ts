import type { Planted } from "./planted.ts";

const FITS = "session/steps/plan-fits.ts";

/** Naive rules about a person's edit of TASKS.md. */
export const PLANTED_EDITS: readonly Planted[] = [
  {
    name: "R27",
    rule: "a plan that was made before a person's edit replaces the edit",
    scenario: "editUpdate",
    invariant: "I15",
    edits: [
      {
        file: FITS,
        find: "if (staged?.base !== own.planSha) return",
        replace: `if (staged?.base === "") return`,
      },
    ],
  },
  {
    name: "R27",
    rule: "an edit is adopted even if it was adopted before",
    scenario: "edit",
    invariant: "I15",
    edits: [
      {
        file: "session/rules/plan-edit.ts",
        find: "human.edit.index > builder.edited ?",
        replace: "human.edit.index >= 0 ?",
      },
    ],
  },
  {
    name: "R27",
    rule: "an edit is adopted although it changes a milestone that was recorded since",
    scenario: "rework",
    invariant: "I8",
    edits: [
      {
        file: FITS,
        find: `return misfit(kept, edit.milestones, "which is completed meanwhile");`,
        replace: "return misfit([], [...kept, ...edit.milestones], edit.plan);",
      },
    ],
  },
  {
    name: "R27",
    rule: "an edit does not reopen a finished session",
    scenario: "edit",
    invariant: "L2",
    edits: [
      {
        file: "session/state/fold-human.ts",
        find: `      case "update":
      case "edit":
      case "add":`,
        replace: `      case "update":
      case "add":`,
      },
    ],
  },
  {
    name: "R27",
    rule: "the planner owes no answer if a person made the first plan",
    scenario: "edit",
    invariant: "L1",
    edits: [
      {
        file: "session/steps/planner-step.ts",
        find: "builder.milestones.length > (last?.boundary ?? -1) || again",
        replace: "last !== undefined && (builder.milestones.length > last.boundary || again)",
      },
    ],
  },
];
