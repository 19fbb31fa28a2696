import { createHash } from "node:crypto";
import { join } from "node:path";
import { need } from "../../base/fatal.ts";
import { DOCUMENT_BYTES_MAX } from "../../base/limits.ts";
import { canonicalTasks } from "../../fs-protocol/tasks/canonical-tasks.ts";
import { planPath } from "../../fs-protocol/home/home.ts";
import type { PlanMilestone } from "../../fs-protocol/codec/record-fields.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import type { PlannerStep } from "../../session/steps/step.ts";
import { attemptUnit, type UnitEnd } from "../work/attempt-unit.ts";
import { questionFields } from "../work/questions.ts";
import type { RoleContext } from "../work/role-context.ts";
import { compiledPlan, compiledRequest } from "./compiled-plan.ts";
import { draftPlan, type Draft } from "./draft-plan.ts";

type PlanStep = Extract<PlannerStep, { kind: "plan" }>;

/** Answers a boundary or a version of the request: with a staged plan, with `keep`, or with why there is none. */
export async function plan(
  context: RoleContext<"planner">,
  state: SessionState,
  step: PlanStep,
): Promise<void> {
  const { journal } = context;
  const { unit, boundary, request } = step;
  const seq = state.planner.answers.length;
  const fields = { kind: "plan.end", unit, seq, boundary, request } as const;
  const { planSha } = state.builder;
  // What a person wrote task for task is theirs: nobody reconsiders it.
  const written = step.how === "keep" ? undefined : compiledRequest(context, state);
  if (step.how === "keep" || (step.how === "reconsider" && written !== undefined)) {
    journal.append({ ...fields, time: journal.time(), outcome: "keep" });
    return;
  }
  const base = state.branch.head;
  journal.append({ kind: "unit.begin", time: journal.time(), unit, base });
  const compiled = written === undefined ? undefined : compiledPlan(written, state);
  const end: UnitEnd<Draft> =
    compiled === undefined
      ? await draft(context, state, step)
      : { kind: "done", value: { kind: "plan", ...compiled } };
  const at = { ...fields, time: journal.time() };
  switch (end.kind) {
    case "stopped":
      return;
    case "gaveup":
      journal.append({ ...at, outcome: "gaveup", reason: end.reason, reopens: step.reopens });
      return;
    case "question": {
      const question = questionFields("planner", state.planner.questions.length, end.question);
      journal.append({ ...at, outcome: end.outcome, ...question });
      return;
    }
    case "done":
      if (end.value.kind === "keep") journal.append({ ...at, outcome: "keep" });
      else stage(context, { ...at, base: planSha }, end.value);
  }
}

async function draft(
  context: RoleContext<"planner">,
  state: SessionState,
  step: PlanStep,
): Promise<UnitEnd<Draft>> {
  const { ports, session } = context;
  const open = state.planner.open?.unit === step.unit ? state.planner.open : undefined;
  const directory = join(session.state, "planner", "tasks");
  need(ports.files.makeDirectory(directory));
  const unit = { key: step.unit, failures: open?.failures ?? 0, lastFailure: open?.lastFailure };
  return attemptUnit(context, unit, async (attempt, lastFailure) =>
    draftPlan(context, state, {
      step,
      clone: await context.clone(),
      tasksFile: join(directory, "TASKS.md"),
      attempt,
      lastFailure,
    }),
  );
}

interface PlanEnd {
  readonly kind: "plan.end";
  readonly time: string;
  readonly unit: string;
  readonly seq: number;
  readonly boundary: number;
  readonly request: number;
  readonly base: string | undefined;
}

/** The file first, named by its content, then the record: an orphan is harmless, a record without a file is not. */
function stage(
  { journal, ports, home }: RoleContext<"planner">,
  end: PlanEnd,
  plan: { readonly text: string; readonly milestones: readonly PlanMilestone[] },
): void {
  const text = canonicalTasks(plan.text);
  const sha256 = createHash("sha256").update(text).digest("hex");
  const path = planPath(home, sha256);
  const present = need(ports.files.read(path, DOCUMENT_BYTES_MAX));
  if (present === undefined) need(ports.files.create(path, Buffer.from(text)));
  journal.append({ ...end, outcome: "plan", plan: sha256, milestones: [...plan.milestones] });
}
