import { need } from "../../base/fatal.ts";
import { DOCUMENT_BYTES_MAX } from "../../base/limits.ts";
import { compileRequest } from "../../session/rules/compile-request.ts";
import { checkPlan } from "../../fs-protocol/tasks/plan-check.ts";
import type { PlanMilestone } from "../../fs-protocol/codec/record-fields.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import type { RoleContext } from "../work/role-context.ts";
import { standingMilestones } from "./standing-milestones.ts";

/**
 * The text of the plan that the request is, where it is one; undefined: it has to be planned. What was taken as
 * prose when it came stays that, also where a later version of wisp would read a plan in it.
 */
export function compiledRequest(
  { ports, home }: Pick<RoleContext, "ports" | "home">,
  { human }: Pick<SessionState, "human">,
): string | undefined {
  if (human.isProse) return undefined;
  const bytes = need(ports.files.read(home.request, DOCUMENT_BYTES_MAX));
  const compiled = compileRequest(new TextDecoder().decode(bytes ?? new Uint8Array()));
  return compiled.ok ? compiled.value?.text : undefined;
}

/**
 * What a plan that was compiled is as an answer of the planner; undefined when it does not leave alone what
 * is completed or begun: then somebody has to reconcile the two.
 */
export function compiledPlan(
  text: string,
  state: SessionState,
): { readonly text: string; readonly milestones: readonly PlanMilestone[] } | undefined {
  const checked = checkPlan(text, standingMilestones(state));
  return checked.ok ? { text, milestones: checked.value.milestones } : undefined;
}
