import type { Oid } from "../../base/oid.ts";
import { verifyKey } from "../../session/state/builder-state.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import type { RoleContext } from "../../work/role-context.ts";
import { isBaseExcuse } from "./base-licence.ts";
import { commandKey } from "./command-key.ts";
import { failureCounts, type FailureCounts } from "./failure-counts.ts";
import { movedIn, namesAfterMoves } from "./moved-tests.ts";

/**
 * How often each test failed at the session's base already, as far as verify named them and that still excuses it. Nobody
 * in the session is to blame for that.
 *
 * @param at the commit whose names the tests get, if their files moved since; absent: they keep those of the base
 */
export async function redAtBase(
  context: Pick<RoleContext, "session" | "trees" | "clone">,
  { builder }: Pick<SessionState, "builder">,
  at?: Oid,
): Promise<FailureCounts> {
  const { verify, base } = context.session;
  if (verify.length === 0 || !(await isBaseExcuse(context, builder))) return new Map();
  const { tree } = await context.trees.factsAt(base);
  const verified = builder.verified.get(verifyKey(commandKey(verify), tree));
  if (verified?.failing === undefined) return new Map();
  if (at === undefined) return failureCounts(verified);
  const moved = await movedIn(context, { start: base, end: at });
  return failureCounts({ ...verified, failing: namesAfterMoves(verified.failing, moved) });
}
