import { verifyKey } from "../../session/state/builder-state.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import type { RoleContext } from "../../work/role-context.ts";
import { isBaseExcuse } from "./base-licence.ts";
import { commandKey } from "./command-key.ts";
import { failureCounts, type FailureCounts } from "./failure-counts.ts";

/**
 * How often each test failed at the session's base already, as far as verify named them and that still excuses it. Nobody
 * in the session is to blame for that.
 */
export async function redAtBase(
  context: Pick<RoleContext, "session" | "trees">,
  { builder }: Pick<SessionState, "builder">,
): Promise<FailureCounts> {
  const { verify, base } = context.session;
  if (verify.length === 0 || !(await isBaseExcuse(context, builder))) return new Map();
  const { tree } = await context.trees.factsAt(base);
  const verified = builder.verified.get(verifyKey(commandKey(verify), tree));
  return verified === undefined ? new Map() : failureCounts(verified);
}
