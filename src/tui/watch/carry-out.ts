import { need } from "../../base/fatal.ts";
import { readState } from "../../workspace/session/read-state.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import type { World } from "../../workspace/world.ts";
import type { DecidingEffect } from "../screen-state.ts";

/** Does what the person has decided, by the action of the corresponding command; what became of it goes to `tell`. */
export async function carryOut(
  world: World,
  found: FoundSession,
  effect: DecidingEffect,
): Promise<void> {
  if (effect.kind === "dismiss") await dismiss(world, found, effect);
  else await decideAboutPlan(world, found, effect);
}

type EffectOf<K extends DecidingEffect["kind"]> = Extract<DecidingEffect, { readonly kind: K }>;

async function dismiss(
  world: World,
  found: FoundSession,
  { id, why }: EffectOf<"dismiss">,
): Promise<void> {
  const { dismissedWords, dismissItem, itemToDismiss } =
    await import("../../actions/findings/dismiss-item.ts");
  const chosen = await itemToDismiss(world, found, id);
  const isNew = await dismissItem(world, found, { id: chosen.id, why });
  world.tell(dismissedWords(chosen.id, isNew));
}

/** The digest is that of the plan on the screen: a plan that came meanwhile is refused. */
async function decideAboutPlan(
  world: World,
  found: FoundSession,
  effect: EffectOf<"approve" | "reject">,
): Promise<void> {
  const { approvePlan, planToDecide, rejectPlan } =
    await import("../../actions/plan/decide-plan.ts");
  const { readStagedPlan } = await import("../../actions/plan/staged-plan.ts");
  const { state } = need(await readState(world, found));
  const decided = need(planToDecide(found, state, effect.plan));
  need(readStagedPlan(world.host.files, found, decided.waiting.staged.plan));
  if (effect.kind === "approve") await approvePlan(world, decided);
  else await rejectPlan(world, decided, effect.text);
}
