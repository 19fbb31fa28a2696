import type { Files, FileStat } from "../base/ports/files.ts";
import type { Restoration, Restored } from "./restored-record.ts";

/** The expected content of a file of a home, and the means to restore it. */
export interface ExpectedContent {
  readonly path: string;
  /** Compares the file with it and restores the file if they differ. Returns how it was damaged if it was restored. */
  readonly open: () => Restoration | undefined;
}

/** A file of a home and its expected content. The two are compared only after the file was changed. */
export class ProtectedFile<T extends ExpectedContent = ExpectedContent> {
  readonly expected: T;
  readonly #files: Pick<Files, "stat">;
  #checked: { readonly stat: FileStat | undefined } | undefined;

  constructor(files: Pick<Files, "stat">, expected: T) {
    this.#files = files;
    this.expected = expected;
  }

  /** Whether the file was ever compared. */
  get isChecked(): boolean {
    return this.#checked !== undefined;
  }

  /** Whether size, inode and time are still those of the file when its content was known to be right. */
  get isUntouched(): boolean {
    if (this.#checked === undefined) return false;
    const was = this.#checked.stat;
    const now = this.stat();
    const isSameFile = was?.inode === now?.inode && was?.sizeBytes === now?.sizeBytes;
    return isSameFile && was?.changedMs === now?.changedMs;
  }

  /** Whether the same file has only become longer since, as far as can be told without reading it. */
  get isLonger(): boolean {
    const [was, now] = [this.#checked?.stat, this.stat()];
    return was !== undefined && was.inode === now?.inode && now.sizeBytes > was.sizeBytes;
  }

  stat(): FileStat | undefined {
    return this.#files.stat(this.expected.path);
  }

  /** Notes that the content was right. `stat`: from right before a comparison, or from after a restoration. */
  markIntact(stat: FileStat | undefined): void {
    this.#checked = { stat };
  }

  /** To be called after a comparison. Returns what to record about a restoration. */
  afterCheck(restoration: Restoration | undefined): readonly Restored[] {
    this.markIntact(this.stat());
    return restoration === undefined ? [] : [{ path: this.expected.path, ...restoration }];
  }

  /** The next check starts over like the first. */
  forget(): void {
    this.#checked = undefined;
  }
}
