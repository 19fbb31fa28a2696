import { ROLES, type Role } from "../base/role.ts";

/** What the processes of the roles put on record of their own troubles; it matters to no decision. */
export interface Troubles {
  /** Roles whose last process gets no file events, and the system's reason. */
  readonly polling: ReadonlyMap<Role, string>;
  /** How often each file was put back after somebody else had changed it; paths below the home. */
  readonly restored: ReadonlyMap<string, number>;
}

interface AnyRecord {
  readonly kind: string;
  readonly errno?: string | undefined;
  readonly file?: string | undefined;
}

interface Noted {
  polling: string | undefined;
  readonly files: string[];
}

type Writer = Role | "supervisor";

/** Collects them while the logs are folded. */
export class RoleTroubles {
  readonly #noted = new Map<Writer, Noted>();

  /** How the log of a role, or of the supervisor, is listened to. */
  listener(writer: Writer) {
    return {
      onRecord: (record: AnyRecord) => {
        this.#take(writer, record);
      },
      onRestart: () => {
        this.#noted.delete(writer);
      },
    };
  }

  /** What was said so far. */
  get value(): Troubles {
    const polling = ROLES.flatMap((role) => {
      const errno = this.#noted.get(role)?.polling;
      return errno === undefined ? [] : [[role, errno] as const];
    });
    const restored = new Map<string, number>();
    const writers: readonly Writer[] = [...ROLES, "supervisor"];
    for (const file of writers.flatMap((writer) => this.#noted.get(writer)?.files ?? [])) {
      restored.set(file, (restored.get(file) ?? 0) + 1);
    }
    return { polling: new Map(polling), restored };
  }

  #take(writer: Writer, { kind, errno, file }: AnyRecord): void {
    if (kind !== "role.start" && kind !== "watch.lost" && kind !== "file.restored") return;
    const noted = this.#noted.get(writer) ?? { polling: undefined, files: [] };
    this.#noted.set(writer, noted);
    // A new process may get events again.
    if (kind !== "file.restored") noted.polling = errno;
    else if (file !== undefined) noted.files.push(file);
  }
}
