import { EXIT } from "../../base/exit-code.ts";
import { ROLES, type PerRole, type Role } from "../../base/role.ts";
import { isCrashLoop, type RestartHistory } from "./restart-history.ts";
import type { SessionFacts } from "./session-facts.ts";
import type { Timing } from "./timing.ts";

/** A process that holds a role's lease, or that a supervisor started to take it. */
export interface RoleHolder {
  /** `inherited`: started by an earlier supervisor. `by-hand`: started by a person, and signalled only on request. */
  readonly whose: "child" | "inherited" | "by-hand";
  readonly pid: number | undefined;
  /** When it was sent TERM, in steady milliseconds; undefined if it was not. */
  readonly askedMs: number | undefined;
  readonly isKilled: boolean;
}

/** What is known about one role. */
export interface RoleView {
  /** Undefined if the lease is free. */
  readonly holder: RoleHolder | undefined;
  readonly history: RestartHistory;
  /** A person asked to replace this holder by a new process. */
  readonly isToRestart: boolean;
  /** A supervisor of another wisp started this holder, and is gone. */
  readonly isOfOther?: boolean | undefined;
}

/** Everything that a supervisor's next step depends on. */
export interface SupervisorView {
  /** Steady milliseconds. */
  readonly nowMs: number;
  /** When the supervision began, in steady milliseconds. */
  readonly beganMs: number;
  /** Read after the processes were checked. */
  readonly session: SessionFacts;
  /** How many signals asked the supervisor to stop. */
  readonly signals: number;
  /** A role ended with the exit code for a rewritten branch. */
  readonly sawRewritten: boolean;
  readonly roles: PerRole<RoleView>;
}

/** `fail`: record that a role is given up. `lift`: record that a failed role runs again. */
export interface SupervisorAction {
  readonly kind: "start" | "fail" | "lift" | "terminate" | "kill";
  readonly role: Role;
}

/** Why the supervision ends. */
export type FinishCause =
  | "complete"
  | "stuck"
  | "stopped"
  | "signal"
  | "builder-failed"
  | "branch-rewritten"
  | "damaged"
  | "input-needed";

/** What to do now; `untilMs` is in steady milliseconds. */
export type Decision =
  | { readonly kind: "act"; readonly actions: readonly SupervisorAction[] }
  | { readonly kind: "wait"; readonly untilMs: number | undefined }
  | { readonly kind: "finish"; readonly cause: FinishCause };

/** The exit code of a supervisor, by the cause of its end. */
export const FINISH_CODE: Readonly<Record<FinishCause, number>> = {
  complete: EXIT.ok,
  stopped: EXIT.ok,
  "input-needed": EXIT.inputNeeded,
  stuck: EXIT.stuck,
  "builder-failed": EXIT.stuck,
  "branch-rewritten": EXIT.stuck,
  damaged: EXIT.failure,
  signal: EXIT.interrupted,
};

/**
 * Decides what a supervisor does next: a pure function. It supervises leases: a role is started when its lease is
 * free, there is work, and it is neither given up nor in its backoff; running processes are left alone. A role whose
 * process was killed at the very end is started once more, to complete its files. Whether to stop is
 * decided afresh each time, so removing the cause (by an answer, a builder started by hand) ends the stopping.
 *
 * ```
 *            lease free, notBefore passed         ended
 *   FREE ───────────────────────────────► RUNS ─────────► FREE (backoff) ──► … ──► GIVEN UP
 *    ▲                                    │  ▲                5 crashes in 60 s       │
 *    └── over, asked to end ◄─────────────┘  └──── started by hand: lifted ◄─────────┘
 * ```
 */
export function decide(view: SupervisorView, timing: Timing): Decision {
  const closing = closingCause(view, timing);
  const starts = closing === undefined ? startsOf(view, timing) : [];
  const actions = [
    ...changesOnRecord(view, timing),
    ...stopsOf(view, closing !== undefined, timing),
    ...starts,
  ];
  if (actions.length > 0) return { kind: "act", actions };
  const cause = finishCause(view, closing);
  if (cause !== undefined) return { kind: "finish", cause };
  return { kind: "wait", untilMs: wakeUpMs(view, closing !== undefined, timing) };
}

/** Why the roles must end before the session does; undefined if they need not. */
function closingCause(view: SupervisorView, timing: Timing): FinishCause | undefined {
  if (view.signals > 0) return "signal";
  if (view.session.over !== undefined) return undefined;
  if (isCrashLoop(view.roles.builder.history, timing)) return "builder-failed";
  if (view.sawRewritten) return "branch-rewritten";
  return view.session.asks === undefined ? undefined : "input-needed";
}

function finishCause(
  { session, roles }: SupervisorView,
  closing: FinishCause | undefined,
): FinishCause | undefined {
  const holders = ROLES.map((role) => roles[role].holder).filter((holder) => holder !== undefined);
  // A role that a person started is theirs to end, so a stopping supervisor does not wait for it.
  if (closing !== undefined) return holders.every(isByHand) ? closing : undefined;
  if (holders.length > 0) return undefined;
  // `wisp fsck --repair` needs the lease that this process holds.
  if (session.damage !== undefined) return "damaged";
  return session.over ?? (session.isRewritten ? "branch-rewritten" : undefined);
}

function mayStart({ over, isRewritten }: SessionFacts): boolean {
  return over === undefined && !isRewritten;
}

function changesOnRecord(view: SupervisorView, timing: Timing): readonly SupervisorAction[] {
  const { session, roles, signals } = view;
  // A supervisor that was asked to stop may have an outdated view, in which its own new records do not show up.
  if (signals > 0) return [];
  return ROLES.flatMap((role): readonly SupervisorAction[] => {
    const { holder, history } = roles[role];
    const isFailed = session.failed.has(role);
    const isForeign = holder !== undefined && holder.whose !== "child";
    if (isFailed && isForeign) return [{ kind: "lift", role }];
    if (!isFailed && isCrashLoop(history, timing)) return [{ kind: "fail", role }];
    return [];
  });
}

function stopsOf(
  view: SupervisorView,
  isClosing: boolean,
  timing: Timing,
): readonly SupervisorAction[] {
  const isAtOnce = view.signals > 1;
  return ROLES.flatMap((role): readonly SupervisorAction[] => {
    const { holder, isToRestart, isOfOther = false } = view.roles[role];
    if (holder === undefined || holder.isKilled) return [];
    // A role that a person started is only ended if a person asks for it.
    if (isByHand(holder) && !isToRestart) return [];
    const isDue = holder.askedMs !== undefined && view.nowMs >= holder.askedMs + timing.stopGraceMs;
    if (isDue || isAtOnce) return [{ kind: "kill", role }];
    const isToEnd = isClosing || isToRestart || isOfOther;
    return isToEnd && holder.askedMs === undefined ? [{ kind: "terminate", role }] : [];
  });
}

/** A new supervisor starts the failed roles again, and starts them first, so that no process acts on the old failure. */
function startsOf(view: SupervisorView, timing: Timing): readonly SupervisorAction[] {
  // Roles of two versions never work on one home.
  if (ROLES.some((role) => view.roles[role].isOfOther)) return [];
  const due = ROLES.filter(
    (role) => isStartable(view, role, timing) && notBeforeMs(view, role, timing) <= view.nowMs,
  );
  const isFailed = (role: Role) => view.session.failed.has(role);
  const order = [...due.filter(isFailed), ...due.filter((role) => !isFailed(role))];
  return order.map((role) => ({ kind: "start", role }));
}

/** When the passing of time alone next changes the decision, in steady milliseconds. */
function wakeUpMs(view: SupervisorView, isClosing: boolean, timing: Timing): number | undefined {
  const isAnyOther = ROLES.some((role) => view.roles[role].isOfOther);
  const times = ROLES.flatMap((role): readonly number[] => {
    const { holder } = view.roles[role];
    if (holder === undefined) {
      const isWaiting = !isClosing && !isAnyOther && isStartable(view, role, timing);
      return isWaiting ? [notBeforeMs(view, role, timing)] : [];
    }
    if (holder.askedMs === undefined) return [];
    const poll = holder.whose === "child" ? [] : [view.nowMs + timing.stopPollMs];
    return holder.isKilled ? poll : [holder.askedMs + timing.stopGraceMs, ...poll];
  });
  return times.length === 0 ? undefined : Math.min(...times);
}

function isStartable({ roles, session }: SupervisorView, role: Role, timing: Timing): boolean {
  const { holder, history } = roles[role];
  if (holder !== undefined || isCrashLoop(history, timing)) return false;
  if (session.damage !== undefined) return false;
  // After the end of the session a role is only started to complete files that it may have left incomplete.
  return mayStart(session) || (session.over !== undefined && history.files === "behind");
}

function notBeforeMs(view: SupervisorView, role: Role, timing: Timing): number {
  const { session, roles, beganMs, nowMs } = view;
  if (session.over !== undefined) return 0;
  const idleMs = beganMs + timing.idleStartMs;
  const isHeldBack = nowMs < idleMs && !session.failed.has(role) && !session.hasWork(role);
  return Math.max(roles[role].history.notBeforeMs, isHeldBack ? idleMs : 0);
}

function isByHand(holder: RoleHolder): boolean {
  return holder.whose === "by-hand";
}
