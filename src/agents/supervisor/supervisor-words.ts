import { REASON_CHARS_MAX } from "../../base/limits.ts";
import { ROLES, type PerRole, type Role } from "../../base/role.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import type { ReadFailure } from "../../session/state/session-reader.ts";
import type { SupervisorAction, FinishCause, RoleHolder } from "./decide.ts";
import type { EndCause, RestartHistory, ProcessEnd } from "./restart-history.ts";
import type { SessionFacts } from "./session-facts.ts";
import type { Timing } from "./timing.ts";

/** The exit code of a process that prints why it cannot continue. */
const EXIT_FAILURE = 1;
/** The likely cause if it printed nothing: a full disk has no room for its output either. */
const MUTE = "is the disk full? See wisp doctor";

/** How a process ended, and what happens next: the `reason` of a `role.exit` record. */
export function exitWords(end: ProcessEnd, cause: EndCause, history: RestartHistory): string {
  const how = howWords(end);
  switch (cause) {
    case "over":
      return `${how}; nothing is left to do`;
    case "asked":
      return `${how}, as it was asked to`;
    case "interrupted":
      return `${how}: somebody interrupted it; ${againWords(end, history)}`;
    case "lease-held":
      return `${how}: another process holds its lease`;
    case "branch-rewritten":
      return `${how}: the branch was rewritten or deleted`;
    case "crash":
      return `${how}${becauseWords(end)}; ${againWords(end, history)}`;
  }
}

/** Why a process crashed, as it explained it. */
function becauseWords({ how, explanation }: ProcessEnd): string {
  if (explanation !== undefined) return `: ${explanation}`;
  const isMute = how.kind === "exited" && how.code === EXIT_FAILURE;
  return isMute ? `, without a word: ${MUTE}` : "";
}

function againWords({ atMs }: ProcessEnd, { notBeforeMs }: RestartHistory): string {
  return notBeforeMs <= atMs
    ? "started again at once"
    : `not started again before ${seconds(notBeforeMs - atMs)} have passed`;
}

function howWords({ how }: ProcessEnd): string {
  switch (how.kind) {
    case "exited":
      return how.code > 128 ? `ended by signal ${how.code - 128}` : `exit code ${how.code}`;
    case "left":
      return "its lease fell free";
    case "gone":
      return "ended, how is not known";
    case "not-started":
      return `could not be started: ${how.errno}`;
  }
}

/**
 * Why a role was given up.
 *
 * @param explanation what the role's last process printed
 */
export function crashLoopWords(
  role: Role,
  explanation: string | undefined,
  timing: Timing,
): string {
  const { crashLoopCount, crashLoopWindowMs } = timing;
  const last = explanation === undefined ? "" : `, at last so: ${explanation}`;
  return (
    `crashed ${crashLoopCount} times in ${seconds(crashLoopWindowMs)}${last}: see logs/${role}.out, ` +
    `then start it again with: wisp restart ${role}`
  );
}

/** Why a supervisor ended. */
export function finishWords(cause: FinishCause, session: SessionFacts): string {
  switch (cause) {
    case "complete":
      return "the session is complete";
    case "stuck":
      return "the session is stuck";
    case "stopped":
      return "a stop is in force";
    case "signal":
      return "a signal asked to stop";
    case "builder-failed":
      return "the builder failed";
    case "branch-rewritten":
      return "the branch was rewritten or deleted";
    case "damaged":
      return cleanText(`the session cannot be read: ${session.damage ?? ""}`, {
        charsMax: REASON_CHARS_MAX,
        lines: "one",
      });
    case "input-needed":
      return cleanText(`input is needed and there is nobody to ask: ${session.asks ?? ""}`, {
        charsMax: REASON_CHARS_MAX,
        lines: "one",
      });
  }
}

/** Which roles a stopping supervisor waits for or kills; undefined if these actions stop no role. */
export function stoppingWords(
  actions: readonly SupervisorAction[],
  holders: PerRole<RoleHolder | undefined>,
  timing: Timing,
): string | undefined {
  const names = (isNamed: (role: Role) => boolean) =>
    ROLES.filter(isNamed)
      .map((role) => nameOf(role, holders[role]))
      .join(", ");
  const has = (kind: SupervisorAction["kind"]) => (role: Role) =>
    actions.some((action) => action.kind === kind && action.role === role);
  const asked = names(has("terminate"));
  const killed = names(has("kill"));
  if (asked === "" && killed === "") return undefined;
  const byHand = names((role) => holders[role]?.whose === "by-hand");
  const parts = [
    asked === "" ? "" : `waiting up to ${seconds(timing.stopGraceMs)} for ${asked}`,
    killed === "" ? "" : `killing ${killed}`,
    byHand === "" ? "" : `leaving who was started by hand: ${byHand}`,
  ];
  return `stopping: ${parts.filter((part) => part !== "").join("; ")}`;
}

/** Why the supervisor can decide nothing for now. */
export function unreadableWords(failure: ReadFailure): string {
  const what = failure.kind === "git" ? failure.message : `${failure.path}: ${failure.errno}`;
  return cleanText(`the session cannot be read, so no role is started: ${what}`, {
    charsMax: REASON_CHARS_MAX,
    lines: "one",
  });
}

function nameOf(role: Role, holder: RoleHolder | undefined): string {
  return holder?.pid === undefined ? role : `${role} (pid ${holder.pid})`;
}

function seconds(durationMs: number): string {
  return `${durationMs / 1000} s`;
}
