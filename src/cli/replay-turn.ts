import { ok } from "../base/result.ts";
import { processStage, replayTurn } from "../engines/replay-turn.ts";
import type { Outcome } from "./cli.ts";

/** `wisp replay-turn`: the engine that plays a recording, as the program it is to its role. */
export async function playTurn(cassettePath: string): Promise<Outcome> {
  return ok(await replayTurn(processStage(cassettePath)));
}
