import type { FoundSession } from "../../workspace/sessions.ts";
import type { World } from "../../workspace/world.ts";
import type { DecidingEffect } from "../screen-state.ts";

/** Does what the person has decided, by the action of the corresponding command; what became of it goes to `tell`. */
export async function carryOut(
  world: World,
  found: FoundSession,
  { id, why }: DecidingEffect,
): Promise<void> {
  const { dismissedWords, dismissItem, itemToDismiss } =
    await import("../../actions/findings/dismiss-item.ts");
  const chosen = await itemToDismiss(world, found, id);
  const isNew = await dismissItem(world, found, { id: chosen.id, why });
  world.tell(dismissedWords(chosen.id, isNew));
}
