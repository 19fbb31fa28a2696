import { need } from "../base/fatal.ts";
import type { Files, FileStat } from "../base/ports/files.ts";
import type { EditKeeper } from "./edit-keeper.ts";
import type { ExpectedContent } from "./protected-file.ts";
import { readRest } from "./read-rest.ts";
import type { FileDamage, Restoration } from "./restored-record.ts";

/** A longer file cannot be kept in memory. */
const OWN_BYTES_MAX = 256 * 1024 * 1024;

/**
 * A file that must hold what this process first read from it, plus what this process has written since. Changes that
 * people made before the first read stay.
 */
export class WrittenBytes implements ExpectedContent {
  readonly path: string;
  readonly #files: Files;
  readonly #edits: EditKeeper;
  /** The expected content, one piece for each append; undefined if the file must not exist. */
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

  /** Sets the expected content. */
  hold(bytes: Uint8Array | undefined): void {
    this.#pieces = bytes && [bytes];
    this.#sizeBytes = bytes?.length ?? 0;
  }

  /** To be called after this process appended these bytes, perhaps after a seal of a torn line; none if that failed. */
  appended(own: Uint8Array): void {
    const rest = readRest(this.#files, this.path, { from: this.#sizeBytes, written: own.length });
    const at = rest.indexOf(own);
    const piece = at < 0 ? own : rest;
    this.#pieces ??= [];
    this.#pieces.push(piece);
    this.#sizeBytes += piece.length;
  }

  /** Whether a file of which `stat` tells this lacks a part of the expected content. */
  isCut(stat: FileStat | undefined): boolean {
    if (stat !== undefined) return stat.sizeBytes < this.#sizeBytes;
    // On a failing disk, `stat` finds nothing either.
    return need(this.#files.read(this.path, OWN_BYTES_MAX)) === undefined;
  }
}

function howFound(
  expected: Uint8Array | undefined,
  read: ReturnType<Files["read"]> | undefined,
): FileDamage | undefined {
  if (read === undefined) return expected === undefined ? undefined : "missing";
  if (!read.ok || read.value === undefined) return "edited";
  const { value } = read;
  const was = expected ?? new Uint8Array();
  const common = Math.min(value.length, was.length);
  if (Buffer.compare(value.subarray(0, common), was.subarray(0, common)) !== 0) return "edited";
  if (value.length !== was.length) return value.length < was.length ? "cut" : "grown";
  // Lengths are equal: if no file was expected, an empty one exists now.
  return expected === undefined ? "grown" : undefined;
}
