import type { Policy } from "../../fs-protocol/home/policy.ts";
import { EMPTY_BUILDER } from "./builder-state.ts";
import { foldBuilder } from "./fold-builder.ts";
import { EMPTY_HUMAN, foldHuman } from "./fold-human.ts";
import { EMPTY_JUDGE, foldJudge } from "./fold-judge.ts";
import { EMPTY_PLANNER, foldPlanner } from "./fold-planner.ts";
import { EMPTY_SUPERVISOR, foldSupervisor } from "./fold-supervisor.ts";
import { LOG_SCHEMAS } from "../../fs-protocol/home/logs.ts";

/** How each log of records is folded: its schema, the state before the first record, and what a record does to it. */
export function logFolds({ policy }: { readonly policy: Policy }) {
  const { planner, builder, reviewer, tester, supervisor, human } = LOG_SCHEMAS;
  const judge = { empty: EMPTY_JUDGE, reduce: foldJudge } as const;
  return {
    planner: { schema: planner, empty: EMPTY_PLANNER, reduce: foldPlanner },
    builder: {
      schema: builder,
      empty: EMPTY_BUILDER,
      reduce: (...[fold, record]: FoldBuilder) => foldBuilder(fold, record, policy),
    },
    reviewer: { schema: reviewer, ...judge },
    tester: { schema: tester, ...judge },
    supervisor: { schema: supervisor, empty: EMPTY_SUPERVISOR, reduce: foldSupervisor },
    human: { schema: human, empty: EMPTY_HUMAN, reduce: foldHuman },
  } as const;
}

type FoldBuilder = [Parameters<typeof foldBuilder>[0], Parameters<typeof foldBuilder>[1]];
