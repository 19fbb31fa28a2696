import type { Planted } from "./planted.ts";

/**
 * Naive rules about fixes that the reference does not have: batches, stalemates, and items that are only reported.
 */
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
    rule: "one verdict on a commit counts for all findings that it fixes",
    scenario: "batch",
    invariant: "I5",
    edits: [
      {
        file: "session/steps/log-summaries.ts",
        find: `.filter(
        ({ id, attempt, outcome }) => outcome !== "failed" && !judged.has(judgedKey(id, attempt)),
      );`,
        replace: `.filter(
        ({ unit, outcome, attempt }) =>
          outcome !== "failed" &&
          ![...fixes.values()].flat().some(
            (other) => other.unit === unit && judged.has(judgedKey(other.id, attempt)),
          ),
      );`,
      },
    ],
  },
  {
    name: "Batch",
    rule: "a failed batch counts as an attempt at its first finding only",
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
    rule: "an item that ended in a stalemate no longer prevents `complete`",
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
    rule: "the tester adopts a person's word on a bug again and again",
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
    rule: "the builder does not wait until the tester has adopted a person's word on a bug",
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
    rule: "the builder waits for the reviewer to adopt a record that is the tester's to adopt",
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
    rule: "items that are only reported are fixed",
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
    rule: "items that are only reported do not prevent `complete`",
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
    rule: "items that a person wants to have fixed after all are still only reported",
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
    rule: "bugs are fixed although nothing is to be fixed",
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
