import type { Planted } from "./planted.ts";

const REVIEWER = "session/steps/reviewer-step.ts";

/** Naive rules about milestones that are reviewed together with their commits. */
export const PLANTED_COVER: readonly Planted[] = [
  {
    name: "R35",
    rule: "the review of a milestone also covers a person's commits",
    scenario: "coverForeign",
    invariant: "I19",
    edits: [
      {
        file: REVIEWER,
        find: `leading(pending, (_, index) => kinds[index] === "own");`,
        replace: "pending;",
      },
    ],
  },
  {
    name: "R35",
    rule: "a commit that was added while the logs were read counts as one of wisp's",
    scenario: "coverForeign",
    invariant: "I19",
    edits: [{ file: REVIEWER, find: `? "foreign" : "unknown";`, replace: `? "foreign" : "own";` }],
  },
  {
    name: "R36",
    rule: "a person's commit is reviewed before earlier commits",
    scenario: "coverForeign",
    invariant: "I19",
    edits: [
      {
        file: REVIEWER,
        find: "return commitsOf(view, first, unseen.at(-1) ?? first);",
        replace: `const next = pending[ours.length] ?? first;
          return commitsOf(view, next, next);`,
      },
    ],
  },
  {
    name: "R37",
    rule: "`complete` does not require a review of commits that belong to no milestone",
    scenario: "cover",
    invariant: "I9",
    edits: [
      {
        file: "session/steps/log-summaries.ts",
        find: `const goal = own.stage.kind === "window" ?`,
        replace: `const goal = reviewPerCommit > 0 ? 0 : own.stage.kind === "window" ?`,
      },
    ],
  },
  {
    name: "R37",
    rule: "the review of commits waits for a milestone although no further one will end",
    scenario: "cover",
    invariant: "L1",
    edits: [
      {
        file: REVIEWER,
        find: `if (!isAtEnd(builder)) return`,
        replace: `if (builder.stage.kind !== "halt") return`,
      },
    ],
  },
  {
    name: "R38",
    rule: "a milestone is reviewed together with any number of commits",
    scenario: "coverParts",
    invariant: "I20",
    edits: [{ file: REVIEWER, find: "if (unseen.length > most)", replace: "if (most < 0)" }],
  },
  {
    name: "R39",
    rule: "the second review of a milestone, after the first gave up, moves the checkpoint back to the milestone's end",
    scenario: "coverGaveup",
    invariant: "I19",
    edits: [
      {
        file: REVIEWER,
        find: "{ covers: { checkpoint: undefined } }",
        replace: "{ covers: { checkpoint: milestone.end } }",
      },
      {
        file: "session/state/fold-judge.ts",
        find: "checkpoint: isRepeated ? fold.checkpoint : checkpoint",
        replace: "checkpoint",
      },
    ],
  },
  {
    name: "R46",
    rule: "a commit that was added while the logs were read is reviewed at once",
    scenario: "foreignLate",
    invariant: "I10",
    edits: [
      {
        file: REVIEWER,
        find: `if (kindsOf(view)(first) === "unknown") return waitFor({ kind: "old-view" }, 0);`,
        replace: "",
      },
    ],
  },
];
