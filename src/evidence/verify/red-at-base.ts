import type { Clone, GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import { verifyKey } from "../../session/state/builder-state.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { commandKey } from "./command-key.ts";
import { failureCounts, type FailureCounts } from "./failure-counts.ts";

/**
 * How often each test failed at the session's base already, as far as verify named them. Nobody in the session is
 * to blame for that.
 */
export async function redAtBase(
  { verify, base }: Pick<SessionJson, "verify" | "base">,
  { builder }: Pick<SessionState, "builder">,
  clone: Pick<Clone, "treeOf">,
): Promise<Result<FailureCounts, GitFailure>> {
  if (verify.length === 0) return ok(new Map());
  const tree = await clone.treeOf(base);
  if (!tree.ok) return tree;
  const verified = builder.verified.get(verifyKey(commandKey(verify), tree.value));
  return ok(verified === undefined ? new Map() : failureCounts(verified));
}
