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
 * Hints that something may have changed, made safe to rely on.
 *
 * ```
 * watcher  -a-------------b--|
 * hints    -a-----a-------b-----b   each again after TRAILING_READ_MS, and a periodic sweep
 * ```
 *
 * chokidar reports nothing about a file for 50 ms after an event, not even the last change of a burst. So each hint is
 * emitted immediately, for low latency, and again after that silence, for the end of the burst. The sweep alone
 * ensures correctness; after a hint that others may be missing, it comes more often.
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

function againAfterSilence(scheduler: SchedulerLike) {
  // concatMap would delay the next hint by the silence, and switchMap would drop the end of a burst.
  return mergeMap((hint: WatchHint) =>
    concat(of(hint), timer(TRAILING_READ_MS, scheduler).pipe(map(() => hint))),
  );
}
