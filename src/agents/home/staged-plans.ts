import { basename, dirname, join } from "node:path";
import { need } from "../../base/fatal.ts";
import type { FileFailure, Files } from "../../base/ports/files.ts";
import { ok, type Result } from "../../base/result.ts";
import { sha256 } from "../../base/sha256.ts";
import type { Home } from "../../fs-protocol/home/home.ts";
import { planCopies } from "../../fs-protocol/home/kept-copy.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import { editKeeper, type EditKeeper } from "./edit-keeper.ts";
import type { Restored } from "./restored-record.ts";

/**
 * Staged plans, whose names are the SHA-256 of their bytes: what does not match its name is never read.
 * A copy of each lies in the session's state directory, by the same name, so that any role can put a
 * plan back, and nobody has to trust a copy.
 */
export class StagedPlans {
  readonly #files: Files;
  readonly #plans: string;
  readonly #copies: string;
  readonly #note: (restored: Restored) => void;
  readonly #edits: EditKeeper;

  constructor(
    files: Files,
    { home, session }: { readonly home: Home; readonly session: Pick<SessionJson, "state"> },
    note: (restored: Restored) => void,
  ) {
    this.#files = files;
    this.#plans = home.plans;
    this.#copies = planCopies(session);
    this.#note = note;
    this.#edits = editKeeper(files, home);
  }

  has(path: string): boolean {
    return dirname(path) === this.#plans && /^[0-9a-f]{64}\.md$/.test(basename(path));
  }

  /** As `Files.read`; undefined also where there are other bytes than the name says, and no copy. */
  read(path: string, sizeBytesMax?: number): Result<Uint8Array | undefined, FileFailure> {
    const present = this.#files.read(path, sizeBytesMax);
    const copyPath = join(this.#copies, basename(path));
    const copy = this.#files.read(copyPath, sizeBytesMax);
    const kept = copy.ok && isNamed(path, copy.value) ? copy.value : undefined;
    if (present.ok && isNamed(path, present.value)) {
      if (kept === undefined && present.value !== undefined) this.#keep(copyPath, present.value);
      return present;
    }
    if (kept === undefined) return present.ok ? ok(undefined) : present;
    const found = present.ok && present.value === undefined ? "missing" : "edited";
    this.#note({ path, found, copy: this.#edits.restore(path, kept) });
    return ok(kept);
  }

  /** As `Files.create`; other bytes than the name says make room for those that it says. */
  create(path: string, bytes: Uint8Array): Result<void, FileFailure> {
    this.#keep(join(this.#copies, basename(path)), bytes);
    const present = this.#files.read(path);
    const isFree = present.ok && (present.value === undefined || isNamed(path, present.value));
    if (isFree) return this.#files.create(path, bytes);
    return this.#files.replace(path, bytes, () => this.#edits.keep(path, bytes));
  }

  #keep(copyPath: string, bytes: Uint8Array): void {
    need(this.#files.makeDirectory(this.#copies));
    need(this.#files.replace(copyPath, bytes));
  }
}

function isNamed(path: string, bytes: Uint8Array | undefined): boolean {
  return bytes !== undefined && sha256(bytes) === basename(path, ".md");
}
