import type { BuilderFold } from "../state/builder-state.ts";
import type { HumanFold } from "../state/fold-human.ts";
import type { JudgeFold } from "../state/fold-judge.ts";
import { roleGate } from "./role-gate.ts";
import { itemsFor, unjudgedFixes } from "./log-summaries.ts";
import {
  waitFor,
  type AdoptStep,
  type Exit,
  type Recover,
  type VerifyStep,
  type Wait,
} from "./step.ts";
import { verifyStep } from "./verify-step.ts";

/** The facts on which each step of reviewer and tester depends. */
export interface JudgeView {
  readonly own: JudgeFold;
  readonly builder: BuilderFold;
  readonly human: HumanFold;
}

/**
 * Returns the step of the first row that applies to reviewer or tester: the rows that every role
 * starts with, then adopting what a person added or dismissed, then verifying fixes of its items,
 * oldest first, and then `rows`, the role's own.
 */
export function judgeStep<Step>(
  role: "reviewer" | "tester",
  { own, builder, human }: JudgeView,
  rows: readonly (() => Step | undefined)[],
): Step | Wait | Exit | Recover | AdoptStep | VerifyStep {
  const gate = roleGate({ open: own.openUnit, questions: own.questions }, { builder, human });
  if (gate !== undefined) return gate;
  const item = itemsFor(human, role).find(({ index }) => index >= own.human);
  if (item !== undefined) return { kind: "adopt-human", item };
  const [fix] = unjudgedFixes(own, role, builder);
  if (fix !== undefined) return verifyStep(fix);
  for (const row of rows) {
    const step = row();
    if (step !== undefined) return step;
  }
  return waitFor({ kind: "idle" });
}
