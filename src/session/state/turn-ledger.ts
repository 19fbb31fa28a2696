import { isRole, ROLES, type Role, type LogName } from "../../base/role.ts";
import {
  RoleTurns,
  type CollectedTurns,
  sessionKey,
  type EngineHold,
  type EngineSession,
  type LastTurn,
  type RunningTurn,
  type TurnRefusals,
  type TurnEnding,
} from "./role-turns.ts";
import type { SpendRow } from "../rules/spend-rows.ts";
import type { TurnUsage } from "../../fs-protocol/records/turn-usage.ts";

/**
 * The usage of all roles' turns, the holds on engines, and the engine sessions that can be resumed.
 */
export interface TurnHistory {
  /** Usage by role, milestone, engine and model. */
  readonly spend: readonly SpendRow[];
  /** The roles' newest holds on each engine, including those that are over. */
  readonly holds: ReadonlyMap<string, readonly EngineHold[]>;
  /**
   * Returns the engine session of the newest turn of a unit, or of a part of it, with any engine or
   * with this one; undefined if the engine reported none.
   */
  sessionOf(role: Role, unit: string, part?: string, engine?: string): EngineSession | undefined;
  /** Returns how the latest turns of a unit, or of a part of it, ended; oldest first. */
  endingsOf(role: Role, unit: string, part?: string): readonly TurnEnding[];
  /** Returns what was refused in the last attempt at a unit, part by part. */
  refusalsOf(role: Role, unit: string): readonly TurnRefusals[];
  /** Returns the latest ended turn of a role; undefined if there is none. */
  lastOf(role: Role): LastTurn | undefined;
  /** Returns the usage that the engine session had reported after its last turn. */
  reportedBy(role: Role, session: EngineSession): TurnUsage | undefined;
  /** Returns how often in a row a role ran into a limit of an engine that did not say when it ends. */
  limitsOf(role: Role, engine: string): number;
  /** Returns how often in a row a role left an engine alone because of nothing but words. */
  wordHoldsOf(role: Role, engine: string): number;
  /**
   * Returns the turns that have begun and not ended: they are running, or were interrupted with the
   * role's process.
   */
  runningOf(role: Role): readonly RunningTurn[];
}

/** Collects the turns of all roles while their logs are folded. */
export class TurnLedger implements TurnHistory {
  readonly #turns = new Map<Role, RoleTurns>();

  /** Creates the listener for one log; only the logs of roles contain turns. */
  listener(log: LogName) {
    return {
      onRecord: (record: Parameters<RoleTurns["apply"]>[0]) => {
        if (isRole(log)) this.#of(log).apply(record);
      },
      onRestart: () => {
        if (isRole(log)) this.#turns.delete(log);
      },
    };
  }

  /** What was collected from one log. */
  collectedFrom(log: LogName): CollectedTurns | undefined {
    return isRole(log) ? this.#of(log).collected : undefined;
  }

  /** Takes over what was collected from the beginning of a log that is not read again. */
  continueFrom(log: LogName, collected: CollectedTurns | undefined): void {
    if (isRole(log)) this.#turns.set(log, new RoleTurns(log, collected));
  }

  get spend(): readonly SpendRow[] {
    return ROLES.flatMap((role) => this.#of(role).rows());
  }

  get holds(): ReadonlyMap<string, readonly EngineHold[]> {
    const holds = new Map<string, readonly EngineHold[]>();
    for (const role of ROLES) {
      for (const hold of this.#of(role).collected.holds.values()) {
        holds.set(hold.engine, [...(holds.get(hold.engine) ?? []), hold]);
      }
    }
    return holds;
  }

  sessionOf(role: Role, unit: string, part?: string, engine?: string): EngineSession | undefined {
    const known = this.#of(role).collected.sessions.get(sessionKey(unit, part)) ?? [];
    return engine === undefined ? known[0] : known.find((one) => one.engine === engine);
  }

  endingsOf(role: Role, unit: string, part?: string): readonly TurnEnding[] {
    return this.#of(role).collected.endings.get(sessionKey(unit, part)) ?? [];
  }

  refusalsOf(role: Role, unit: string): readonly TurnRefusals[] {
    return [...(this.#of(role).collected.refusals.get(unit)?.byPart.values() ?? [])];
  }

  lastOf(role: Role): LastTurn | undefined {
    return this.#of(role).collected.last;
  }

  reportedBy(role: Role, { engine, session }: EngineSession): TurnUsage | undefined {
    return this.#of(role).collected.reported.get(`${engine} ${session}`);
  }

  limitsOf(role: Role, engine: string): number {
    return this.#of(role).collected.limits.get(engine) ?? 0;
  }

  wordHoldsOf(role: Role, engine: string): number {
    return this.#of(role).collected.wordHolds.get(engine) ?? 0;
  }

  runningOf(role: Role): readonly RunningTurn[] {
    return this.#of(role).running;
  }

  #of(role: Role): RoleTurns {
    const turns = this.#turns.get(role) ?? new RoleTurns(role);
    this.#turns.set(role, turns);
    return turns;
  }
}
