import {
  asyncScheduler,
  concat,
  connect,
  filter,
  interval,
  map,
  merge,
  mergeMap,
  of,
  startWith,
  switchMap,
  take,
  timer,
  type Observable,
  type SchedulerLike,
} from "rxjs";
import { POLL_MS, SWEEP_MS, TRAILING_READ_MS } from "../base/limits.ts";
import type { Watcher, WatchHint } from "../base/ports/watcher.ts";

/**
 * Hints that something may have changed, made safe to act on.
 *
 * ```
 * watcher  -a-------------b--|
 * hints    -a-----a-------b-----b   each again TRAILING_READ_MS later, and a sweep now and then
 * ```
 *
 * chokidar says nothing for 50 ms after an event of a file, also of the last change of a burst; so
 * each hint is given at once, for latency, and once more after that silence, for the tail. The sweep
 * alone is enough for correctness; from a hint on that says that others may be missing, it comes more often.
 */
export function watchHints(
  watcher: Watcher,
  directories: readonly string[],
  scheduler: SchedulerLike = asyncScheduler,
): Observable<WatchHint> {
  return watcher.watch(directories).pipe(
    connect((hint$) =>
      merge(
        hint$.pipe(againAfterSilence(scheduler)),
        hint$.pipe(
          sweepPeriod(),
          switchMap((periodMs) => interval(periodMs, scheduler)),
          // One for each directory: readers of single files pass over hints about other directories.
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

function againAfterSilence(scheduler: SchedulerLike) {
  // mergeMap: concatMap would hold the next hint back for the silence, switchMap would drop a tail.
  return mergeMap((hint: WatchHint) =>
    concat(of(hint), timer(TRAILING_READ_MS, scheduler).pipe(map(() => hint))),
  );
}
