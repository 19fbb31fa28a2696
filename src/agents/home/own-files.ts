import { dirname } from "node:path";
import type { Clock } from "../../base/ports/clock.ts";
import { need } from "../../base/fatal.ts";
import type { Files } from "../../base/ports/files.ts";
import { ok } from "../../base/result.ts";
import type { Role } from "../../base/role.ts";
import { encodeRecord } from "../../fs-protocol/codec/record-codec.ts";
import { filesOf, homeFile } from "../../fs-protocol/home/catalogue.ts";
import type { Home } from "../../fs-protocol/home/home.ts";
import { copyPath } from "../../fs-protocol/home/kept-copy.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import { FileRestored } from "../../fs-protocol/records/common-records.ts";
import { isAnyKeptAtOnce } from "../../fs-protocol/records/kept-at-once.ts";
import { editKeeper } from "./edit-keeper.ts";
import { CopiedLog } from "./copied-log.ts";
import { ProtectedFile } from "./protected-file.ts";
import { restoredRecord, type Restored } from "./restored-record.ts";
import { StagedPlans } from "./staged-plans.ts";
import { WrittenBytes } from "./written-bytes.ts";

/** Whose files are guarded, and what they are made of. */
export interface Guarded {
  readonly role: Role | "supervisor";
  readonly home: Home;
  readonly session: SessionJson;
  readonly files: Files;
  readonly clock: Clock;
}

/** What a role alone writes besides its journal. */
export function ownFiles(role: Guarded["role"], home: Home): readonly string[] {
  const own = filesOf(role).filter((name) => homeFile(name).kind !== "log");
  // Nobody changes session.json: each role has read it, and can put it back.
  return [...own, "sessionJson" as const].map((name) => home[name]);
}

/** Files of which some are guarded. */
export interface GuardedFiles extends Files {
  /** The lease was somebody else's meanwhile: the next look is like the first. */
  readonly forget: () => void;
}

/**
 * The files of a role whose engine knows the way to them. A file that only this role writes holds what
 * this role wrote: somebody else's change is found by its size, inode or time when the journal is next
 * looked at or appended to, undone, and put on record with the next append. The first look comes
 * after the lease; what people changed before stands, but for the journal itself.
 */
export function guardedFiles(guarded: Guarded): GuardedFiles {
  const { files } = guarded;
  const guard = new Guard(guarded);
  const { home, session } = guarded;
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
      // The first look at any file: another one may be broken, and keep the role from its own.
      if (path === guard.journal || !guard.hasBegun) {
        guard.look();
        guard.keep();
      }
      return files.stat(path);
    },
    append(path, bytes) {
      const isJournal = path === guard.journal;
      if (isJournal || guard.owns(path)) guard.look();
      const all = isJournal ? Buffer.concat([guard.takeEvents(), bytes]) : bytes;
      if (all.length === 0) return ok(undefined);
      const appended = files.append(path, all);
      guard.appended(path, appended.ok ? all : undefined);
      if (isJournal && appended.ok && isAnyKeptAtOnce(all)) guard.keep();
      return appended;
    },
    replace(path, bytes, beforePlaced) {
      const replaced = files.replace(path, bytes, () => {
        // Else a change by somebody else would be gone before anybody has seen it.
        if (guard.owns(path)) guard.look();
        beforePlaced?.();
      });
      if (replaced.ok) guard.replaced(path, bytes);
      return replaced;
    },
    create: (path, bytes) =>
      plans.has(path) ? plans.create(path, bytes) : files.create(path, bytes),
    link: (existing, path) => files.link(existing, path),
    list: (path) => files.list(path),
    makeDirectory: (path) => files.makeDirectory(path),
    remove: (path) => files.remove(path),
    removeTemporaries: (directory, names) => files.removeTemporaries(directory, names),
  };
}

/** The journal of a role, and what the role alone writes besides. */
class Guard {
  readonly #guarded: Guarded;
  readonly #copyDirectory: string;
  readonly #journal: ProtectedFile<CopiedLog>;
  readonly #own: ReadonlyMap<string, ProtectedFile<WrittenBytes>>;
  #events = "";

  constructor(guarded: Guarded) {
    const { role, home, session, files } = guarded;
    const edits = editKeeper(files, home);
    const log = `${role}Log` as const;
    const kept = { path: home[log], copyPath: copyPath(session, log), edits };
    this.#guarded = guarded;
    this.#copyDirectory = dirname(kept.copyPath);
    this.#journal = new ProtectedFile(files, new CopiedLog(files, kept));
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

  /** Whether anything was looked at yet. */
  get hasBegun(): boolean {
    return this.#journal.isChecked;
  }

  forget(): void {
    for (const file of [this.#journal, ...this.#own.values()]) file.forget();
  }

  /** Whether it is known how the role itself left this file. */
  owns(path: string): boolean {
    return this.#own.get(path)?.isChecked === true;
  }

  /** Puts back what somebody else changed; cheap while nobody did. */
  look(): void {
    if (!this.hasBegun) need(this.#guarded.files.makeDirectory(this.#copyDirectory));
    for (const file of [this.#journal, ...this.#own.values()]) this.#lookAt(file);
  }

  #lookAt(file: ProtectedFile<CopiedLog | WrittenBytes>): void {
    if (file.isUntouched) return;
    const { expected } = file;
    this.note(file.afterCheck(file.isChecked ? expected.check() : expected.open()));
  }

  /** Brings the journal's copy up to date: once for each look of the role, not for each append. */
  keep(): void {
    this.#journal.expected.flush();
  }

  /** After an append of the role's own; undefined: it failed, maybe half-way. */
  appended(path: string, written: Uint8Array | undefined): void {
    if (path === this.journal) {
      this.#appendedToJournal(written);
      return;
    }
    const own = this.#own.get(path);
    if (own?.isChecked !== true) return;
    own.expected.appended(written?.length ?? 0);
    own.markIntact(own.stat());
  }

  #appendedToJournal(written: Uint8Array | undefined): void {
    const journal = this.#journal;
    if (written === undefined) {
      journal.forget();
      return;
    }
    journal.expected.wrote(written);
    // Taken away between the look and the append, which then began a new one.
    const isCut = (journal.stat()?.sizeBytes ?? 0) < journal.expected.sizeBytes;
    this.note(journal.afterCheck(isCut ? journal.expected.check() : undefined));
  }

  /** After a replacement of the role's own. */
  replaced(path: string, bytes: Uint8Array): void {
    const own = this.#own.get(path);
    if (own?.isChecked !== true) return;
    own.expected.hold(bytes);
    own.markIntact(own.stat());
  }

  /** Lines for the journal about what was put back since the last call. */
  takeEvents(): Uint8Array {
    const lines = this.#events;
    this.#events = "";
    return Buffer.from(lines);
  }

  /** Puts on record, with the next append, how files were found. */
  note(all: readonly Restored[]): void {
    for (const restored of all) {
      this.#events += encodeRecord(FileRestored, restoredRecord(restored, this.#guarded));
    }
  }
}
