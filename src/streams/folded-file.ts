import { filter, map, startWith, tap, type Observable } from "rxjs";
import type { FileFailure } from "../base/ports/files.ts";
import type { WatchHint } from "../base/ports/watcher.ts";
import type { Result } from "../base/result.ts";

/** A file whose changes are of interest. */
export interface WatchedFile {
  readonly path: string;
  /** Called with each change, so that the next read checks the file. */
  touch?(): void;
}

/** A file that is folded incrementally. */
export interface FoldedFile<F> extends WatchedFile {
  touch(): void;
  /** Folds what was appended since, if the file was touched. */
  readOn(): Result<F, FileFailure>;
}

/**
 * Hints that may concern one file: about the file, or about a directory above it, as sweeps emit them. Each touches
 * the file. Hints about other files are dropped.
 *
 * ```
 * hint     --f--o--d---     f the file, o another one, d its directory
 * changes  --f-----d---
 * ```
 */
export function changesOf(file: WatchedFile, hint$: Observable<WatchHint>): Observable<WatchHint> {
  return hint$.pipe(
    filter(({ path }) => path === file.path || file.path.startsWith(`${path}/`)),
    tap(() => file.touch?.()),
  );
}

/** Hints that may concern any of these files, for a caller that reads the touched ones when it is ready. */
export function changesOfAny(
  files: readonly WatchedFile[],
  hint$: Observable<WatchHint>,
): Observable<WatchHint> {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const concerned = ({ path }: WatchHint) => {
    const file = byPath.get(path);
    return file ? [file] : files.filter((each) => each.path.startsWith(`${path}/`));
  };
  return hint$.pipe(
    filter((hint) => {
      const touched = concerned(hint);
      for (const file of touched) file.touch?.();
      return touched.length > 0;
    }),
  );
}

/**
 * The fold of one file: its current state, then again after each change.
 *
 * ```
 * hint   --f--o--d---
 * folds  x-x-----x---
 * ```
 */
export function foldsOf<F>(
  file: FoldedFile<F>,
  hint$: Observable<WatchHint>,
): Observable<Result<F, FileFailure>> {
  return changesOf(file, hint$).pipe(
    startWith(undefined),
    map(() => file.readOn()),
  );
}
