import { ROLES } from "../../base/role.ts";
import type { FleetMember } from "../rules/next-grant.ts";
import { endOf } from "../state/end-in-force.ts";
import type { SessionState } from "../state/session-state.ts";
import { budgets, usedBy } from "./turn-gate.ts";

/**
 * What a session's records say of its place in a fleet.
 *
 * @param isGivenUp whoever runs the fleet does not run the session again; that counts once its supervisor has ended
 */
export function fleetMember(
  id: string,
  state: SessionState,
  isGivenUp: boolean,
): FleetMember | undefined {
  const { turns, human } = state;
  if (turns === undefined) return undefined;
  return {
    id,
    stage: stageOf(state, isGivenUp),
    budget: budgets({ budget: turns.budget, human }).session,
    used: usedBy(turns.facts.spend),
    given: human.given.length,
  };
}

function stageOf(state: SessionState, isGivenUp: boolean): FleetMember["stage"] {
  const { human, supervisor } = state;
  const end = endOf(state);
  const isOver =
    human.closed !== undefined ||
    end?.how === "complete" ||
    (isGivenUp && supervisor.lastEnd !== undefined);
  // What a turn without an end used is not known, so nothing of such a session is given away.
  const runsTurn = ROLES.some((role) => (state.turns?.facts.runningOf(role).length ?? 0) > 0);
  if (isOver) return runsTurn ? "idle" : "finished";
  return end === undefined && !human.stopped ? "working" : "idle";
}
