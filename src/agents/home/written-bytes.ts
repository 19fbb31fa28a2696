import { need } from "../../base/fatal.ts";
import type { Files } from "../../base/ports/files.ts";
import type { EditKeeper } from "./edit-keeper.ts";
import type { ExpectedContent } from "./protected-file.ts";
import { readRest } from "./read-rest.ts";
import type { FileDamage, Restoration } from "./restored-record.ts";

/** Bytes of one file that is kept in memory. */
const OWN_BYTES_MAX = 256 * 1024 * 1024;

/**
 * A file that has to hold what this process found in it at its first look, and wrote since: what people changed
 * before stands.
 */
export class WrittenBytes implements ExpectedContent {
  readonly path: string;
  readonly #files: Files;
  readonly #edits: EditKeeper;
  /** In pieces, of which there may be as many as appends; undefined: the file is not there. */
  #pieces: Uint8Array[] | undefined;
  #sizeBytes = 0;

  constructor(
    files: Files,
    { path, edits }: { readonly path: string; readonly edits: EditKeeper },
  ) {
    this.path = path;
    this.#files = files;
    this.#edits = edits;
  }

  open(): undefined {
    this.hold(need(this.#files.read(this.path, OWN_BYTES_MAX)));
  }

  check(): Restoration | undefined {
    const { path } = this;
    const bytes = this.#pieces && Buffer.concat(this.#pieces);
    this.hold(bytes);
    const read = this.#files.stat(path) && this.#files.read(path, OWN_BYTES_MAX);
    const found = howFound(bytes, read);
    return found && { found, copy: this.#edits.restore(path, bytes) };
  }

  /** This is what it has to hold. */
  hold(bytes: Uint8Array | undefined): void {
    this.#pieces = bytes && [bytes];
    this.#sizeBytes = bytes?.length ?? 0;
  }

  /** After an append of so many bytes. */
  appended(written: number): void {
    const piece = readRest(this.#files, this.path, { from: this.#sizeBytes, written });
    this.#pieces ??= [];
    this.#pieces.push(piece);
    this.#sizeBytes += piece.length;
  }
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
