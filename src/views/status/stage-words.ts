import type { Role } from "../../base/role.ts";
import {
  WISP_STATES,
  type SessionStateName,
  type WispState,
} from "../../session/rules/session-machine.ts";

/** What a heading is made of. */
export interface Standing {
  readonly state: SessionStateName;
  readonly stage: WispState;
  /** Open questions, and what engines cannot get past. */
  readonly questions: readonly { readonly role: Role; readonly isBlocked?: boolean | undefined }[];
}

/**
 * Where a session stands, in the same words wherever it is shown: `RUNNING (building)`, `NEEDS_INPUT (the
 * builder asks)`, `DONE (complete)`.
 */
export function stageWords(standing: Standing): string {
  return `${standing.state} (${wordOf(standing)})`;
}

function wordOf({ stage, questions }: Standing): string {
  switch (stage) {
    case "asks": {
      const asking = rolesOf(questions.filter(({ isBlocked = false }) => !isBlocked));
      return `${inOne(asking)} ${asking.length === 1 ? "asks" : "ask"}`;
    }
    case "blocked":
      return `${inOne(rolesOf(questions))} cannot continue`;
    default:
      return WISP_STATES[stage].word;
  }
}

function rolesOf(questions: Standing["questions"]): readonly Role[] {
  return [...new Set(questions.map(({ role }) => role))];
}

function inOne(roles: readonly Role[]): string {
  return roles.map((role) => `the ${role}`).join(" and ");
}
