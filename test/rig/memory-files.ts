import { dirname } from "node:path";
import { assert } from "../../src/base/assert.ts";
import { SEAL, FileFailure, type Files } from "../../src/base/ports/files.ts";
import { DOCUMENT_BYTES_MAX } from "../../src/base/limits.ts";
import { fail, ok, type Result } from "../../src/base/result.ts";

const NEWLINE = 0x0a;
const EMPTY = new Uint8Array();

type Operation = FileFailure["operation"];

interface MemoryFile {
  readonly inode: number;
  readonly bytes: Uint8Array;
}

/** Injects errors: returns the errno of an operation, or undefined to let it succeed. */
export type Fault = (operation: Operation, path: string) => string | undefined;

/**
 * The port of the file system, in memory: the same contract as the real one (sealing appends, new inodes by
 * replacement, exclusive creation), and methods by which tests change files from outside.
 */
export class MemoryFiles implements Files {
  /** Asked before each operation that can fail. */
  fault: Fault = () => undefined;
  /** Called with each path whose content changed. */
  changed: (path: string) => void = () => undefined;
  readonly #files = new Map<string, MemoryFile>();
  #inodes = 0;

  readChunk(
    path: string,
    offsetBytes: number,
    lengthBytesMax: number,
  ): Result<Uint8Array, FileFailure> {
    const bytes = this.#files.get(path)?.bytes ?? EMPTY;
    return this.#unless("read", path, () => bytes.slice(offsetBytes, offsetBytes + lengthBytesMax));
  }

  read(
    path: string,
    sizeBytesMax = DOCUMENT_BYTES_MAX,
  ): Result<Uint8Array | undefined, FileFailure> {
    const bytes = this.#files.get(path)?.bytes;
    if ((bytes?.length ?? 0) > sizeBytesMax) return failure("read", path, "EFBIG");
    return this.#unless("read", path, () => bytes?.slice());
  }

  stat(path: string): { readonly sizeBytes: number; readonly inode: number } | undefined {
    const file = this.#files.get(path);
    return file && { sizeBytes: file.bytes.length, inode: file.inode };
  }

  append(path: string, bytes: Uint8Array): Result<void, FileFailure> {
    assert(bytes.at(-1) === NEWLINE, "only whole lines are appended");
    const present = this.#files.get(path)?.bytes ?? EMPTY;
    const isTorn = present.length > 0 && present.at(-1) !== NEWLINE;
    const seal = Buffer.from(isTorn ? SEAL : "");
    return this.#unless("append", path, () => {
      this.write(path, Buffer.concat([present, seal, bytes]));
    });
  }

  replace(
    path: string,
    bytes: Uint8Array,
    beforePlaced: () => void = () => undefined,
  ): Result<void, FileFailure> {
    return this.#unless("replace", path, () => {
      beforePlaced();
      this.#files.delete(path);
      this.write(path, bytes);
    });
  }

  create(path: string, bytes: Uint8Array): Result<void, FileFailure> {
    if (this.#files.has(path)) return failure("create", path, "EEXIST");
    return this.#unless("create", path, () => {
      this.write(path, bytes);
    });
  }

  createCopy(path: string, bytes: Uint8Array): Result<void, FileFailure> {
    return this.create(path, bytes);
  }

  createScratch(path: string, bytes: Uint8Array): Result<void, FileFailure> {
    return this.create(path, bytes);
  }

  /** A later write to one of the two does not change the other; no test with these files does that. */
  link(existing: string, path: string): Result<void, FileFailure> {
    const file = this.#files.get(existing);
    if (file === undefined) return failure("link", path, "ENOENT");
    if (this.#files.has(path)) return failure("link", path, "EEXIST");
    return this.#unless("link", path, () => {
      this.#files.set(path, file);
      this.changed(path);
    });
  }

  list(path: string): Result<readonly string[], FileFailure> {
    const below = [...this.#files.keys()].filter((file) => file.startsWith(`${path}/`));
    const names = below.map((file) => file.slice(path.length + 1).split("/")[0] ?? "");
    return this.#unless("list", path, () => [...new Set(names)].sort());
  }

  makeDirectory(path: string): Result<void, FileFailure> {
    return this.#unless("make-directory", path, () => undefined);
  }

  makeScratchDirectory(path: string): Result<void, FileFailure> {
    return this.makeDirectory(path);
  }

  remove(path: string): Result<void, FileFailure> {
    return this.#unless("remove", path, () => {
      this.#files.delete(path);
      this.changed(path);
    });
  }

  /** No process is killed during a replacement here. */
  removeTemporaries(directory: string): Result<void, FileFailure> {
    return this.#unless("remove", directory, () => undefined);
  }

  /** Removes everything below a directory. */
  removeTree(path: string): Result<void, FileFailure> {
    for (const below of [...this.#files.keys()].filter((each) => each.startsWith(`${path}/`))) {
      this.remove(below);
    }
    return ok(undefined);
  }

  /** Overwrites in place, like a shell's `>`: the inode stays if the file exists. */
  write(path: string, content: Uint8Array | string): void {
    const inode = this.#files.get(path)?.inode ?? ++this.#inodes;
    this.#files.set(path, { inode, bytes: Buffer.from(content) });
    this.changed(path);
  }

  /** Keeps only the first bytes of a file, as a killed writer or a power cut would. */
  cut(path: string, sizeBytes: number): void {
    this.write(path, this.bytesOf(path).slice(0, sizeBytes));
  }

  bytesOf(path: string): Uint8Array {
    return this.#files.get(path)?.bytes ?? EMPTY;
  }

  textOf(path: string): string {
    return Buffer.from(this.bytesOf(path)).toString("utf8");
  }

  #unless<T>(operation: Operation, path: string, act: () => T): Result<T, FileFailure> {
    const errno = this.fault(operation, path);
    return errno === undefined ? ok(act()) : failure(operation, path, errno);
  }
}

function failure(operation: Operation, path: string, errno: string): Result<never, FileFailure> {
  return fail(FileFailure({ operation, path, errno }));
}

/** Whether a path is directly in one of these directories. */
export function liesIn(path: string, directories: readonly string[]): boolean {
  return directories.includes(dirname(path));
}
