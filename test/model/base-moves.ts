import type { BuilderStep } from "../../src/session/steps/step.ts";
import type { Policy } from "../../src/fs-protocol/home/policy.ts";
import { isRedBase } from "../../src/session/state/base-outcome.ts";
import type { Move } from "./move.ts";
import { BASE, NOTHING, TIME } from "./names.ts";
import type { State } from "./world.ts";

/** The test that fails by name at a red base. */
const OLD_TEST = "old";

type Base = Extract<BuilderStep, { kind: "base" }>;

/**
 * Verify at the session's base: its result is recorded before its consequence, so that a builder that is killed
 * between the two reads the result.
 */
export function baseMoves(state: State, step: Base, rule: Policy["redBase"]): readonly Move[] {
  const { builder } = state;
  const { baseline } = builder.fold;
  if (builder.record?.kind !== "verify.result" || baseline === undefined) return runs(state, rule);
  if (!isRedBase(baseline, rule)) return [ends(state, step, "judged")];
  const asks = ends(state, step, "needs_input");
  // If it was killed before it asked, it does not rely on an earlier red result.
  return step.isAgain ? [asks, ...runs(state, rule).map(afterKill)] : [asks];
}

function afterKill(move: Move): Move {
  return { ...move, label: `${move.label}, after a kill`, spend: move.spend ?? "crash" };
}

function runs({ builder }: State, rule: Policy["redBase"]): readonly Move[] {
  const result = {
    kind: "verify.result",
    time: TIME,
    ...{ at: BASE, tree: BASE, command: NOTHING, setup: NOTHING },
  } as const;
  const named = {
    label: "B: the base is red by name",
    spend: "redBase",
    builder: builder.grow({ ...result, outcome: "failed", failing: [OLD_TEST] }),
  } as const;
  return [
    { label: "B: the base is green", builder: builder.grow({ ...result, outcome: "passed" }) },
    {
      label: "B: the base is red and names no test",
      spend: "redBase",
      builder: builder.grow({ ...result, outcome: "failed" }),
    },
    ...(rule === undefined ? [] : [named]),
  ];
}

function ends({ builder }: State, { unit }: Base, outcome: "judged" | "needs_input"): Move {
  const end = { kind: "base.end", time: TIME, unit, at: BASE, outcome } as const;
  if (outcome === "judged") return { label: "B: the base is judged", builder: builder.grow(end) };
  const question = `builder-${String(builder.fold.questions.length + 1)}`;
  return { label: "B asks about the base", builder: builder.grow({ ...end, question }) };
}
