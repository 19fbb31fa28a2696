import { join } from "node:path";
import { recordFields } from "./ask-engine.ts";
import { need } from "../../base/fatal.ts";
import { noteMeanwhile } from "./note-meanwhile.ts";
import type { TurnContext } from "./turn.ts";

/**
 * Ends on record the turns that were running when the role's process was killed: what they used, and
 * which session can be resumed, is read from their raw output, as far as it got there. What changed in the
 * user's repository since, where no sandbox confined them, is put on record as at the end of a turn.
 */
export async function closeInterruptedTurns(context: TurnContext): Promise<void> {
  const { role, home, journal, engines, reader } = context;
  const { facts } = need(reader.readTurns());
  const running = facts.runningOf(role);
  const [first] = running;
  if (first !== undefined) {
    await noteMeanwhile(context, first.unit, context.meanwhile?.interrupted());
  }
  for (const { unit, engine: name, output, resume } of running) {
    const engine = engines.find((one) => one.name === name);
    const told = engine?.recall?.(join(home.turns, output), resume) ?? {};
    const before =
      resume === undefined
        ? undefined
        : { usage: facts.reportedBy(role, { engine: name, session: resume }) };
    journal.append({
      kind: "turn.end",
      time: journal.time(),
      unit,
      output,
      outcome: "stopped",
      ...recordFields(told, before),
    });
  }
}
