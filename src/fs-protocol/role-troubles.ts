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

/** Collects them while the logs are folded. */
export class RoleTroubles {
  readonly #noted = new Map<Role, Noted>();

  /** How the log of a role is listened to. */
  listener(role: Role) {
    return {
      onRecord: (record: AnyRecord) => {
        this.#take(role, record);
      },
      onRestart: () => {
        this.#noted.delete(role);
      },
    };
  }

  /** What was said so far. */
  get value(): Troubles {
    const noted = ROLES.flatMap((role) => [{ role, ...this.#noted.get(role) }]);
    const polling = noted.flatMap(({ role, polling: errno }) =>
      errno === undefined ? [] : [[role, errno] as const],
    );
    const restored = new Map<string, number>();
    for (const file of noted.flatMap(({ files = [] }) => files)) {
      restored.set(file, (restored.get(file) ?? 0) + 1);
    }
    return { polling: new Map(polling), restored };
  }

  #take(role: Role, { kind, errno, file }: AnyRecord): void {
    if (kind !== "role.start" && kind !== "watch.lost" && kind !== "file.restored") return;
    const noted = this.#noted.get(role) ?? { polling: undefined, files: [] };
    this.#noted.set(role, noted);
    // A new process may get events again.
    if (kind !== "file.restored") noted.polling = errno;
    else if (file !== undefined) noted.files.push(file);
  }
}
