import { basename, dirname, join } from "node:path";
import { holderPathOf } from "../../base/ports/locks.ts";
import { ROLES, type Role } from "../../base/role.ts";
import { LogFold } from "../../fs-protocol/codec/log-fold.ts";
import { homeFamily } from "../../fs-protocol/home/home-family.ts";
import { homeAt, leasePath, parentHome, roleLog, type Home } from "../../fs-protocol/home/home.ts";
import { CommonRecord } from "../../fs-protocol/records/common-records.ts";
import type { RoleContext } from "../../work/role-context.ts";

type Place = Pick<RoleContext, "role" | "home" | "session"> & {
  readonly ports: Pick<RoleContext["ports"], "files" | "locks">;
};

/** The outputs of the turns of one log that have begun and not ended. */
type Open = LogFold<typeof CommonRecord, ReadonlySet<string>>;

/** Nothing else of a log says whether a turn runs. */
const OF_TURNS = /^\S+ turn\.(?:begin|end) /u;

/**
 * The turns of engines that run in a repository, by the files of its sessions: those of all roles of this session, except
 * the one that asks, and of all roles of the others. A turn runs if its role's log has its begin without an end, and a
 * living process holds that role's lease. Sessions that run elsewhere have none here.
 */
export class RunningTurns {
  readonly #place: Place;
  /** By path; each log is read on from where it was read to. */
  readonly #logs = new Map<string, Open>();

  constructor(place: Place) {
    this.#place = place;
  }

  /** How many run now. */
  async count(): Promise<number> {
    const { home: own, role: asking } = this.#place;
    const all = this.#homes().flatMap((home) => ROLES.map((role) => ({ home, role })));
    const others = all.filter(
      ({ home, role }) => home.directory !== own.directory || role !== asking,
    );
    let running = 0;
    for (const { home, role } of others) running += await this.#countOf(home, role);
    return running;
  }

  /** The homes of all sessions of the repository, and of their revisions. */
  #homes(): readonly Home[] {
    const { home, session, ports } = this.#place;
    const top = session.parent === undefined ? home : parentHome(home);
    const sessions = dirname(top.directory);
    const listed = ports.files.list(sessions);
    const names = listed.ok ? listed.value : [basename(top.directory)];
    return names.flatMap((name) => {
      const one = homeAt(join(sessions, name));
      if (ports.files.stat(one.sessionJson) === undefined) return [];
      const family = homeFamily(ports.files, one, { parent: undefined });
      return family.ok ? family.value : [one];
    });
  }

  async #countOf(home: Home, role: Role): Promise<number> {
    const { files, locks } = this.#place.ports;
    const lease = leasePath(home, role);
    // Whoever holds a lease is named beside it: a role that ended is passed over without reading its log.
    if (files.stat(holderPathOf(lease)) === undefined) return 0;
    const open = this.#logOf(roleLog(home, role)).refresh();
    if (!open.ok || open.value.size === 0) return 0;
    return (await locks.isLeaseHeld(lease)) ? open.value.size : 0;
  }

  #logOf(path: string): Open {
    const known = this.#logs.get(path);
    if (known !== undefined) return known;
    const log: Open = new LogFold<typeof CommonRecord, ReadonlySet<string>>({
      ...{ files: this.#place.ports.files, path, schema: CommonRecord },
      empty: new Set<string>(),
      passesOver: (line) => !OF_TURNS.test(line),
      reduce: (running, record) => {
        if (record.kind === "turn.begin") return new Set([...running, record.output]);
        if (record.kind !== "turn.end") return running;
        return new Set([...running].filter((output) => output !== record.output));
      },
    });
    this.#logs.set(path, log);
    return log;
  }
}
