import { ROLES, type PerRole, type Role } from "../../base/role.ts";
import type { RoleHolder, RoleView } from "./decide.ts";
import {
  afterEnd,
  FRESH,
  startedForFiles,
  type EndCause,
  type ProcessEnd,
  type RestartHistory,
} from "./restart-history.ts";
import type { Timing } from "./timing.ts";

/** What a supervisor remembers about the roles that no file holds. */
export class RoleMemory {
  readonly #histories = new Map<Role, RestartHistory>();
  readonly #toRestart = new Set<Role>();
  readonly #endedInOrder = new Set<Role>();
  /** How many requests to restart each role were seen; undefined before the first reading. */
  #restarts: ReadonlyMap<Role, number> | undefined;

  /** How the role's processes have ended so far. */
  historyOf(role: Role): RestartHistory {
    return this.#histories.get(role) ?? FRESH;
  }

  /** What `decide` needs to know about a role. */
  viewOf(role: Role, holder: RoleHolder | undefined): RoleView {
    return { holder, history: this.historyOf(role), isToRestart: this.#toRestart.has(role) };
  }

  /** Notes that a process of the role has ended, and returns the new history. */
  noteEnd(role: Role, end: ProcessEnd, cause: EndCause, timing: Timing): RestartHistory {
    const history = afterEnd(this.historyOf(role), end, cause, timing);
    this.#histories.set(role, history);
    this.#toRestart.delete(role);
    const isInOrder = cause === "over" && end.how.kind === "exited" && end.how.code === 0;
    if (isInOrder) this.#endedInOrder.add(role);
    else this.#endedInOrder.delete(role);
    return history;
  }

  /**
   * The roles whose engines may have left processes behind. A process that ended by itself because nothing is left to
   * do has left none: it swept after each of its turns, and when it started, after its predecessors'.
   */
  endedOtherwise(): readonly Role[] {
    return ROLES.filter((role) => !this.#endedInOrder.has(role));
  }

  /** Notes a start; `isOver`: the session has ended, so the role only completes its files. */
  noteStart(role: Role, isOver: boolean): void {
    if (isOver) this.#histories.set(role, startedForFiles(this.historyOf(role)));
  }

  /** Forgets earlier ends, when a new supervision begins or a person started the role by hand. */
  forget(...roles: readonly Role[]): void {
    for (const role of roles) this.#histories.delete(role);
  }

  /**
   * Notes which restarts people have requested since the last call. A role that was given up, or is in its backoff,
   * may then start at once; a process that holds the lease has to end.
   *
   * @param requested how often people have ever requested a restart of each role
   */
  noteRestarts(
    requested: ReadonlyMap<Role, number>,
    holders: PerRole<RoleHolder | undefined>,
  ): void {
    const seen = this.#restarts ?? requested;
    this.#restarts = requested;
    for (const role of ROLES.filter((one) => requested.get(one) !== seen.get(one))) {
      this.forget(role);
      if (holders[role] !== undefined) this.#toRestart.add(role);
    }
  }
}
