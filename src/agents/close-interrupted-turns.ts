import { join } from "node:path";
import { recordFields } from "./ask-engine.ts";
import { need } from "../base/fatal.ts";
import type { TurnContext } from "./turn.ts";

/**
 * Ends on record the turns that were running when the role's process was killed: what they used, and
 * which session can be resumed, is read from their raw output, as far as it got there.
 */
export function closeInterruptedTurns(context: TurnContext): void {
  const { role, home, journal, engines, reader } = context;
  const { facts } = need(reader.readTurns());
  for (const { unit, engine: name, output, resume } of facts.runningOf(role)) {
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
