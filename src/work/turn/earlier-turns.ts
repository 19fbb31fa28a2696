import type { TurnEnding } from "../../session/state/role-turns.ts";
import type { TurnHistory } from "../../session/state/turn-ledger.ts";
import type { Role } from "../../base/role.ts";
import type { RoleTurn } from "./turn.ts";

/**
 * Summarizes earlier turns for an engine that cannot resume their conversation: the turns of the unit itself and of the
 * units whose session it would resume. "" if there were none.
 */
export function earlierTurns(
  facts: TurnHistory,
  role: Role,
  { unit, part, resumes = [] }: Pick<RoleTurn, "unit" | "part" | "resumes">,
): string {
  // Reversed, because the turns of the unit itself are the newest.
  const keys = [...new Set([unit, ...resumes])].reverse();
  const endings = keys.flatMap((key) => facts.endingsOf(role, key, part));
  if (endings.length === 0) return "";
  return [BEFORE, ...endings.map(lineOf), AFTER].join("\n");
}

/**
 * Summarizes for an engine that goes on with its own conversation what others have done since: they took its turns
 * while it was at its limit. "" if nobody did.
 */
export function turnsOfOthers(
  facts: Pick<TurnHistory, "endingsOf">,
  role: Role,
  { unit, part }: Pick<RoleTurn, "unit" | "part">,
  engine: string,
): string {
  const endings = facts.endingsOf(role, unit, part);
  const last = endings.findLastIndex((ending) => ending.engine === engine);
  const since = endings.slice(last + 1);
  return since.length === 0 ? "" : [SINCE, ...since.map(lineOf)].join("\n");
}

const SINCE = "Others have worked on it since your last turn. How that ended, oldest first:";
const BEFORE =
  "This has been worked on before, in a conversation that cannot be gone on with. How it ended, oldest first:";
const AFTER =
  "What was committed is in the history. The working tree may have been set back since: see what is there " +
  "before you go on.";

function lineOf({ engine, outcome, reason }: TurnEnding): string {
  const why = reason === "" ? "" : `: ${reason}`;
  switch (outcome) {
    case "ended":
      return `- ${engine} ended${why}`;
    case "needs-input":
    case "blocked":
      return `- ${engine} asked a person${why}`;
    case "failed":
      return `- ${engine} failed${why}`;
    case "stopped":
      return `- ${engine} was interrupted${why}`;
  }
}
