import { join } from "node:path";
import { recordFields } from "./ask-engine.ts";
import { need } from "../../base/fatal.ts";
import { roleLog } from "../../fs-protocol/home/home.ts";
import { noteMeanwhile } from "./note-meanwhile.ts";
import { newestUnitIn } from "./watch-commands.ts";
import type { TurnContext } from "./turn.ts";

/**
 * Records the end of the turns that were running when the role's process was killed. Reads their usage and the session
 * that can be resumed from their raw output, as far as it was written. If no sandbox confined the turns, or a command that ran
 * then, also records what changed in the user's repository since, as at the end of each.
 */
export async function closeInterruptedTurns(context: TurnContext): Promise<void> {
  const { role, home, journal, engines, reader } = context;
  const { facts } = need(reader.readTurns());
  const running = facts.runningOf(role);
  const [first] = running;
  const before = context.meanwhile?.interrupted();
  const unit = first?.unit ?? newestUnitIn(context.ports.files, roleLog(home, role))();
  await noteMeanwhile(context, unit, { before, during: first === undefined ? "command" : "turn" });
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
