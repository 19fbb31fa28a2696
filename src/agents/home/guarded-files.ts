import { filesOf, homeFile } from "../../fs-protocol/home/catalogue.ts";
import { dirname } from "node:path";
import type { Clock } from "../../base/ports/clock.ts";
import { need } from "../../base/fatal.ts";
import type { Files, FileStat } from "../../base/ports/files.ts";
import { ok } from "../../base/result.ts";
import type { Role } from "../../base/role.ts";
import { roleLog, type Home } from "../../fs-protocol/home/home.ts";
import { keptCopyPath } from "../../fs-protocol/home/kept-copy.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import { isAnyKeptAtOnce } from "../../fs-protocol/records/kept-at-once.ts";
import { GuardedPlans } from "./guarded-plans.ts";
import { editKeeper, type EditKeeper } from "./keep-edit.ts";
import { KeptLog, type FileDamage, type PutBack } from "./kept-log.ts";
import { readRest } from "./read-rest.ts";
import { restoredLine } from "./restored-line.ts";

/** Whose files are guarded, and what they are made of. */
export interface Guarded {
  readonly role: Role | "supervisor";
  readonly home: Home;
  readonly session: SessionJson;
  readonly files: Files;
  readonly clock: Clock;
}

/** Bytes of one file that is kept in memory. */
const OWN_BYTES_MAX = 256 * 1024 * 1024;

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
  const plans = new GuardedPlans(files, { home, state: session.state }, (path, putBack) => {
    guard.note(path, putBack);
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

interface Known {
  readonly stat: FileStat | undefined;
  /** What it holds, in pieces; undefined of the journal, which has its copy, and of a file that is not there. */
  readonly pieces: Uint8Array[] | undefined;
}

class Guard {
  readonly journal: string;
  readonly #guarded: Guarded;
  readonly #kept: KeptLog;
  readonly #edits: EditKeeper;
  readonly #copyDirectory: string;
  readonly #own: readonly string[];
  readonly #known = new Map<string, Known>();
  #events = "";

  constructor(guarded: Guarded) {
    const { role, home, session, files } = guarded;
    this.#guarded = guarded;
    this.journal = role === "supervisor" ? home.supervisorLog : roleLog(home, role);
    this.#own = ownFiles(role, home);
    const copyPath = keptCopyPath(session, role);
    this.#copyDirectory = dirname(copyPath);
    this.#edits = editKeeper(files, home);
    this.#kept = new KeptLog(files, { path: this.journal, copyPath, edits: this.#edits });
  }

  /** Whether anything was looked at yet. */
  get hasBegun(): boolean {
    return this.#known.has(this.journal);
  }

  forget(): void {
    this.#known.clear();
  }

  /** Whether it is known how the role itself left this file. */
  owns(path: string): boolean {
    return this.#known.has(path);
  }

  /** Puts back what somebody else changed; cheap while nobody did. */
  look(): void {
    if (!this.hasBegun) this.#begin();
    if (this.#isChanged(this.journal)) {
      this.note(this.journal, this.#kept.check());
      this.#remember(this.journal, undefined);
    }
    for (const path of this.#own) if (this.#isChanged(path)) this.#putBack(path);
  }

  /** Brings the journal's copy up to date: once for each look of the role, not for each append. */
  keep(): void {
    this.#kept.flush();
  }

  /** After an append of the role's own; undefined: it failed, maybe half-way. */
  appended(path: string, written: Uint8Array | undefined): void {
    if (path !== this.journal) {
      this.#extend(path, written?.length ?? 0);
    } else if (written !== undefined) {
      this.#kept.wrote(written);
      // Taken away between the look and the append, which then began a new one.
      const size = this.#guarded.files.stat(path)?.sizeBytes ?? 0;
      if (size < this.#kept.sizeBytes) this.note(path, this.#kept.check());
      this.#remember(path, undefined);
    } else {
      this.#known.delete(path);
    }
  }

  /** After a replacement of the role's own. */
  replaced(path: string, bytes: Uint8Array): void {
    if (this.#known.has(path)) this.#remember(path, [bytes]);
  }

  /** Lines for the journal about what was put back since the last call. */
  takeEvents(): Uint8Array {
    const lines = this.#events;
    this.#events = "";
    return Buffer.from(lines);
  }

  #begin(): void {
    need(this.#guarded.files.makeDirectory(this.#copyDirectory));
    this.note(this.journal, this.#kept.open());
    this.#remember(this.journal, undefined);
    for (const path of this.#own) if (!this.#known.has(path)) this.#adopt(path);
  }

  #isChanged(path: string): boolean {
    const known = this.#known.get(path)?.stat;
    const { inode, sizeBytes, changedMs } = this.#guarded.files.stat(path) ?? {};
    const isSame = inode === known?.inode && sizeBytes === known?.sizeBytes;
    return !isSame || changedMs !== known?.changedMs;
  }

  #adopt(path: string): void {
    const bytes = need(this.#guarded.files.read(path, OWN_BYTES_MAX));
    this.#remember(path, bytes === undefined ? undefined : [bytes]);
  }

  #extend(path: string, written: number): void {
    const known = this.#known.get(path);
    if (known === undefined) return;
    const from = known.stat?.sizeBytes ?? sizeOf(known.pieces ?? []);
    const piece = readRest(this.#guarded.files, path, { from, written });
    this.#remember(path, pushed(known.pieces, piece));
  }

  #remember(path: string, pieces: Uint8Array[] | undefined): void {
    this.#known.set(path, { stat: this.#guarded.files.stat(path), pieces });
  }

  #putBack(path: string): void {
    const { files } = this.#guarded;
    const pieces = this.#known.get(path)?.pieces;
    const bytes = pieces && Buffer.concat(pieces);
    const read = files.stat(path) && files.read(path, OWN_BYTES_MAX);
    const found = howFound(bytes, read);
    if (found !== undefined) {
      this.note(path, { found, copy: this.#edits.putBack(path, bytes) });
    }
    this.#remember(path, bytes && [bytes]);
  }

  /** Puts on record, with the next append, how a file was found. */
  note(path: string, putBack: PutBack | undefined): void {
    if (putBack === undefined) return;
    this.#events += restoredLine({ path, ...putBack }, this.#guarded);
  }
}

function sizeOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

/** In place: there may be as many pieces as appends. */
function pushed(pieces: Uint8Array[] = [], piece: Uint8Array): Uint8Array[] {
  pieces.push(piece);
  return pieces;
}

function howFound(
  kept: Uint8Array | undefined,
  read: ReturnType<Files["read"]> | undefined,
): FileDamage | undefined {
  if (read === undefined) return kept === undefined ? undefined : "missing";
  if (!read.ok || read.value === undefined) return "edited";
  const { value } = read;
  const was = kept ?? new Uint8Array();
  const common = Math.min(value.length, was.length);
  if (Buffer.compare(value.subarray(0, common), was.subarray(0, common)) !== 0) return "edited";
  if (value.length !== was.length) return value.length < was.length ? "cut" : "grown";
  // An empty file where there was none says nothing, and was not there.
  return kept === undefined ? "grown" : undefined;
}
