import { concat, merge, mergeMap, of, timer, type Observable, type SchedulerLike } from "rxjs";
import { asyncScheduler, interval, map } from "rxjs";
import { SWEEP_MS, TRAILING_READ_MS } from "../base/limits.ts";
import type { Watcher, WatchHint } from "../base/watcher.ts";

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
 * alone is enough for correctness.
 */
export function watchHints(
  watcher: Watcher,
  directories: readonly string[],
  scheduler: SchedulerLike = asyncScheduler,
): Observable<WatchHint> {
  // One for each directory: readers of single files pass over hints about other directories.
  const sweep$ = interval(SWEEP_MS, scheduler).pipe(
    mergeMap(() => directories.map((path) => ({ path }))),
  );
  return merge(watcher.watch(directories).pipe(againAfterSilence(scheduler)), sweep$);
}

function againAfterSilence(scheduler: SchedulerLike) {
  // mergeMap: concatMap would hold the next hint back for the silence, switchMap would drop a tail.
  return mergeMap((hint: WatchHint) =>
    concat(of(hint), timer(TRAILING_READ_MS, scheduler).pipe(map(() => hint))),
  );
}
