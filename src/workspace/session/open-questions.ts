import { ROLES, type Role } from "../../base/role.ts";
import { isUnanswered } from "../../session/state/open-unit.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { answerCommand } from "./answer-command.ts";

/** A question that a person has not answered yet. */
export interface OpenQuestion {
  readonly role: Role;
  readonly id: string;
  readonly ask: string;
  /** The engine did not ask a question, but reported what blocks it. */
  readonly isBlocked: boolean;
  /** The command that answers it. */
  readonly answer: string;
}

/** Unanswered questions of all roles. */
export function openQuestions(state: SessionState, sessionId: string): readonly OpenQuestion[] {
  return ROLES.flatMap((role) =>
    state[role].questions
      .filter((question) => isUnanswered(question, state.human))
      .map(({ id, ask, isBlocked = false }) => {
        return { role, id, ask, isBlocked, answer: answerCommand(sessionId, id) };
      }),
  );
}
