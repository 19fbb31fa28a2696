import { join } from "node:path";
import { need } from "../../base/fatal.ts";
import type { Files, FileStat } from "../../base/ports/files.ts";
import type { Locks } from "../../base/ports/locks.ts";
import type { Home } from "../../fs-protocol/home/home.ts";
import { sharedCopyPath } from "../../fs-protocol/home/kept-copy.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import { editKeeper } from "./keep-edit.ts";
import { KeptLog } from "./kept-log.ts";
import { KeptNotes } from "./kept-notes.ts";
import { KeptRequest } from "./kept-request.ts";
import type { Restored } from "./restored-line.ts";

/** A session and the machine that it is on. */
export interface SharedHome {
  readonly ports: { readonly files: Files; readonly locks: Locks };
  readonly home: Home;
  readonly session: Pick<SessionJson, "state" | "createdAt">;
}

/** The request in force, also where an engine has just written over it. */
export function requestInForce(shared: SharedHome): string {
  const { ports, home, session } = shared;
  const copyPath = sharedCopyPath(session, "request.md");
  const edits = editKeeper(ports.files, home);
  const bytes = new KeptRequest(ports.files, { home, copyPath, edits }).meant();
  return new TextDecoder().decode(bytes);
}

/**
 * What people say stays said. `human.log` and `request.md` are written by any process, under the lock of
 * `human.log`; a copy of both lies outside of the home. All who work on a session look at them: what was
 * taken away from the log, or changed in it, is put back, and so is the request that the log names. They
 * do so under the same lock and from the same copy, so the second finds nothing more to do. Lines that
 * somebody appended are not judged: nothing tells a person from a model that writes as one. The same holds
 * for what several roles write, each under a lock of its own (`kept-notes.ts`).
 */
export class SharedFiles {
  readonly #shared: SharedHome;
  readonly #copyDirectory: string;
  readonly #log: KeptLog;
  readonly #request: KeptRequest;
  readonly #notes: KeptNotes;
  readonly #restored: Restored[] = [];
  #known: readonly (FileStat | undefined)[] | undefined;

  constructor(shared: SharedHome) {
    this.#shared = shared;
    const { ports, home, session } = shared;
    this.#copyDirectory = join(session.state, "kept");
    const edits = editKeeper(ports.files, home);
    const logCopy = sharedCopyPath(session, "human.log");
    const copyPath = sharedCopyPath(session, "request.md");
    this.#log = new KeptLog(ports.files, { path: home.humanLog, copyPath: logCopy, edits });
    this.#request = new KeptRequest(ports.files, { home, copyPath, edits });
    const onRestored = (restored: Restored) => void this.#restored.push(restored);
    this.#notes = new KeptNotes({ files: ports.files, home, session, onRestored });
  }

  /** Looks if one of them has changed since; what was put back. Takes the lock only if there is something to do. */
  async look(): Promise<readonly Restored[]> {
    await this.#notes.look(this.#shared.ports.locks);
    return [...this.#restored.splice(0), ...(await this.#lookAtWords())];
  }

  async #lookAtWords(): Promise<readonly Restored[]> {
    const { files, locks } = this.#shared.ports;
    if (this.#known !== undefined && areSame(this.#known, this.#stats())) return [];
    const isInStep = this.#log.peek() === undefined && this.#request.peek() === undefined;
    if (isInStep) {
      this.#known = this.#stats();
      return [];
    }
    need(files.makeDirectory(this.#copyDirectory));
    return need(await locks.withLock(this.#shared.home.humanLog, () => this.mend()));
  }

  /** For who holds the lock: puts back what was changed, and completes the copies. */
  mend(): readonly Restored[] {
    const { ports, home } = this.#shared;
    need(ports.files.makeDirectory(this.#copyDirectory));
    const log = this.#log.open();
    // After the log: it says which request is meant.
    const request = this.#request.mend();
    this.#known = this.#stats();
    return [
      ...(log === undefined ? [] : [{ path: home.humanLog, ...log }]),
      ...(request === undefined ? [] : [{ path: home.request, ...request }]),
    ];
  }

  #stats(): readonly (FileStat | undefined)[] {
    const { ports, home } = this.#shared;
    return [home.humanLog, home.request].map((path) => ports.files.stat(path));
  }
}

function areSame(
  known: readonly (FileStat | undefined)[],
  now: readonly (FileStat | undefined)[],
): boolean {
  return now.every((stat, index) => {
    const was = known[index];
    const isSameFile = was?.inode === stat?.inode && was?.sizeBytes === stat?.sizeBytes;
    return isSameFile && was?.changedMs === stat?.changedMs;
  });
}
