import type { ProcessIdentity } from "../../base/ports/processes.ts";
import { ROLES, type Role } from "../../base/role.ts";
import type { Home } from "../../fs-protocol/home/home.ts";
import type { Ports } from "../../work/role-context.ts";
import { daemonMark } from "./daemon-mark.ts";

type Found = ReadonlyMap<string, readonly ProcessIdentity[]>;

/**
 * The living processes of roles that earlier supervisors started. A search reads something of every process of the machine,
 * so one serves all roles: each asks at the start, and some ask again later.
 */
export class FormerDaemons {
  readonly #processes: Ports["processes"];
  readonly #home: Home;
  #search: Promise<Found> | undefined;
  /** The roles that were answered from this search. */
  readonly #answered = new Set<Role>();

  constructor({ processes }: Pick<Ports, "processes">, home: Home) {
    this.#processes = processes;
    this.#home = home;
  }

  /** Called when another supervisor may have started processes meanwhile: what was found before tells nothing of them. */
  forget(): void {
    this.#search = undefined;
    this.#answered.clear();
  }

  /** Those of a role, found after the last `forget`, and not before the role was last answered. */
  async of(role: Role): Promise<readonly ProcessIdentity[]> {
    if (this.#answered.has(role)) this.forget();
    const marks = ROLES.map((one) => daemonMark(this.#home, one));
    this.#search ??= this.#processes.findDaemons(marks);
    this.#answered.add(role);
    return (await this.#search).get(daemonMark(this.#home, role)) ?? [];
  }
}
