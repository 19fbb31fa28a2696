import {
  asyncScheduler,
  connect,
  filter,
  interval,
  map,
  merge,
  mergeMap,
  startWith,
  switchMap,
  take,
  type Observable,
  type SchedulerLike,
} from "rxjs";
import { POLL_MS, SWEEP_MS } from "../base/limits.ts";
import type { Watcher, WatchHint } from "../base/ports/watcher.ts";

/**
 * Hints that something may have changed, made safe to rely on.
 *
 * ```
 * watcher  -a-------------b--|
 * hints    -a-----l-------b---l   those of the watcher, and a periodic sweep
 * ```
 *
 * The sweep alone ensures correctness; after a hint that others may be missing, it comes more often.
 */
export function watchHints(
  watcher: Watcher,
  directories: readonly string[],
  scheduler: SchedulerLike = asyncScheduler,
): Observable<WatchHint> {
  return watcher.watch(directories).pipe(
    connect((hint$) =>
      merge(
        hint$,
        hint$.pipe(
          sweepPeriod(),
          switchMap((periodMs) => interval(periodMs, scheduler)),
          // One hint per directory: readers of single files ignore hints about other directories.
          mergeMap(() => directories.map((path) => ({ path }))),
        ),
      ),
    ),
  );
}

function sweepPeriod() {
  return (hint$: Observable<WatchHint>) =>
    hint$.pipe(
      filter(({ lost }) => lost !== undefined),
      take(1),
      map(() => POLL_MS),
      startWith(SWEEP_MS),
    );
}
