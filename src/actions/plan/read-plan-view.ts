import { need } from "../../base/fatal.ts";
import { parseTasks } from "../../fs-protocol/tasks/tasks-md.ts";
import { replaceTicks } from "../../fs-protocol/tasks/tasks-ticks.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { waitingPlan } from "../../session/steps/waiting-plan.ts";
import { planView, type PlanView, type ShownPlan } from "../../views/plan/plan-view.ts";
import { editAhead, ticksAhead } from "../../views/status/milestone-status.ts";
import { pastWork } from "../../workspace/past-work.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import type { World } from "../../workspace/world.ts";
import { readStagedPlan } from "./staged-plan.ts";

type Reading = Pick<World, "host" | "env" | "program" | "cwd">;

/** Reads the plan that waits for an approval, or else the one in force, with what to look at in it. */
export async function readPlanView(
  world: Reading,
  found: FoundSession,
  state: SessionState,
): Promise<PlanView> {
  const plan = readShownPlan(world, found, state);
  const past = plan === undefined ? [] : await pastWork(world, found.session.id);
  return planView(found.session.id, state, { plan, past });
}

/** The digest of the plan that is shown, and whether it waits for an approval; undefined if there is no plan yet. */
export function shownPlanDigest(
  state: SessionState,
): Pick<ShownPlan, "sha256" | "isWaiting"> | undefined {
  const waiting = waitingPlan(state)?.staged.plan;
  const sha256 = waiting ?? editAhead(state)?.plan ?? state.builder.planSha;
  return sha256 === undefined ? undefined : { sha256, isWaiting: waiting !== undefined };
}

function readShownPlan(
  { host }: Reading,
  found: FoundSession,
  state: SessionState,
): ShownPlan | undefined {
  const digest = shownPlanDigest(state);
  if (digest === undefined) return undefined;
  const text = need(readStagedPlan(host.files, found, digest.sha256));
  const document = need(parseTasks(replaceTicks(text, ticksAhead(state))));
  return { ...digest, document };
}
