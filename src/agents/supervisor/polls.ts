import {
  asyncScheduler,
  interval,
  map,
  merge,
  share,
  startWith,
  switchMap,
  takeWhile,
  type Observable,
  type SchedulerLike,
} from "rxjs";

/** How many polls there is one of while there is nothing to poll for. */
export const POLLS_AT_REST = 10;

/**
 * The moments at which to look for what gives no hint. At rest they are rare, so that a supervisor whose roles are all
 * its own children is hardly ever woken.
 *
 * ```
 * lease   -------l--------------
 * polls   --r----ppppp--r-----r-     p while there is something to poll for, r at rest
 * ```
 *
 * @param supervisor.hasToPoll asked before each poll
 * @param lease$ emits when leases may have changed hands
 */
export function polls(
  supervisor: { readonly hasToPoll: boolean },
  { pollMs }: { readonly pollMs: number },
  lease$: Observable<unknown>,
  scheduler: SchedulerLike = asyncScheduler,
): Observable<unknown> {
  const rest$ = interval(POLLS_AT_REST * pollMs, scheduler).pipe(share());
  const poll$ = merge(lease$, rest$).pipe(
    startWith(undefined),
    switchMap(() =>
      interval(pollMs, scheduler).pipe(
        map(() => supervisor.hasToPoll),
        takeWhile((hasToPoll) => hasToPoll),
      ),
    ),
  );
  return merge(rest$, poll$);
}
