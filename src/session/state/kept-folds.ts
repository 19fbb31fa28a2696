import type { Files } from "../../base/ports/files.ts";
import { LOG_NAMES, type LogName } from "../../base/role.ts";
import type { FoldedPrefix } from "../../fs-protocol/codec/log-fold.ts";
import {
  readSnapshot,
  writeSnapshot,
  type SnapshotPlace,
} from "../../fs-protocol/codec/snapshot-file.ts";
import type { LogTroubles, RoleTroubles } from "./role-troubles.ts";
import type { CollectedTurns } from "./role-turns.ts";
import type { SessionLogs } from "./session-logs.ts";
import type { TurnLedger } from "./turn-ledger.ts";

/** What was made of the beginning of one log. */
interface KeptLog {
  readonly prefix: FoldedPrefix<unknown>;
  readonly turns: CollectedTurns | undefined;
  readonly troubles: LogTroubles | undefined;
}

type KeptLogs = ReadonlyMap<LogName, KeptLog>;

interface Folding {
  readonly logs: SessionLogs;
  readonly turns: TurnLedger;
  readonly troubles: RoleTroubles;
}

/**
 * Keeps the folds of a session's logs between processes of a role, so that the next one reads only
 * what was appended since. The logs stay the truth: a fold is continued only if its log still begins
 * with the very bytes that were folded, and otherwise the log is read from its start.
 */
export class KeptFolds {
  readonly #files: Files;
  readonly #place: SnapshotPlace;
  readonly #folding: Folding;
  #hasBegun = false;
  /** How much of the logs was folded when they were last kept, in bytes. */
  #keptBytes = 0;

  constructor(files: Files, place: SnapshotPlace, folding: Folding) {
    this.#files = files;
    this.#place = place;
    this.#folding = folding;
  }

  /** Continues the kept folds; to be called before the logs are read. Only the first call does anything. */
  begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    const kept = readSnapshot(this.#files, this.#place);
    if (!isKept(kept)) return;
    const { logs, turns, troubles } = this.#folding;
    for (const [name, log] of kept) {
      if (!logs[name].continueFrom(log.prefix)) continue;
      turns.continueFrom(name, log.turns);
      troubles.continueFrom(name, log.troubles);
    }
    this.#keptBytes = this.#foldedBytes;
  }

  /** Keeps the folds if enough was folded since the last time. */
  keep(): void {
    const folded = this.#foldedBytes;
    // They have shrunk if a log was cut and read again.
    if (Math.abs(folded - this.#keptBytes) < this.#place.worthBytes) return;
    const { logs, turns, troubles } = this.#folding;
    const kept: KeptLogs = new Map(
      LOG_NAMES.flatMap((name) => {
        const { prefix } = logs[name];
        if (prefix === undefined) return [];
        const log = {
          prefix,
          turns: turns.collectedFrom(name),
          troubles: troubles.collectedFrom(name),
        };
        return [[name, log] as const];
      }),
    );
    writeSnapshot(this.#files, this.#place, kept);
    this.#keptBytes = folded;
  }

  get #foldedBytes(): number {
    return Object.values(this.#folding.logs).reduce((sum, log) => sum + log.foldedBytes, 0);
  }
}

/** Nothing else is written under this key. */
function isKept(value: unknown): value is KeptLogs {
  return value instanceof Map;
}
