import { need } from "../../base/fatal.ts";
import type { Role } from "../../base/role.ts";
import type { TurnOutcome } from "../../engines/engine.ts";
import { readLastMessage } from "../../fs-protocol/findings/last-message.ts";
import { DivergenceRecord, type Divergence } from "../../fs-protocol/records/divergence.ts";
import { roleLog } from "../../fs-protocol/home/home.ts";
import { LogFold } from "../../fs-protocol/codec/log-fold.ts";
import { createJournal } from "../journal.ts";
import type { RoleTurn, TurnContext } from "./turn.ts";

/** The roles whose turns report where the work departs from the request. */
const NOTED: ReadonlySet<Role> = new Set(["builder", "reviewer"]);

/**
 * Records where the work departs from the request, as the engine reported it. Skips what the role already recorded for
 * the same milestone. Called before the end of the turn is recorded: if the process is killed in between, the turn runs
 * again and reports it again.
 */
export function noteDivergence(context: TurnContext, turn: RoleTurn, outcome: TurnOutcome): void {
  const { ports, home, role } = context;
  if (outcome.kind !== "ended" || !NOTED.has(role)) return;
  const reported = readLastMessage(outcome.text).divergence ?? [];
  if (reported.length === 0) return;
  const known = knownOf(context);
  const journal = createJournal(ports, roleLog(home, role), DivergenceRecord);
  for (const divergence of reported) {
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

/** Keys of the recorded divergences. Read from the log only when a turn reports one, which is rare. */
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
