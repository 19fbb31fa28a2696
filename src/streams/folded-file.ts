import { connect, filter, map, merge, startWith, tap, type Observable } from "rxjs";
import type { FileFailure } from "../base/ports/files.ts";
import type { WatchHint } from "../base/ports/watcher.ts";
import type { Result } from "../base/result.ts";

/** A file that somebody depends on. */
export interface WatchedFile {
  readonly path: string;
  /** Called with each change: whoever reads the file next looks at it. */
  touch?(): void;
}

/** A file that is folded, as far as it was read. */
export interface FoldedFile<F> extends WatchedFile {
  touch(): void;
  /** Reads on, if the file was touched. */
  readOn(): Result<F, FileFailure>;
}

/**
 * What may have changed one file: hints about it, and about a directory that it lies in, as each sweep
 * gives them. Each touches the file. A hint about another file does nothing to it.
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

/** What may have changed any of these files, for whoever reads those that were touched when it is ready to. */
export function changesOfAny(
  files: readonly WatchedFile[],
  hint$: Observable<WatchHint>,
): Observable<WatchHint> {
  return hint$.pipe(connect((each$) => merge(...files.map((file) => changesOf(file, each$)))));
}

/**
 * One file as it is folded: now, and read on with each change.
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
