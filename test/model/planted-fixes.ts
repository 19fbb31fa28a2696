import type { Planted } from "./planted.ts";

/** Naive rules about fixes that the reference leaves out: batches, stalemates, and what is only reported. */
export const PLANTED_FIXES: readonly Planted[] = [
  {
    name: "Batch",
    rule: "only the first finding of a batch counts as tried",
    scenario: "batch",
    invariant: "I4",
    edits: [
      {
        file: "session/state/fold-builder.ts",
        find: "const ids = fixedIds(record);",
        replace: "const ids = [record.id];",
      },
    ],
  },
  {
    name: "Batch",
    rule: "one look at a commit answers for all findings that it fixes",
    scenario: "batch",
    invariant: "I5",
    edits: [
      {
        file: "session/steps/log-summaries.ts",
        find: `.filter(
      ({ id, attempt, outcome }) =>
        outcome !== "failed" && !judge.judged.has(judgedKey(id, attempt)),
    );`,
        replace: `.filter(
      ({ unit, outcome, attempt }) =>
        outcome !== "failed" &&
        ![...builder.fixes.values()].flat().some(
          (other) => other.unit === unit && judge.judged.has(judgedKey(other.id, attempt)),
        ),
    );`,
      },
    ],
  },
  {
    name: "Batch",
    rule: "a batch that failed together counts for its first finding alone",
    scenario: "batch",
    invariant: "I5",
    edits: [
      {
        file: "session/state/fold-builder.ts",
        find: "const ids = fixedIds(record);",
        replace: `const ids = record.outcome === "failed" ? [record.id] : fixedIds(record);`,
      },
    ],
  },
  {
    name: "Stalemate",
    rule: "a stalemate is fixed again while it has attempts left",
    scenario: "stalemate",
    invariant: "I16",
    edits: [
      {
        file: "session/steps/log-summaries.ts",
        find: "!isStalemate(judge, id, own.reopens) &&",
        replace: "",
      },
    ],
  },
  {
    name: "Stalemate",
    rule: "what ended in a stalemate no longer holds up the end",
    scenario: "stalemate",
    invariant: "I9",
    edits: [
      {
        file: "session/steps/log-summaries.ts",
        find: "return level !== undefined && holdsUp(level, policy);",
        replace:
          "return level !== undefined && holdsUp(level, policy) && !isStalemate(judge, id, own.reopens);",
      },
    ],
  },
  {
    name: "Dismissed bug",
    rule: "the tester takes over a person's word on a bug, and forgets that it has",
    scenario: "dismissBug",
    invariant: "I4",
    edits: [
      {
        file: "session/steps/judge-step.ts",
        find: "({ index }) => index >= own.human",
        replace: '({ index }) => index >= (role === "tester" ? 0 : own.human)',
      },
    ],
  },
  {
    name: "Dismissed bug",
    rule: "the builder does not wait until the tester has taken over what a person says of a bug",
    scenario: "dismissBug",
    invariant: "L2",
    edits: [
      {
        file: "session/steps/builder-step.ts",
        find: "!tester.settled || tester.human < human.itemsEnd.tester",
        replace: "!tester.settled",
      },
    ],
  },
  {
    name: "Dismissed bug",
    rule: "the builder waits until the reviewer has taken over what is the tester's",
    scenario: "dismissBug",
    invariant: "L1",
    edits: [
      {
        file: "session/steps/builder-step.ts",
        find: "reviewer.human < human.itemsEnd.reviewer",
        replace: "reviewer.human < Math.max(human.itemsEnd.reviewer, human.itemsEnd.tester)",
      },
    ],
  },
  {
    name: "No-fix",
    rule: "what is only reported is fixed all the same",
    scenario: "noFix",
    invariant: "I16",
    edits: [
      {
        file: "session/steps/builder-step.ts",
        find: "const leftToPeople = human.fixesAll ? [] :",
        replace: "const leftToPeople = own.stretch.rounds >= 0 ? [] :",
      },
    ],
  },
  {
    name: "No-fix",
    rule: "what is only reported does not hold up the end",
    scenario: "noFix",
    invariant: "I9",
    edits: [
      {
        file: "session/steps/log-summaries.ts",
        find: "return level !== undefined && holdsUp(level, policy);",
        replace:
          "return level !== undefined && holdsUp(level, policy) && !isOnlyReported(judge, id, policy);",
      },
    ],
  },
  {
    name: "No-fix",
    rule: "what a person wants to have fixed after all stays reported",
    scenario: "fixAll",
    invariant: "I9",
    edits: [
      {
        file: "session/steps/builder-step.ts",
        find: "const leftToPeople = human.fixesAll ? [] :",
        replace: "const leftToPeople = own.stretch.rounds < 0 ? [] :",
      },
    ],
  },
  {
    name: "No-fix",
    rule: "bugs are fixed where nothing that was found is to be fixed",
    scenario: "noFix",
    invariant: "I16",
    edits: [
      {
        file: "session/steps/log-summaries.ts",
        find: 'return noFix && items.get(id)?.reviewer !== "human";',
        replace:
          'return noFix && openerOf(id) === "reviewer" && items.get(id)?.reviewer !== "human";',
      },
    ],
  },
];
