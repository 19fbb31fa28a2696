import {
  asyncScheduler,
  defer,
  EMPTY,
  expand,
  from,
  fromEvent,
  lastValueFrom,
  map,
  merge,
  NEVER,
  switchMap,
  take,
  timer,
  type Observable,
  type SchedulerLike,
} from "rxjs";
import { present } from "../base/assert.ts";
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
  /** Once it is aborted nothing is tried again: an attempt under way is the last, a backoff ends. */
  readonly signal?: AbortSignal | undefined;
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
export async function pushWithRetry<T, F>(
  attempt: (number: number) => Promise<PushAttempt<T, F>>,
  options: PushRetry,
  scheduler: SchedulerLike = asyncScheduler,
): Promise<PushAttempt<T, F>> {
  const { signal } = options;
  const aborted$ = signal === undefined ? NEVER : fromEvent(signal, "abort");
  const waitedOut$ = (waitMs: number) =>
    merge(timer(waitMs, scheduler).pipe(map(() => true)), aborted$.pipe(map(() => false))).pipe(
      take(1),
    );
  const tries$ = tryOnce(attempt, 1).pipe(
    expand((tried) => {
      const isLast = tried.attempt >= options.attemptsMax || signal?.aborted === true;
      if (tried.result.kind !== "rejected" || isLast) return EMPTY;
      const waitMs = backoffMs(tried.attempt, options, options.random());
      return waitedOut$(waitMs).pipe(
        switchMap((isToTry) => (isToTry ? tryOnce(attempt, tried.attempt + 1) : EMPTY)),
      );
    }),
    map(({ result }) => result),
  );
  const last = await lastValueFrom(tries$, { defaultValue: undefined });
  return present(last, "at least one attempt is made");
}

function tryOnce<T, F>(
  attempt: (number: number) => Promise<PushAttempt<T, F>>,
  number: number,
): Observable<Tried<T, F>> {
  return defer(() => from(attempt(number))).pipe(map((result) => ({ attempt: number, result })));
}
