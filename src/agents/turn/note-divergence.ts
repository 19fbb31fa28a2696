import { need } from "../../base/fatal.ts";
import type { Role } from "../../base/role.ts";
import type { TurnOutcome } from "../../engines/engine.ts";
import { readLastMessage } from "../../fs-protocol/findings/last-message.ts";
import { DivergenceRecord, type Divergence } from "../../fs-protocol/records/divergence.ts";
import { roleLog } from "../../fs-protocol/home/home.ts";
import { LogFold } from "../../fs-protocol/codec/log-fold.ts";
import { createJournal } from "../work/journal.ts";
import type { RoleTurn, TurnContext } from "./turn.ts";

/** Whose turns say where the work left the request. */
const NOTED: ReadonlySet<Role> = new Set(["builder", "reviewer"]);

/**
 * Puts on record where, by the word of an engine, the work left the request; what the role noted of the
 * same milestone before is not said again. Before the end of the turn is: killed in between, the turn is
 * run again, and says it again.
 */
export function noteDivergence(context: TurnContext, turn: RoleTurn, outcome: TurnOutcome): void {
  const { ports, home, role } = context;
  if (outcome.kind !== "ended" || !NOTED.has(role)) return;
  const said = readLastMessage(outcome.text).divergence ?? [];
  if (said.length === 0) return;
  const known = knownOf(context);
  const journal = createJournal(ports, roleLog(home, role), DivergenceRecord);
  for (const divergence of said) {
    const key = keyOf(turn.milestone, divergence);
    if (known.has(key)) continue;
    known.add(key);
    const { what, reason } = divergence;
    journal.append({
      kind: "divergence",
      time: journal.time(),
      unit: turn.unit,
      m: turn.milestone,
      what,
      reason: reason === "" ? undefined : reason,
    });
  }
}

/** Read from the log, and only when a turn has something to say: that is seldom. */
function knownOf({ ports, home, role }: TurnContext): Set<string> {
  const log = new LogFold({
    files: ports.files,
    path: roleLog(home, role),
    schema: DivergenceRecord,
    empty: new Set<string>(),
    reduce: (known, { m, what }) => new Set([...known, keyOf(m, { what })]),
    passesOver: (line) => !/^\S+ divergence /.test(line),
  });
  return new Set(need(log.refresh()));
}

function keyOf(m: string | undefined, { what }: Pick<Divergence, "what">): string {
  return JSON.stringify([m, what]);
}
