import type { Files, FileStat } from "../../base/ports/files.ts";
import type { PutBack, Restored } from "./restored-record.ts";

/** What a file of a home has to hold: how that is known, and how the file is made to hold it again. */
export interface Truth {
  readonly path: string;
  /** Compares the two, and puts the file back; how it was found, if it was put back. */
  readonly open: () => PutBack | undefined;
}

/** A file of a home, beside what it has to hold: compared only after something was done to it. */
export class ProtectedFile<T extends Truth = Truth> {
  readonly truth: T;
  readonly #files: Pick<Files, "stat">;
  #seen: { readonly stat: FileStat | undefined } | undefined;

  constructor(files: Pick<Files, "stat">, truth: T) {
    this.#files = files;
    this.truth = truth;
  }

  /** Whether it was compared at all. */
  get isSeen(): boolean {
    return this.#seen !== undefined;
  }

  /** Whether nothing was done to it since it was seen to hold what it has to, by its size, inode and time. */
  get isUntouched(): boolean {
    if (this.#seen === undefined) return false;
    const was = this.#seen.stat;
    const now = this.stat();
    const isSameFile = was?.inode === now?.inode && was?.sizeBytes === now?.sizeBytes;
    return isSameFile && was?.changedMs === now?.changedMs;
  }

  stat(): FileStat | undefined {
    return this.#files.stat(this.truth.path);
  }

  /** It holds what it has to, as it was right before it was compared, or is after it was put back. */
  see(stat: FileStat | undefined): void {
    this.#seen = { stat };
  }

  /** After it was compared; what is to be put on record of that. */
  seen(putBack: PutBack | undefined): readonly Restored[] {
    this.see(this.stat());
    return putBack === undefined ? [] : [{ path: this.truth.path, ...putBack }];
  }

  /** The next look is like the first. */
  forget(): void {
    this.#seen = undefined;
  }
}
