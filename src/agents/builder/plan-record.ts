import { present } from "../../base/assert.ts";
import type { BuilderRecord } from "../../fs-protocol/records/builder-log.ts";
import type { HumanEdit } from "../../session/state/fold-human.ts";
import type { PlanAnswer } from "../../session/state/fold-planner.ts";
import type { BuilderStep } from "../../session/steps/step.ts";
import { clip } from "../../work/clip.ts";

type PlanStep = Extract<
  BuilderStep,
  { readonly kind: "adopt" | "refuse" | "adopt-edit" | "refuse-edit" }
>;
type Without<R, K extends keyof never> = R extends unknown ? Omit<R, K> : never;
type PlanRecord = Without<
  Extract<BuilderRecord, { readonly kind: "plan.adopt" | "plan.refuse" }>,
  "time"
>;

/** The record that adopts or refuses a plan: one of the planner's, or a person's edit of TASKS.md. */
export function planRecord(step: PlanStep): PlanRecord {
  switch (step.kind) {
    case "adopt":
      return { kind: "plan.adopt", ...planFields(step.answer) };
    case "refuse": {
      const { seq, plan } = planFields(step.answer);
      return { kind: "plan.refuse", seq, plan, reason: clip(step.reason), request: step.request };
    }
    case "adopt-edit": {
      const { request, milestones } = step.edit;
      const content = { request, milestones: [...milestones], ticks: [...step.ticks] };
      return { kind: "plan.adopt", ...editFields(step.edit), ...content };
    }
    case "refuse-edit":
      return { kind: "plan.refuse", ...editFields(step.edit), reason: clip(step.reason) };
  }
}

function editFields({ index, plan }: HumanEdit) {
  return { human: index, plan };
}

function planFields(answer: PlanAnswer) {
  const staged = present(answer.staged, "only a staged plan is adopted or refused");
  return {
    seq: answer.seq,
    plan: staged.plan,
    request: answer.request,
    milestones: [...staged.milestones],
  };
}
