import type { Observable } from "rxjs";

/** A hint that something below the directory changed. It carries no data: the file is the truth. */
export interface WatchHint {
  /** The absolute path that the hint is about; the directory itself if all of it must be checked. */
  readonly path: string;
  /** Why hints may be missing from now on, such as `EMFILE`. */
  readonly lost?: string | undefined;
}

/** Watching as a port. */
export interface Watcher {
  /**
   * Hints about files directly in `directories` (not recursive). Emits one hint per directory when it is ready to
   * see changes. If the native watcher fails, continues without it and emits a hint with `lost`.
   */
  watch(directories: readonly string[]): Observable<WatchHint>;
}
