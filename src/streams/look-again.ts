import {
  asyncScheduler,
  map,
  merge,
  mergeMap,
  of,
  timer,
  type MonoTypeOperatorFunction,
  type SchedulerLike,
} from "rxjs";
import type { WatchHint } from "../base/ports/watcher.ts";

/** When a look is repeated after a hint: usually the first one is enough, on a busy machine the second. */
export const LOOKS_AGAIN_MS: readonly number[] = [20, 250];

/**
 * All hints, and those about a directory of leases again a moment later: the kernel frees a lease when its holder closes
 * a file, which is no event; the last event before that is the removal of the holder's record.
 *
 * ```
 * hint    -l----------o---     l about a lease, o about something else
 * looks   -l-l----l---o---
 * ```
 */
export function lookAgain(
  leases: string,
  scheduler: SchedulerLike = asyncScheduler,
): MonoTypeOperatorFunction<WatchHint> {
  return mergeMap((hint) => {
    if (!hint.path.startsWith(leases)) return of(hint);
    const again = LOOKS_AGAIN_MS.map((ms) => timer(ms, scheduler).pipe(map(() => hint)));
    return merge(of(hint), ...again);
  });
}
