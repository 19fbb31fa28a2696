import { isRole, ROLES, type Role, type LogName } from "../../base/role.ts";
import {
  RoleTurns,
  sessionKey,
  type EngineHold,
  type EngineSession,
  type LastTurn,
  type RunningTurn,
  type SpendRow,
  type TurnRefusals,
  type TurnEnding,
} from "./role-turns.ts";
import type { TurnUsage } from "../../fs-protocol/records/turn-usage.ts";

/** What the turns of all roles used, which engines they may not ask, and what they can resume. */
export interface TurnHistory {
  /** By role, milestone, engine and model. */
  readonly spend: readonly SpendRow[];
  /** Holds on each engine, whether they are over or not. */
  readonly holds: ReadonlyMap<string, readonly EngineHold[]>;
  /** The session of the newest turn of a role's unit, or of a part of it, if the engine told one. */
  sessionOf(role: Role, unit: string, part?: string): EngineSession | undefined;
  /** How the last turns of a role's unit, or of a part of it, ended; oldest first. */
  endingsOf(role: Role, unit: string, part?: string): readonly TurnEnding[];
  /** What was refused in the last attempt at a unit, part by part. */
  refusalsOf(role: Role, unit: string): readonly TurnRefusals[];
  /** The last turn of a role that has ended, if there was one. */
  lastOf(role: Role): LastTurn | undefined;
  /** What the engine's session had reported after its last turn. */
  reportedBy(role: Role, session: EngineSession): TurnUsage | undefined;
  /** How often in a row a role ran into a limit of an engine. */
  limitsOf(role: Role, engine: string): number;
  /** Turns that were begun and have no end: running, or interrupted with the process of the role. */
  runningOf(role: Role): readonly RunningTurn[];
}

/** Collects the turns of all roles while their logs are folded. */
export class TurnLedger implements TurnHistory {
  readonly #turns = new Map<Role, RoleTurns>();

  /** How a log is listened to; only those of roles hold turns. */
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

  get spend(): readonly SpendRow[] {
    return ROLES.flatMap((role) => this.#of(role).rows());
  }

  get holds(): ReadonlyMap<string, readonly EngineHold[]> {
    const holds = new Map<string, readonly EngineHold[]>();
    for (const role of ROLES) {
      for (const [engine, hold] of this.#of(role).holds) {
        holds.set(engine, [...(holds.get(engine) ?? []), hold]);
      }
    }
    return holds;
  }

  sessionOf(role: Role, unit: string, part?: string): EngineSession | undefined {
    return this.#of(role).sessions.get(sessionKey(unit, part));
  }

  endingsOf(role: Role, unit: string, part?: string): readonly TurnEnding[] {
    return this.#of(role).endings.get(sessionKey(unit, part)) ?? [];
  }

  refusalsOf(role: Role, unit: string): readonly TurnRefusals[] {
    return [...(this.#of(role).refusals.get(unit)?.byPart.values() ?? [])];
  }

  lastOf(role: Role): LastTurn | undefined {
    return this.#of(role).last;
  }

  reportedBy(role: Role, { engine, session }: EngineSession): TurnUsage | undefined {
    return this.#of(role).reported.get(`${engine} ${session}`);
  }

  limitsOf(role: Role, engine: string): number {
    return this.#of(role).limits.get(engine) ?? 0;
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
