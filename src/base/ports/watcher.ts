import type { Observable } from "rxjs";

/** A hint that something below the directory changed. Never data: the file is the truth. */
export interface WatchHint {
  /** Absolute path the hint is about; the directory itself when the whole must be looked at. */
  readonly path: string;
  /** Why hints may be missing from now on, such as `EMFILE`. */
  readonly lost?: string | undefined;
}

/** Watching as a port. */
export interface Watcher {
  /**
   * Hints about files directly in `directories` (not recursive). Emits one hint per directory when it
   * is ready to see changes, and goes on without the native watcher when that fails (`polling`).
   */
  watch(directories: readonly string[]): Observable<WatchHint>;
}
