import { explain } from "../../base/explain.ts";
import { attempted } from "../../base/fatal.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import type { World } from "../../workspace/world.ts";

/**
 * After a session of a fleet has ended, or waits: grants what the finished ones did not use of their budgets to those that
 * need it. Does nothing for a session in no fleet. A failure is told, because what the command was asked for is done.
 */
export async function shareBudget(world: World, { session }: FoundSession): Promise<void> {
  const { fleet } = session;
  if (fleet === undefined) return;
  // Loaded only here: few sessions are in a fleet.
  const { grantUnused } = await import("./grant-unused.ts");
  const shared = await attempted(() => grantUnused(world, fleet));
  if (!shared.ok) world.tell(explain(shared.failure).message);
}
