import { need } from "../base/fatal.ts";
import type { Files } from "../base/ports/files.ts";
import type { FoldedPrefix } from "../fs-protocol/codec/log-fold.ts";
import { PrefixDigest, sameBeginning, type Prefix } from "../fs-protocol/codec/prefix-digest.ts";
import {
  readSnapshot,
  writeSnapshot,
  type SnapshotPlace,
} from "../fs-protocol/codec/snapshot-file.ts";

/** A longer projection cannot be read; the longest is PROGRESS.txt. */
const PROJECTION_BYTES_MAX = 256 * 1024 * 1024;

/** The beginning of a journal, and of each file that holds all that follows from it. */
interface KeptComparison {
  readonly journal: FoldedPrefix<unknown>;
  readonly files: ReadonlyMap<string, Prefix>;
}

/** The journal that projections follow from. */
interface Journal {
  readonly prefix: FoldedPrefix<unknown> | undefined;
  continueFrom(prefix: FoldedPrefix<unknown>): boolean;
}

/**
 * The files that were compared with a journal, each as far as it is known to hold what follows from
 * the journal's beginning. Kept for the next process, which compares only the rest with the rest:
 * a beginning is believed only if journal and files still begin with the very same bytes.
 */
export class ComparedFiles {
  readonly #files: Files;
  readonly #place: SnapshotPlace | undefined;
  /** What is known to hold all that follows from the beginning of the journal. */
  #known = new Map<string, PrefixDigest>();
  /** What was compared and lacked nothing. */
  readonly #whole = new Map<string, PrefixDigest>();
  #keptBytes = 0;

  constructor(files: Files, place: SnapshotPlace | undefined) {
    this.#files = files;
    this.#place = place;
  }

  /** Continues the kept comparison, if every file of it is unchanged. Returns the paths of these files. */
  continueWith(journal: Journal): readonly string[] {
    const kept = this.#place && readSnapshot(this.#files, this.#place);
    if (!isKept(kept)) return [];
    const known = new Map<string, PrefixDigest>();
    for (const [path, prefix] of kept.files) {
      const digest = sameBeginning(this.#files, path, prefix);
      if (digest === undefined) return [];
      known.set(path, digest);
    }
    if (!journal.continueFrom(kept.journal)) return [];
    this.#known = known;
    this.#keptBytes = kept.journal.sizeBytes;
    return [...known.keys()];
  }

  /** Forgets what is known: the files are compared with the whole journal again. */
  forget(): void {
    this.#known.clear();
    this.#whole.clear();
  }

  /** Compares the part of a file that is not known with `missing`, which says what that part lacks. */
  compare<T>(path: string, missing: (text: string) => readonly T[]): readonly T[] {
    const known = this.#known.get(path) ?? new PrefixDigest();
    const bytes = this.#readFrom(path, known.sizeBytes);
    const found = missing(new TextDecoder().decode(bytes));
    this.#whole.delete(path);
    if (found.length === 0) {
      const whole = known.copy();
      whole.push(bytes);
      this.#whole.set(path, whole);
    }
    return found;
  }

  #readFrom(path: string, from: number): Uint8Array {
    if (from === 0) return need(this.#files.read(path, PROJECTION_BYTES_MAX)) ?? new Uint8Array();
    const size = this.#files.stat(path)?.sizeBytes ?? 0;
    return need(this.#files.readChunk(path, from, Math.max(0, size - from)));
  }

  /**
   * Keeps the comparison of these files with the journal, if none of them lacked anything and the
   * journal has grown enough.
   */
  keep({ prefix }: Journal, paths: Iterable<string>): void {
    const { sizeBytes = 0 } = prefix ?? {};
    if (this.#place === undefined || prefix === undefined) return;
    if (sizeBytes - this.#keptBytes < this.#place.worthBytes) return;
    const files = new Map([...this.#known].map(([path, digest]) => [path, prefixOf(digest)]));
    for (const path of paths) {
      const whole = this.#whole.get(path);
      if (whole === undefined) return;
      files.set(path, prefixOf(whole));
    }
    const kept: KeptComparison = { journal: prefix, files };
    writeSnapshot(this.#files, this.#place, kept);
    this.#keptBytes = sizeBytes;
  }
}

function prefixOf({ sizeBytes, value: sha256 }: PrefixDigest): Prefix {
  return { sizeBytes, sha256 };
}

/** Nothing else is written under this key. */
function isKept(value: unknown): value is KeptComparison {
  return typeof value === "object" && value !== null && "journal" in value && "files" in value;
}
