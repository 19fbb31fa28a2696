import { join } from "node:path";
import { need } from "../../base/fatal.ts";
import type { Files, FileStat } from "../../base/ports/files.ts";
import type { Locks } from "../../base/ports/locks.ts";
import type { Home } from "../../fs-protocol/home/home.ts";
import { sharedCopyPath } from "../../fs-protocol/home/kept-copy.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import { editKeeper } from "./keep-edit.ts";
import { KeptLog } from "./kept-log.ts";
import type { Restored } from "./restored-line.ts";

/** A session, and who is told what was put back. */
export interface NotesHome {
  readonly files: Files;
  readonly home: Home;
  readonly session: Pick<SessionJson, "state" | "createdAt">;
  readonly onRestored: (restored: Restored) => void;
}

interface Note {
  readonly log: KeptLog;
  /** How the file was when it and its copy were the same. */
  known: { readonly stat: FileStat | undefined } | undefined;
}

/**
 * What several roles write for people: `PROGRESS.txt` and `CHANGES.md`. Each role appends under the lock of
 * the file, and keeps a copy outside of the session's home in step with it. So what somebody else took
 * out of it, or changed in it, is put back by whoever next looks or appends; what somebody appended stands.
 */
export class KeptNotes {
  readonly #options: NotesHome;
  readonly #copyDirectory: string;
  readonly #notes: ReadonlyMap<string, Note>;
  #isMade = false;

  constructor(options: NotesHome) {
    const { files, home, session } = options;
    const edits = editKeeper(files, home);
    const noteAt = (path: string, copyPath: string): Note => {
      return { log: new KeptLog(files, { path, copyPath, edits }), known: undefined };
    };
    this.#options = options;
    this.#copyDirectory = join(session.state, "kept");
    this.#notes = new Map([
      [home.progress, noteAt(home.progress, sharedCopyPath(session, "PROGRESS.txt"))],
      [home.changes, noteAt(home.changes, sharedCopyPath(session, "CHANGES.md"))],
    ]);
  }

  /** Whether there is nothing to put back or to copy; without a lock, so that somebody may be at it. */
  isInStep(path: string): boolean {
    const note = this.#notes.get(path);
    if (note === undefined || this.#isKnown(path, note)) return true;
    const stat = this.#options.files.stat(path);
    if (note.log.peek() !== undefined) return false;
    note.known = { stat };
    return true;
  }

  /** For who holds the lock of the file: puts back what was changed, and completes the copy. */
  mend(path: string): void {
    const note = this.#notes.get(path);
    if (note === undefined || this.#isKnown(path, note)) return;
    this.#makeDirectory();
    const putBack = note.log.open();
    note.known = { stat: this.#options.files.stat(path) };
    if (putBack !== undefined) this.#options.onRestored({ path, ...putBack });
  }

  /** For who holds the lock, has had the file mended, and has appended this to it. */
  appended(path: string, bytes: Uint8Array): void {
    const note = this.#notes.get(path);
    if (note === undefined) return;
    this.#makeDirectory();
    note.log.wrote(bytes);
    note.log.flush();
    note.known = { stat: this.#options.files.stat(path) };
  }

  /** Looks if one of them has changed since; takes a lock only if there is something to do. */
  async look(locks: Pick<Locks, "withLock">): Promise<void> {
    for (const path of this.#notes.keys()) {
      if (this.isInStep(path)) continue;
      need(
        await locks.withLock(path, () => {
          this.mend(path);
        }),
      );
    }
  }

  /** Once: it stays, but for somebody who takes it away from under us. */
  #makeDirectory(): void {
    if (this.#isMade) return;
    need(this.#options.files.makeDirectory(this.#copyDirectory));
    this.#isMade = true;
  }

  #isKnown(path: string, { known }: Note): boolean {
    return known !== undefined && isSame(known.stat, this.#options.files.stat(path));
  }
}

function isSame(one: FileStat | undefined, other: FileStat | undefined): boolean {
  const isSameFile = one?.inode === other?.inode && one?.sizeBytes === other?.sizeBytes;
  return isSameFile && one?.changedMs === other?.changedMs;
}
