import type { Role } from "../../base/role.ts";
import {
  WISP_STATES,
  type SessionStateName,
  type WispState,
} from "../../session/rules/session-machine.ts";
import { formatDuration } from "../../base/words/format-duration.ts";
import { NOTHING_VERIFIED } from "../../session/rules/nothing-verified.ts";

import type { Elsewhere } from "./elsewhere.ts";

/** What the words for a state are made from. */
export interface Standing {
  readonly state: SessionStateName;
  readonly stage: WispState;
  /** Open questions and reports of blocked engines. */
  readonly questions: readonly { readonly role: Role; readonly isBlocked?: boolean | undefined }[];
  /** See `StatusView`. */
  readonly nothingVerified?: true | undefined;
  /** See `StatusView`. */
  readonly elsewhere?: Pick<Elsewhere, "isHeard" | "heardAgoMs"> | undefined;
}

/**
 * The state of a session in words, the same everywhere: `RUNNING (building)`, `NEEDS_INPUT (the builder asks)`,
 * `DONE (complete)`, `DONE (complete, nothing was verified)`, `OUT OF REACH, last seen RUNNING (building) 36s ago`.
 */
export function stageWords(standing: Standing): string {
  const word = wordOf(standing);
  const words = standing.nothingVerified === true ? `${word}, ${NOTHING_VERIFIED}` : word;
  const name = `${standing.state} (${words})`;
  return isOutOfReach(standing) ? outOfReachWords(name, standing.elsewhere) : name;
}

/** Whether the state is only what was last heard from a place that is out of reach, where it may have changed since. */
export function isOutOfReach({
  state,
  stage,
  elsewhere,
}: Pick<Standing, "state" | "stage" | "elsewhere">): boolean {
  if (elsewhere?.isHeard !== false) return false;
  return CHANGES_BY_ITSELF.has(state) || stage === "interrupted" || stage === "reopened";
}

const CHANGES_BY_ITSELF: ReadonlySet<SessionStateName> = new Set([
  "START",
  "RUNNING",
  "NEEDS_INPUT",
]);

function outOfReachWords(name: string, elsewhere: Standing["elsewhere"]): string {
  const { heardAgoMs } = elsewhere ?? {};
  if (heardAgoMs === undefined) return "OUT OF REACH, nothing was heard of it yet";
  return `OUT OF REACH, last seen ${name} ${formatDuration(heardAgoMs)} ago`;
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
