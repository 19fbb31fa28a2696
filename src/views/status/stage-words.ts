import type { Role } from "../../base/role.ts";
import {
  WISP_STATES,
  type SessionStateName,
  type WispState,
} from "../../session/rules/session-machine.ts";
import { NOTHING_VERIFIED } from "../../session/rules/nothing-verified.ts";

/** What the words for a state are made from. */
export interface Standing {
  readonly state: SessionStateName;
  readonly stage: WispState;
  /** Open questions and reports of blocked engines. */
  readonly questions: readonly { readonly role: Role; readonly isBlocked?: boolean | undefined }[];
  /** See `StatusView`. */
  readonly nothingVerified?: true | undefined;
}

/**
 * The state of a session in words, the same everywhere: `RUNNING (building)`, `NEEDS_INPUT (the builder asks)`,
 * `DONE (complete)`, `DONE (complete, nothing was verified)`.
 */
export function stageWords(standing: Standing): string {
  const word = wordOf(standing);
  const words = standing.nothingVerified === true ? `${word}, ${NOTHING_VERIFIED}` : word;
  return `${standing.state} (${words})`;
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
