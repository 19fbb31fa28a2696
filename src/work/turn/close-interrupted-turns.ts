import { join } from "node:path";
import { recordFields } from "./ask-engine.ts";
import { need } from "../../base/fatal.ts";
import { noteMeanwhile } from "./note-meanwhile.ts";
import type { TurnContext } from "./turn.ts";

/**
 * Records the end of the turns that were running when the role's process was killed. Reads their usage and the session
 * that can be resumed from their raw output, as far as it was written. If no sandbox confined the turns, also records
 * what changed in the user's repository since, as at the end of every turn.
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
    const report = engine?.recall?.(join(home.turns, output), resume) ?? {};
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
      ...recordFields(report, before),
    });
  }
}
