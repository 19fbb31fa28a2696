import { dirname } from "node:path";
import type { Clock } from "../base/ports/clock.ts";
import { need } from "../base/fatal.ts";
import { FileFailure, type Files } from "../base/ports/files.ts";
import { fail, ok } from "../base/result.ts";
import type { Role } from "../base/role.ts";
import { encodeRecord } from "../fs-protocol/codec/record-codec.ts";
import { filesOf, homeFile } from "../fs-protocol/home/catalogue.ts";
import type { Home } from "../fs-protocol/home/home.ts";
import { copyPath } from "../fs-protocol/home/copy-path.ts";
import type { SessionJson } from "../fs-protocol/home/session-json.ts";
import { FileRestored } from "../fs-protocol/records/common-records.ts";
import { isAnyCopiedAtOnce } from "../fs-protocol/records/copied-at-once.ts";
import { editKeeper } from "./edit-keeper.ts";
import { CopiedLog } from "./copied-log.ts";
import { ProtectedFile } from "./protected-file.ts";
import { restoredRecord, type Restored } from "./restored-record.ts";
import { StagedPlans } from "./staged-plans.ts";
import { WriteFence } from "./write-fence.ts";
import { WrittenBytes } from "./written-bytes.ts";

/** Whose files are guarded, and through which ports. */
export interface Guarded {
  readonly role: Role | "supervisor";
  readonly home: Home;
  readonly session: SessionJson;
  readonly files: Files;
  readonly clock: Clock;
}

/** The files that only this role writes, except its journal, and `session.json`. */
export function ownFiles(role: Guarded["role"], home: Home): readonly string[] {
  const own = filesOf(role).filter((name) => homeFile(name).kind !== "log");
  // session.json never changes: each role has read it and can restore it.
  return [...own, "sessionJson" as const].map((name) => home[name]);
}

/** The files of a machine, some of which are guarded. */
export interface GuardedFiles extends Files {
  /** To be called if another process held the lease meanwhile: the next check starts over like the first. */
  readonly forget: () => void;
}

/**
 * The errno of an append that restored its file and appended nothing. The caller has to read the file again to see what
 * it lacks. The journal never fails with it.
 */
export const RESTORED = "ERESTORED";

/**
 * Guards the files of a role against its engine, which knows their paths. A file that only this role writes must hold
 * what this role wrote. The next check or append of the journal detects a foreign change by size, inode or time,
 * restores the file, and records that with the next append. The first check comes after the lease is taken; except in
 * the journal, changes that people made before that stay. An append ends the process if the session has moved to another
 * machine.
 */
export function guardedFiles(guarded: Guarded): GuardedFiles {
  const { files, home, session } = guarded;
  const guard = new Guard(guarded);
  const plans = new StagedPlans(files, { home, session }, (restored) => {
    guard.note([restored]);
  });
  return {
    forget: () => {
      guard.forget();
    },
    readChunk: (path, offset, length) => files.readChunk(path, offset, length),
    read: (path, sizeBytesMax) =>
      plans.has(path) ? plans.read(path, sizeBytesMax) : files.read(path, sizeBytesMax),
    stat(path) {
      // The first `stat` of any file starts the check: reading a broken file could end the process before it.
      if (path === guard.journal || !guard.hasBegun) {
        guard.restoreChanged();
        guard.updateCopy();
      }
      return files.stat(path);
    },
    append(path, bytes) {
      const isJournal = path === guard.journal;
      if (guard.beforeAppend(path)) return restoredBefore(path);
      const all = isJournal ? Buffer.concat([guard.takeEvents(), bytes]) : bytes;
      if (all.length === 0) return ok(undefined);
      const appended = files.append(path, all);
      guard.appended(path, appended.ok ? all : undefined);
      if (isJournal && appended.ok && isAnyCopiedAtOnce(all)) guard.updateCopy();
      return appended;
    },
    replace(path, bytes, beforePlaced) {
      const replaced = files.replace(path, bytes, () => {
        // Otherwise a foreign change would be overwritten before it was detected.
        if (guard.owns(path)) guard.restoreChanged();
        beforePlaced?.();
      });
      if (replaced.ok) guard.replaced(path, bytes);
      return replaced;
    },
    create: (path, bytes) =>
      plans.has(path) ? plans.create(path, bytes) : files.create(path, bytes),
    createCopy: (path, bytes) => files.createCopy(path, bytes),
    createScratch: (path, bytes) => files.createScratch(path, bytes),
    link: (existing, path) => files.link(existing, path),
    list: (path) => files.list(path),
    makeDirectory: (path) => files.makeDirectory(path),
    makeScratchDirectory: (path) => files.makeScratchDirectory(path),
    remove: (path) => files.remove(path),
    removeTemporaries: (directory, names) => files.removeTemporaries(directory, names),
  };
}

/** What is missing in the file was decided by what it held before. */
function restoredBefore(path: string) {
  return fail(FileFailure({ operation: "append", path, errno: RESTORED }));
}

/** Guards the journal of a role and the other files that only this role writes. */
class Guard {
  readonly #guarded: Guarded;
  readonly #fence: WriteFence;
  readonly #copyDirectory: string;
  readonly #journal: ProtectedFile<CopiedLog>;
  readonly #own: ReadonlyMap<string, ProtectedFile<WrittenBytes>>;
  #events = "";

  constructor(guarded: Guarded) {
    const { role, home, session, files } = guarded;
    const edits = editKeeper(files, home);
    const log = `${role}Log` as const;
    const place = { path: home[log], copyPath: copyPath(session, log), edits };
    this.#guarded = guarded;
    this.#fence = new WriteFence(files, home);
    this.#copyDirectory = dirname(place.copyPath);
    this.#journal = new ProtectedFile(files, new CopiedLog(files, place));
    this.#own = new Map(
      ownFiles(role, home).map((path) => [
        path,
        new ProtectedFile(files, new WrittenBytes(files, { path, edits })),
      ]),
    );
  }

  get journal(): string {
    return this.#journal.expected.path;
  }

  /** Whether any file was checked yet. */
  get hasBegun(): boolean {
    return this.#journal.isChecked;
  }

  forget(): void {
    for (const file of [this.#journal, ...this.#own.values()]) file.forget();
  }

  /** Whether this file is guarded and was checked before. */
  owns(path: string): boolean {
    return this.#own.get(path)?.isChecked === true;
  }

  /** Restores the files that another process changed, and returns their paths; cheap if there are none. */
  restoreChanged(): readonly string[] {
    if (!this.hasBegun) need(this.#guarded.files.makeDirectory(this.#copyDirectory));
    const files = [this.#journal, ...this.#own.values()];
    return files.flatMap((file) => this.#restoreIfChanged(file)).map(({ path }) => path);
  }

  #restoreIfChanged(file: ProtectedFile<CopiedLog | WrittenBytes>): readonly Restored[] {
    if (file.isUntouched) return [];
    const { expected } = file;
    const restored = file.afterCheck(file.isChecked ? expected.check() : expected.open());
    this.note(restored);
    return restored;
  }

  /**
   * To be called before the role itself appends. Ends the process if the home is not written on this machine.
   *
   * @returns whether this is another file than the journal, and was restored
   */
  beforeAppend(path: string): boolean {
    if (path === this.journal) need(this.#fence.check());
    if (path !== this.journal && !this.owns(path)) return false;
    return this.restoreChanged().some((one) => one !== this.journal && one === path);
  }

  /** Updates the journal's copy: once for each reading of the journal, not for each append. */
  updateCopy(): void {
    this.#journal.expected.flush();
  }

  /** To be called after the role itself appended; `written` is undefined if that failed, perhaps half-way. */
  appended(path: string, written: Uint8Array | undefined): void {
    if (path === this.journal) {
      this.#appendedToJournal(written);
      return;
    }
    const own = this.#own.get(path);
    if (own?.isChecked !== true) return;
    const { expected } = own;
    expected.appended(written ?? new Uint8Array());
    const stat = own.stat();
    // Another process removed the file between check and append, so the append started a new one.
    if (expected.isCut(stat)) this.note(own.afterCheck(expected.check()));
    else own.markIntact(stat);
  }

  #appendedToJournal(written: Uint8Array | undefined): void {
    const journal = this.#journal;
    if (written === undefined) {
      journal.forget();
      return;
    }
    journal.expected.wrote(written);
    // Another process removed the journal between check and append, so the append started a new file.
    const isCut = (journal.stat()?.sizeBytes ?? 0) < journal.expected.sizeBytes;
    this.note(journal.afterCheck(isCut ? journal.expected.check() : undefined));
  }

  /** To be called after the role itself replaced a file. */
  replaced(path: string, bytes: Uint8Array): void {
    const own = this.#own.get(path);
    if (own?.isChecked !== true) return;
    own.expected.hold(bytes);
    own.markIntact(own.stat());
  }

  /** Lines for the journal about the files that were restored since the last call. */
  takeEvents(): Uint8Array {
    const lines = this.#events;
    this.#events = "";
    return Buffer.from(lines);
  }

  /** Queues records about restored files for the next append. */
  note(all: readonly Restored[]): void {
    for (const restored of all) {
      this.#events += encodeRecord(FileRestored, restoredRecord(restored, this.#guarded));
    }
  }
}
