import type { Refusal } from "../../base/failure.ts";
import { ok, type Result } from "../../base/result.ts";
import { sentence } from "../../base/words/sentence.ts";
import type { StatusView } from "../../views/status/status-view.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import type { World } from "../../workspace/world.ts";
import { confirm } from "../confirm.ts";

/** A person's commands decide what is shipped. If an engine may have given them, asks the person to confirm. */
export async function confirmCommands(
  world: World,
  { session: { id } }: FoundSession,
  { saidMeanwhile, closed }: StatusView,
  { yes, json }: { readonly yes: boolean; readonly json: boolean },
): Promise<Result<void, Refusal>> {
  if (saidMeanwhile.length === 0 || closed !== undefined) return ok(undefined);
  const words = saidMeanwhile.map((text) => sentence("plain", text).text);
  const about =
    "These commands were given while engines ran without a sandbox, by you or by an engine:";
  if (!json) for (const line of [about, ...words.map((word) => `  ${word}`)]) world.tell(line);
  return confirm(world, {
    isSure: yes,
    question: `Ship the work of ${id} as it is? [y/N] `,
    command: `wisp done ${id} --yes`,
    why: `Commands given while engines ran without a sandbox need your confirmation: ${words.join("; ")}`,
  });
}
