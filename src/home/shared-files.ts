import { dirname } from "node:path";
import { need } from "../base/fatal.ts";
import type { Files } from "../base/ports/files.ts";
import { shortLockOf, type Locks } from "../base/ports/locks.ts";
import { homeFile, sharedFileGroups, type HomeFileName } from "../fs-protocol/home/catalogue.ts";
import type { Home } from "../fs-protocol/home/home.ts";
import { copyPath } from "../fs-protocol/home/copy-path.ts";
import type { SessionJson } from "../fs-protocol/home/session-json.ts";
import { editKeeper } from "./edit-keeper.ts";
import { CopiedLog } from "./copied-log.ts";
import { CopiedRequest } from "./copied-request.ts";
import { ProtectedFile } from "./protected-file.ts";
import type { Restored } from "./restored-record.ts";

/** A session's home and the ports to work on it. */
export interface SharedHome {
  readonly ports: { readonly files: Files; readonly locks: Locks };
  readonly home: Home;
  readonly session: Pick<SessionJson, "state" | "createdAt">;
}

type Place = Pick<SharedHome, "home" | "session"> & { readonly files: Files };

/** A file of the home with its copy: a log, which only grows, or a document, which is written as a whole. */
export function copiedFile(name: HomeFileName, place: Place): CopiedLog | CopiedRequest {
  return homeFile(name).kind === "document" ? copiedRequest(place) : copiedLog(name, place);
}

function copiedLog(name: HomeFileName, place: Place): CopiedLog {
  const isProse = name !== "humanLog";
  return new CopiedLog(place.files, { ...copiedPlace(name, place), isProse });
}

function copiedRequest(place: Place): CopiedRequest {
  return new CopiedRequest(place.files, copiedPlace("request", place), place.home);
}

function copiedPlace(name: HomeFileName, { files, home, session }: Place) {
  const edits = editKeeper(files, home);
  return { path: home[name], copyPath: copyPath(session, name), edits };
}

/** The request in force, even if an engine has just overwritten the file. */
export function requestInForce({ ports: { files }, home, session }: SharedHome): string {
  return new TextDecoder().decode(copiedRequest({ files, home, session }).intended());
}

/** Files that change together, under the lock of the first file. */
type Group = readonly ProtectedFile<CopiedLog | CopiedRequest>[];

/**
 * The files that several processes write, each with a copy outside the home: `human.log`, the `request.md` that it
 * names, and what roles write for people, `PROGRESS.txt` and `CHANGES.md`. Every process of a session checks them and
 * restores what was cut or changed. All use the same lock and the same copy, so a second process finds nothing left to
 * do. Appended lines are accepted and copied, because nothing distinguishes a person from a model that writes as one.
 */
export class SharedFiles {
  readonly #shared: SharedHome;
  readonly #copyDirectory: string;
  /** By the path of the group's lock. */
  readonly #groups: ReadonlyMap<string, Group>;
  #isCopyDirectoryMade = false;

  constructor(shared: SharedHome) {
    const { ports, home, session } = shared;
    const { files } = ports;
    this.#shared = shared;
    this.#copyDirectory = dirname(copyPath(session, "humanLog"));
    this.#groups = new Map(
      sharedFileGroups().map((names) => [
        home[names[0]],
        names.map((name) => new ProtectedFile(files, copiedFile(name, { files, home, session }))),
      ]),
    );
  }

  /**
   * Restores the files that have changed and returns them. Takes a lock only if there is something to do that its
   * holder does not do anyway.
   */
  async restoreChanged(): Promise<readonly Restored[]> {
    const restored: Restored[] = [];
    for (const [path, group] of this.#groups) {
      if (isUntouched(group) || this.#isBeingAppended(path, group)) continue;
      if (this.isIntact(path)) continue;
      const { locks } = this.#shared.ports;
      restored.push(...need(await locks.withLock(path, () => this.restoreLocked(path))));
    }
    return restored;
  }

  /** Whether there is nothing to restore or to copy. Does not take the lock, so another process may be writing. */
  isIntact(lock: string): boolean {
    const group = this.#groups.get(lock);
    if (group === undefined || isUntouched(group)) return true;
    const stats = group.map((file) => file.stat());
    if (group.some(({ expected }) => expected.peek() !== undefined)) return false;
    for (const [index, file] of group.entries()) file.markIntact(stats[index]);
    return true;
  }

  /**
   * Whether the holder of the lock is about to copy what was appended to a file that no decision depends on. Without
   * this, each append would make every process of the session queue for the lock. If the holder was killed, the next
   * one, at the latest its successor's start, copies it.
   */
  #isBeingAppended(lock: string, group: Group): boolean {
    if (lock === this.#shared.home.humanLog) return false;
    const { files } = this.#shared.ports;
    if (files.stat(shortLockOf(lock)) === undefined) return false;
    if (group.every((file) => file.isLonger)) return true;
    return group.every(({ expected }) => [undefined, "grown"].includes(expected.peek()));
  }

  /** Restores the files of one lock and completes their copies. The caller must hold the lock. */
  restoreLocked(lock: string): readonly Restored[] {
    const group = this.#groups.get(lock);
    if (group === undefined || isUntouched(group)) return [];
    this.#makeCopyDirectory();
    return group.flatMap((file) => file.afterCheck(file.expected.open()));
  }

  /** To be called after an append under the lock and after `restoreLocked`: updates the copy of the file. */
  appended(lock: string, bytes: Uint8Array): void {
    const file = this.#groups.get(lock)?.[0];
    if (!(file?.expected instanceof CopiedLog)) return;
    if (!this.#isCopyDirectoryMade) this.#makeCopyDirectory();
    file.expected.wrote(bytes);
    file.expected.flush();
    file.markIntact(file.stat());
  }

  #makeCopyDirectory(): void {
    need(this.#shared.ports.files.makeDirectory(this.#copyDirectory));
    this.#isCopyDirectoryMade = true;
  }
}

function isUntouched(group: Group): boolean {
  return group.every((file) => file.isUntouched);
}
