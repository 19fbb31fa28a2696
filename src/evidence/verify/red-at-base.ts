import type { Clone, GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import { verifyKey } from "../../session/state/builder-state.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { commandKey } from "./command-key.ts";

/**
 * The tests that were already red at the session's base, as far as verify named them. Nobody in the session is
 * to blame for them.
 */
export async function redAtBase(
  { verify, base }: Pick<SessionJson, "verify" | "base">,
  { builder }: Pick<SessionState, "builder">,
  clone: Pick<Clone, "treeOf">,
): Promise<Result<readonly string[], GitFailure>> {
  if (verify.length === 0) return ok([]);
  const tree = await clone.treeOf(base);
  if (!tree.ok) return tree;
  return ok(builder.verified.get(verifyKey(commandKey(verify), tree.value))?.failing ?? []);
}
