import type { Clone, GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import { verifyKey } from "../../session/state/builder-state.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { commandKey } from "./command-key.ts";

/**
 * Names of the tests that were red at the session's base already, as far as verify could tell them: what
 * nobody is blamed for.
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
