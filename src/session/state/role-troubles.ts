import { LOG_NAMES, ROLES, type LogName, type Role } from "../../base/role.ts";
import type { CommonRecord } from "../../fs-protocol/records/common-records.ts";
import type { MeanwhileFact } from "../../fs-protocol/records/meanwhile-record.ts";

/** Troubles that the processes of the roles recorded. No decision depends on them. */
export interface Troubles {
  /**
   * Roles whose latest process receives no file events and polls instead, with the system's reason.
   */
  readonly polling: ReadonlyMap<Role, string>;
  /** How often each file was restored after a change by somebody else, by path below the home. */
  readonly restored: ReadonlyMap<string, number>;
  /**
   * Changes that somebody made while a turn ran without a sandbox, in the order of each role's log.
   */
  readonly meanwhile: readonly (MeanwhileFact & { readonly role: Role })[];
}

interface AnyRecord {
  readonly kind: string;
  readonly errno?: string | undefined;
  readonly file?: string | undefined;
}

type MeanwhileRecord = Extract<CommonRecord, { readonly kind: "meanwhile" }>;

/** What was collected from one log, as plain data. */
export interface LogTroubles {
  polling: string | undefined;
  readonly files: string[];
  readonly meanwhile: MeanwhileFact[];
}

/** Collects the troubles while the logs are folded. */
export class RoleTroubles {
  readonly #noted = new Map<LogName, LogTroubles>();

  /** Creates the listener for one log. */
  listener(writer: LogName) {
    return {
      onRecord: (record: AnyRecord | MeanwhileRecord) => {
        this.#note(writer, record);
      },
      onRestart: () => {
        this.#noted.delete(writer);
      },
    };
  }

  /** What was collected from one log. */
  collectedFrom(log: LogName): LogTroubles | undefined {
    return this.#noted.get(log);
  }

  /** Takes over what was collected from the beginning of a log that is not read again. */
  continueFrom(log: LogName, collected: LogTroubles | undefined): void {
    if (collected !== undefined) this.#noted.set(log, collected);
  }

  /** The troubles recorded so far. */
  get value(): Troubles {
    const polling = ROLES.flatMap((role) => {
      const errno = this.#noted.get(role)?.polling;
      return errno === undefined ? [] : [[role, errno] as const];
    });
    const restored = new Map<string, number>();
    for (const file of LOG_NAMES.flatMap((log) => this.#noted.get(log)?.files ?? [])) {
      restored.set(file, (restored.get(file) ?? 0) + 1);
    }
    const meanwhile = ROLES.flatMap((role) =>
      (this.#noted.get(role)?.meanwhile ?? []).map((fact) => ({ ...fact, role })),
    );
    return { polling: new Map(polling), restored, meanwhile };
  }

  #note(writer: LogName, record: AnyRecord | MeanwhileRecord): void {
    const { kind } = record;
    const noted = this.#noted.get(writer) ?? { polling: undefined, files: [], meanwhile: [] };
    if ("place" in record) {
      const { place, how, was, now, rescue, during } = record;
      noted.meanwhile.push({ place, how, was, now, rescue, ...(during && { during }) });
      this.#noted.set(writer, noted);
      return;
    }
    if (kind !== "role.start" && kind !== "watch.lost" && kind !== "file.restored") return;
    this.#noted.set(writer, noted);
    const { errno, file } = record;
    // A new process may receive file events again.
    if (kind !== "file.restored") noted.polling = errno;
    else if (file !== undefined) noted.files.push(file);
  }
}
