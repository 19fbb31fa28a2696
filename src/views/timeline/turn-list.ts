import type { FileFailure, Files } from "../../base/ports/files.ts";
import { ok, type Result } from "../../base/result.ts";
import type { Role } from "../../base/role.ts";
import { CommonRecord, isCommonRecord } from "../../fs-protocol/records/common-records.ts";
import { roleLog, type Home } from "../../fs-protocol/home/home.ts";
import { LogFold } from "../../fs-protocol/codec/log-fold.ts";

type TurnBegin = Extract<CommonRecord, { readonly kind: "turn.begin" }>;
type TurnEnd = Extract<CommonRecord, { readonly kind: "turn.end" }>;

/** A turn as the log of its role records it. */
export interface LoggedTurn {
  readonly role: Role;
  readonly begin: TurnBegin;
  /** Absent while it runs, and after its role was killed. */
  readonly end: TurnEnd | undefined;
}

/** The turns of some roles in the order in which they began. Each refresh reads the new records. */
export class TurnList {
  readonly #logs: readonly LogFold<typeof CommonRecord, undefined>[];
  /** Keyed by output name, which is unique to a turn. */
  readonly #turns = new Map<string, LoggedTurn>();

  constructor(files: Files, home: Home, roles: readonly Role[]) {
    this.#logs = roles.map(
      (role) =>
        new LogFold({
          files,
          path: roleLog(home, role),
          schema: CommonRecord,
          empty: undefined,
          reduce: () => undefined,
          passesOver: (line) => !isCommonRecord(line),
          onRecord: (record) => {
            this.#take(role, record);
          },
        }),
    );
  }

  /** Reads the new records of all logs. */
  refresh(): Result<void, FileFailure> {
    for (const log of this.#logs) {
      const read = log.refresh();
      if (!read.ok) return read;
    }
    return ok(undefined);
  }

  get turns(): readonly LoggedTurn[] {
    const turns = [...this.#turns.values()];
    const time = (turn: LoggedTurn) => Date.parse(turn.begin.time);
    return turns.sort((one, other) => time(one) - time(other));
  }

  // Idempotent, because a log may be read again from its start.
  #take(role: Role, record: CommonRecord): void {
    if (record.kind === "turn.begin")
      this.#turns.set(record.output, { role, begin: record, end: undefined });
    const turn = record.kind === "turn.end" ? this.#turns.get(record.output) : undefined;
    if (record.kind === "turn.end" && turn !== undefined)
      this.#turns.set(record.output, { ...turn, end: record });
  }
}
