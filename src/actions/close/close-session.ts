import { need } from "../../base/fatal.ts";
import { appendHuman, type HumanEntry } from "../../workspace/session/append-human.ts";
import type { World } from "../../workspace/world.ts";
import type { FoundSession } from "../../workspace/sessions.ts";

/**
 * Records that a session is closed. If it is already closed in the same way, an earlier command was
 * killed and this one does the rest. Throws `CannotGoOn` if it was closed in another way, or if the
 * record cannot be written.
 */
export async function closeSession(
  world: World,
  found: FoundSession,
  word: Extract<HumanEntry, { readonly kind: "abandon" | "done" }>,
): Promise<void> {
  const how = word.kind === "done" ? "done" : "abandoned";
  const appended = await appendHuman(world, found, () => word);
  const isAgain =
    !appended.ok && appended.failure.kind === "session-closed" && appended.failure.how === how;
  if (!isAgain) need(appended);
}
