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

/**
 * The result of one attempt to publish. `rejected` means that another role published first, so a retry is
 * worthwhile.
 */
export type PushAttempt<T, F> =
  | { readonly kind: "published"; readonly value: T }
  | { readonly kind: "rejected"; readonly failure: F }
  | { readonly kind: "failed"; readonly failure: F };

/** The number of attempts and the delays between them. */
export interface PushRetry extends Backoff {
  readonly attemptsMax: number;
  readonly random: () => number;
  /** When it aborts, there are no further attempts: one in progress is the last, and a delay ends at once. */
  readonly signal?: AbortSignal | undefined;
}

interface Tried<T, F> {
  readonly attempt: number;
  readonly result: PushAttempt<T, F>;
}

/**
 * Publishes with retries (seed 003, D). An attempt, provided by the caller, is a rebase and then a publish. A rejected
 * attempt is repeated after a delay; nothing is ever forced. Returns the last result.
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
  const delayed$ = (waitMs: number) =>
    merge(timer(waitMs, scheduler).pipe(map(() => true)), aborted$.pipe(map(() => false))).pipe(
      take(1),
    );
  const tries$ = tryOnce(attempt, 1).pipe(
    expand((tried) => {
      const isLast = tried.attempt >= options.attemptsMax || signal?.aborted === true;
      if (tried.result.kind !== "rejected" || isLast) return EMPTY;
      const waitMs = backoffMs(tried.attempt, options, options.random());
      return delayed$(waitMs).pipe(
        switchMap((isElapsed) => (isElapsed ? tryOnce(attempt, tried.attempt + 1) : EMPTY)),
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
