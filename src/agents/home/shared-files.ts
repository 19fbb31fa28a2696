import { dirname } from "node:path";
import { need } from "../../base/fatal.ts";
import type { Files } from "../../base/ports/files.ts";
import type { Locks } from "../../base/ports/locks.ts";
import { homeFile, sharedFileGroups, type HomeFileName } from "../../fs-protocol/home/catalogue.ts";
import type { Home } from "../../fs-protocol/home/home.ts";
import { copyPath } from "../../fs-protocol/home/kept-copy.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import { editKeeper } from "./edit-keeper.ts";
import { CopiedLog } from "./copied-log.ts";
import { CopiedRequest } from "./copied-request.ts";
import { ProtectedFile } from "./protected-file.ts";
import type { Restored } from "./restored-record.ts";

/** A session and the machine that it is on. */
export interface SharedHome {
  readonly ports: { readonly files: Files; readonly locks: Locks };
  readonly home: Home;
  readonly session: Pick<SessionJson, "state" | "createdAt">;
}

type Place = Pick<SharedHome, "home" | "session"> & { readonly files: Files };

/** A file that has a copy, beside that: what only grows, and what is written as a whole. */
export function copiedFile(name: HomeFileName, place: Place): CopiedLog | CopiedRequest {
  return homeFile(name).kind === "document" ? keptRequest(place) : keptLog(name, place);
}

function keptLog(name: HomeFileName, place: Place): CopiedLog {
  return new CopiedLog(place.files, keptPlace(name, place));
}

function keptRequest(place: Place): CopiedRequest {
  return new CopiedRequest(place.files, keptPlace("request", place), place.home);
}

function keptPlace(name: HomeFileName, { files, home, session }: Place) {
  const edits = editKeeper(files, home);
  return { path: home[name], copyPath: copyPath(session, name), edits };
}

/** The request in force, also where an engine has just written over it. */
export function requestInForce({ ports: { files }, home, session }: SharedHome): string {
  return new TextDecoder().decode(keptRequest({ files, home, session }).meant());
}

/** Files that change together, under the lock of the first. */
type Group = readonly ProtectedFile<CopiedLog | CopiedRequest>[];

/**
 * The files that several processes write, each with a copy outside of the home: what people said, `human.log` and
 * the `request.md` that it names, and what roles write for people, `PROGRESS.txt` and `CHANGES.md`. All who work on
 * a session look at them: what was taken away from one, or changed in it, is put back, under the lock under which it
 * is written and from the same copy, so the second finds nothing more to do. Lines that somebody appended are
 * not judged, and are kept from then on: nothing tells a person from a model that writes as one.
 */
export class SharedFiles {
  readonly #shared: SharedHome;
  readonly #copyDirectory: string;
  /** By the path of their lock. */
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

  /** Looks if one of them has changed since; what was put back. Takes a lock only if there is something to do. */
  async restoreChanged(): Promise<readonly Restored[]> {
    const restored: Restored[] = [];
    for (const path of this.#groups.keys()) {
      if (this.isIntact(path)) continue;
      const { locks } = this.#shared.ports;
      restored.push(...need(await locks.withLock(path, () => this.restoreLocked(path))));
    }
    return restored;
  }

  /** Whether there is nothing to put back or to copy; without the lock, so that somebody may be at it. */
  isIntact(lock: string): boolean {
    const group = this.#groups.get(lock);
    if (group === undefined || isUntouched(group)) return true;
    const stats = group.map((file) => file.stat());
    if (group.some(({ expected }) => expected.peek() !== undefined)) return false;
    for (const [index, file] of group.entries()) file.markIntact(stats[index]);
    return true;
  }

  /** For who holds the lock: puts back what was changed, and completes the copies. */
  restoreLocked(lock: string): readonly Restored[] {
    const group = this.#groups.get(lock);
    if (group === undefined || isUntouched(group)) return [];
    this.#makeCopyDirectory();
    return group.flatMap((file) => file.afterCheck(file.expected.open()));
  }

  /** For who holds the lock of a file, has had it mended, and has appended this to it. */
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
