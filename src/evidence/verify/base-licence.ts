import type { RoleContext } from "../../work/role-context.ts";
import { verifyKey, type BuilderFold } from "../../session/state/builder-state.ts";
import { commandKey } from "./command-key.ts";

/**
 * Whether what was red at the session's base still excuses the same later. It no longer does once verify was green at the
 * end of a milestone: from then on, that is a failure like any other. Before version 3 it did for ever.
 */
export async function isBaseExcuse(
  { session, trees }: Pick<RoleContext, "session" | "trees">,
  { milestones, verified, adopted }: Pick<BuilderFold, "milestones" | "verified" | "adopted">,
): Promise<boolean> {
  // Verify was adopted for the work: what it does where there was none tells nothing.
  if (adopted !== undefined) return false;
  if (session.policy.redBase === undefined) return true;
  const command = commandKey(session.verify);
  // The newest first: it is the one that is most likely to be green.
  for (const { end } of milestones.toReversed()) {
    const { tree } = await trees.factsAt(end);
    if (verified.get(verifyKey(command, tree))?.outcome === "passed") return false;
  }
  return true;
}
