import { createHash } from "node:crypto";
import { dirname } from "node:path";
import { need } from "../../base/fatal.ts";
import { DOCUMENT_BYTES_MAX } from "../../base/limits.ts";
import { canonicalTasks } from "../../fs-protocol/tasks/canonical-tasks.ts";
import { checkPlan } from "../../fs-protocol/tasks/plan-check.ts";
import { LogFold } from "../../fs-protocol/codec/log-fold.ts";
import { planPath, type Home } from "../../fs-protocol/home/home.ts";
import { HumanRecord } from "../../fs-protocol/records/human-log.ts";
import { EMPTY_HUMAN, foldHuman } from "../../session/state/fold-human.ts";
import type { PlannerRecord } from "../../fs-protocol/records/planner-log.ts";
import { compileRequest } from "../../session/rules/compile-request.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import type { Ports, RoleContext } from "../../work/role-context.ts";
import { attemptUnit, beginUnit, undoneFields, type UnitEnd } from "../../work/unit.ts";
import {
  draftPath,
  draftPlan,
  standingMilestones,
  type Draft,
  type PlanStep,
} from "./draft-plan.ts";

/** Answers a boundary or a version of the request with a staged plan, with `keep`, or with the reason for having none. */
export async function plan(
  context: RoleContext<"planner">,
  state: SessionState,
  step: PlanStep,
): Promise<void> {
  const { journal } = context;
  const { unit, boundary, request } = step;
  const { answers, questions } = state.planner;
  const fields = { kind: "plan.end", unit, seq: answers.length, boundary, request } as const;
  // A plan that a person wrote themselves is not reconsidered.
  const written = step.how === "keep" ? undefined : compiledRequest(context, state);
  if (step.how === "keep" || (step.how === "reconsider" && written !== undefined)) {
    journal.append({ ...fields, time: journal.time(), outcome: "keep" });
    return;
  }
  beginUnit(context, unit, state.branch.head);
  const compiled = written === undefined ? undefined : compiledPlan(written, state);
  const end: UnitEnd<Draft> =
    compiled === undefined ? await draft(context, state, step) : { kind: "done", value: compiled };
  if (end.kind === "stopped") return;
  const at = { ...fields, time: journal.time() };
  if (end.kind !== "done") {
    journal.append({ ...at, ...undoneFields(end, "planner", questions.length, step.reopens) });
  } else if (end.value.kind === "keep") journal.append({ ...at, outcome: "keep" });
  else journal.append({ ...at, base: state.builder.planSha, ...stage(context, end.value) });
}

function draft(
  context: RoleContext<"planner">,
  state: SessionState,
  step: PlanStep,
): Promise<UnitEnd<Draft>> {
  need(context.ports.files.makeDirectory(dirname(draftPath(context))));
  return attemptUnit(context, step.unit, state.planner.open, (number, lastFailure) =>
    draftPlan(context, state, step, { number, lastFailure }),
  );
}

/**
 * The plan that the request itself is; undefined if it is prose, which needs planning. A request that was accepted
 * as prose stays prose, even if a later version of wisp would read a plan in it.
 */
function compiledRequest(
  { ports, home }: RoleContext<"planner">,
  { human }: SessionState,
): string | undefined {
  if (human.isProse) return undefined;
  const bytes = need(ports.files.read(home.request, DOCUMENT_BYTES_MAX));
  const compiled = compileRequest(new TextDecoder().decode(bytes ?? new Uint8Array()));
  return compiled.ok ? compiled.value?.text : undefined;
}

/**
 * A compiled plan as the planner's answer; undefined if it changes milestones that are completed or begun: then an
 * engine has to reconcile the two.
 */
function compiledPlan(text: string, state: SessionState): Draft | undefined {
  const checked = checkPlan(text, standingMilestones(state));
  return checked.ok ? { kind: "plan", text, milestones: checked.value.milestones } : undefined;
}

type Staged = Pick<
  Extract<PlannerRecord, { kind: "plan.end" }>,
  "outcome" | "plan" | "milestones" | "human"
>;

/**
 * Writes the plan to a file named by its content, and returns the fields of its record. The file comes first, because
 * a file without a record is harmless, but a record without its file is not.
 */
function stage(
  { ports, home, session }: RoleContext<"planner">,
  plan: Extract<Draft, { kind: "plan" }>,
): Staged {
  const text = canonicalTasks(plan.text);
  const sha256 = createHash("sha256").update(text).digest("hex");
  const human = session.policy.planApproval === undefined ? undefined : saidSoFar(ports, home);
  const path = planPath(home, sha256);
  const present = need(ports.files.read(path, DOCUMENT_BYTES_MAX));
  if (present === undefined) need(ports.files.create(path, Buffer.from(text)));
  return { outcome: "plan", plan: sha256, milestones: [...plan.milestones], human };
}

/** The number of records that people have written: what an engine added in its turn is among them. */
function saidSoFar({ files }: Ports, { humanLog: path }: Home): number {
  const log = { files, path, schema: HumanRecord, empty: EMPTY_HUMAN, reduce: foldHuman };
  return need(new LogFold(log).refresh()).events.length;
}
