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

/** What a supervisor remembers of the roles beyond what is in the files. */
export class RoleMemory {
  readonly #histories = new Map<Role, RestartHistory>();
  readonly #toRestart = new Set<Role>();
  /** How many requests to restart a role were seen; `undefined` before the first look. */
  #restarts: ReadonlyMap<Role, number> | undefined;

  historyOf(role: Role): RestartHistory {
    return this.#histories.get(role) ?? FRESH;
  }

  /** What a decision needs to know of each role. */
  viewOf(role: Role, holder: RoleHolder | undefined): RoleView {
    return { holder, history: this.historyOf(role), isToRestart: this.#toRestart.has(role) };
  }

  /** A process of the role has ended; returns what is remembered of it from now on. */
  noteEnd(role: Role, end: ProcessEnd, cause: EndCause, timing: Timing): RestartHistory {
    const history = afterEnd(this.historyOf(role), end, cause, timing);
    this.#histories.set(role, history);
    this.#toRestart.delete(role);
    return history;
  }

  noteStart(role: Role, isOver: boolean): void {
    if (isOver) this.#histories.set(role, startedForFiles(this.historyOf(role)));
  }

  /** A new supervision, or a role that a person started by hand: what was before counts no more. */
  forget(...roles: readonly Role[]): void {
    for (const role of roles) this.#histories.delete(role);
  }

  /**
   * Notes what people asked for since the last look, by how often they ever did. Who was given up, or
   * waits out its backoff, is to be started at once; whoever holds the lease is to leave.
   */
  noteRestarts(asked: ReadonlyMap<Role, number>, holders: PerRole<RoleHolder | undefined>): void {
    const seen = this.#restarts ?? asked;
    this.#restarts = asked;
    for (const role of ROLES.filter((one) => asked.get(one) !== seen.get(one))) {
      this.forget(role);
      if (holders[role] !== undefined) this.#toRestart.add(role);
    }
  }
}
