import { basename, dirname, join } from "node:path";
import { need } from "../base/fatal.ts";
import type { FileFailure, Files } from "../base/ports/files.ts";
import { ok, type Result } from "../base/result.ts";
import { sha256 } from "../base/sha256.ts";
import type { Home } from "../fs-protocol/home/home.ts";
import { planCopies } from "../fs-protocol/home/copy-path.ts";
import type { SessionJson } from "../fs-protocol/home/session-json.ts";
import { editKeeper, type EditKeeper } from "./edit-keeper.ts";
import type { Restored } from "./restored-record.ts";

/**
 * Staged plans. A plan's name is the SHA-256 of its bytes, and content that does not match the name is never read.
 * The session's state directory holds a copy of each plan under the same name, so any role can restore a plan, and
 * the name proves that a copy is right.
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

  /** Like `Files.read`; also undefined if the content does not match the name and there is no valid copy. */
  read(path: string, sizeBytesMax?: number): Result<Uint8Array | undefined, FileFailure> {
    const present = this.#files.read(path, sizeBytesMax);
    const copyPath = join(this.#copies, basename(path));
    const copy = this.#files.read(copyPath, sizeBytesMax);
    const valid = copy.ok && isNamed(path, copy.value) ? copy.value : undefined;
    if (present.ok && isNamed(path, present.value)) {
      if (valid === undefined && present.value !== undefined)
        this.#writeCopy(copyPath, present.value);
      return present;
    }
    if (valid === undefined) return present.ok ? ok(undefined) : present;
    const found = present.ok && present.value === undefined ? "missing" : "edited";
    this.#note({ path, found, copy: this.#edits.restore(path, valid) });
    return ok(valid);
  }

  /** Like `Files.create`, but replaces a file whose content does not match its name. */
  create(path: string, bytes: Uint8Array): Result<void, FileFailure> {
    this.#writeCopy(join(this.#copies, basename(path)), bytes);
    const present = this.#files.read(path);
    const isFree = present.ok && (present.value === undefined || isNamed(path, present.value));
    if (isFree) return this.#files.create(path, bytes);
    return this.#files.replace(path, bytes, () => this.#edits.keep(path, bytes));
  }

  #writeCopy(copyPath: string, bytes: Uint8Array): void {
    need(this.#files.makeDirectory(this.#copies));
    need(this.#files.replace(copyPath, bytes));
  }
}

function isNamed(path: string, bytes: Uint8Array | undefined): boolean {
  return bytes !== undefined && sha256(bytes) === basename(path, ".md");
}
