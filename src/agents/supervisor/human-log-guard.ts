import { join } from "node:path";
import { CannotGoOn, need } from "../../base/fatal.ts";
import type { FileStat } from "../../base/files.ts";
import type { Home } from "../../fs-protocol/home.ts";
import type { SessionJson } from "../../fs-protocol/session-json.ts";
import { KeptLog, type Found } from "../kept-log.ts";
import type { Ports } from "../role-context.ts";

/**
 * What people said stays said. `human.log` is only ever appended to, by many; so the supervisor keeps a
 * copy of what it has seen of it, and puts that back when somebody cut, removed or edited it. Lines
 * that somebody appended are not judged: nothing tells a person from a model that writes as one.
 */
export class HumanLogGuard {
  readonly #ports: Ports;
  readonly #path: string;
  readonly #copyDirectory: string;
  readonly #kept: KeptLog;
  #known: FileStat | undefined;

  constructor(ports: Ports, home: Home, { state, createdAt }: SessionJson) {
    this.#ports = ports;
    this.#path = home.humanLog;
    this.#copyDirectory = join(state, "supervisor", "kept");
    // Another session may once have had the same name.
    const name = `${createdAt.replace(/[:.]/g, "-")}-human.log`;
    this.#kept = new KeptLog(ports.files, this.#path, join(this.#copyDirectory, name));
  }

  /** Looks if it has changed since; how it was found, if it was put back. Cheap while nobody says anything. */
  async look(): Promise<Found | undefined> {
    const { files, locks } = this.#ports;
    if (isSame(this.#known, files.stat(this.#path))) return undefined;
    try {
      need(files.makeDirectory(this.#copyDirectory));
      // Under the lock of its writers: what one of them appends meanwhile would be lost.
      const found = need(await locks.withLock(this.#path, () => this.#kept.open()));
      this.#known = files.stat(this.#path);
      return found;
    } catch (thrown) {
      // A full disk keeps nobody from being supervised: the next look tries again.
      if (thrown instanceof CannotGoOn) return undefined;
      throw thrown;
    }
  }
}

function isSame(one: FileStat | undefined, other: FileStat | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  const isSameFile = one.inode === other.inode && one.sizeBytes === other.sizeBytes;
  return isSameFile && one.changedMs === other.changedMs;
}
