import { defer, EMPTY, expand, from, lastValueFrom, map, of, switchMap, timer } from "rxjs";
import type { Observable, SchedulerLike } from "rxjs";
import { asyncScheduler } from "rxjs";
import { backoffMs, type Backoff } from "./retry.ts";

/** What one attempt to publish came to. `rejected`: somebody else published first, worth another try. */
export type PushAttempt<T, F> =
  | { readonly kind: "published"; readonly value: T }
  | { readonly kind: "rejected"; readonly failure: F }
  | { readonly kind: "failed"; readonly failure: F };

/** How often and how patiently. */
export interface PushRetry extends Backoff {
  readonly attemptsMax: number;
  readonly random: () => number;
}

interface Tried<T, F> {
  readonly attempt: number;
  readonly result: PushAttempt<T, F>;
}

/**
 * Publishes with retry (seed 003, D): an attempt is rebase, then publish, given by the caller; a
 * rejected one is tried again after a backoff; nothing is ever forced. The last result is returned.
 *
 * ```
 * attempts  r--r----p|      r rejected, p published, the gaps grow
 * ```
 */
export function pushWithRetry<T, F>(
  attempt: (number: number) => Promise<PushAttempt<T, F>>,
  options: PushRetry,
  scheduler: SchedulerLike = asyncScheduler,
): Promise<PushAttempt<T, F>> {
  const first$ = of<Tried<T, F> | undefined>(undefined);
  const tries$ = first$.pipe(
    switchMap(() => tryOnce(attempt, 1)),
    expand((tried) => {
      const isLast = tried.attempt >= options.attemptsMax;
      if (tried.result.kind !== "rejected" || isLast) return EMPTY;
      const waitMs = backoffMs(tried.attempt, options, options.random());
      return timer(waitMs, scheduler).pipe(switchMap(() => tryOnce(attempt, tried.attempt + 1)));
    }),
    map(({ result }) => result),
  );
  return lastValueFrom(tries$);
}

function tryOnce<T, F>(
  attempt: (number: number) => Promise<PushAttempt<T, F>>,
  number: number,
): Observable<Tried<T, F>> {
  return defer(() => from(attempt(number))).pipe(map((result) => ({ attempt: number, result })));
}
