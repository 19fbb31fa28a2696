import type { Files, FileStat } from "../../base/ports/files.ts";
import type { Restoration, Restored } from "./restored-record.ts";

/** What a file of a home has to hold: how that is known, and how the file is made to hold it again. */
export interface ExpectedContent {
  readonly path: string;
  /** Compares the two, and puts the file back; how it was found, if it was put back. */
  readonly open: () => Restoration | undefined;
}

/** A file of a home, beside what it has to hold: compared only after something was done to it. */
export class ProtectedFile<T extends ExpectedContent = ExpectedContent> {
  readonly expected: T;
  readonly #files: Pick<Files, "stat">;
  #checked: { readonly stat: FileStat | undefined } | undefined;

  constructor(files: Pick<Files, "stat">, expected: T) {
    this.#files = files;
    this.expected = expected;
  }

  /** Whether it was compared at all. */
  get isChecked(): boolean {
    return this.#checked !== undefined;
  }

  /** Whether nothing was done to it since it was seen to hold what it has to, by its size, inode and time. */
  get isUntouched(): boolean {
    if (this.#checked === undefined) return false;
    const was = this.#checked.stat;
    const now = this.stat();
    const isSameFile = was?.inode === now?.inode && was?.sizeBytes === now?.sizeBytes;
    return isSameFile && was?.changedMs === now?.changedMs;
  }

  stat(): FileStat | undefined {
    return this.#files.stat(this.expected.path);
  }

  /** It holds what it has to, as it was right before it was compared, or is after it was put back. */
  markIntact(stat: FileStat | undefined): void {
    this.#checked = { stat };
  }

  /** After it was compared; what is to be put on record of that. */
  afterCheck(restore: Restoration | undefined): readonly Restored[] {
    this.markIntact(this.stat());
    return restore === undefined ? [] : [{ path: this.expected.path, ...restore }];
  }

  /** The next look is like the first. */
  forget(): void {
    this.#checked = undefined;
  }
}
