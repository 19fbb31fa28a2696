import {
  asyncScheduler,
  BehaviorSubject,
  concat,
  concatMap,
  connect,
  defer,
  filter,
  from,
  ignoreElements,
  map,
  merge,
  NEVER,
  of,
  repeat,
  scan,
  switchMap,
  take,
  takeWhile,
  timer,
  type Observable,
  type SchedulerLike,
} from "rxjs";
import type { Exit, Wait } from "../session/steps/step.ts";

/** No wait is longer than this without a fresh look: a timer's delay has a limit of its own. */
const WAIT_MS_MAX = 60 * 60 * 1000;

interface Step {
  readonly kind: string;
}

/** What the coordinator needs of a role. `Work`: the steps that are neither a wait nor the end. */
export interface CoordinatorOptions<Work extends Step> {
  /** Anything that may have changed a file, or asks for a fresh look; what it carries is not looked at. */
  readonly hint$: Observable<unknown>;
  /** Reads on what may have changed, and decides. */
  readonly decide: () => Promise<Work | Wait | Exit>;
  /** Does one step to its end, records included. */
  readonly perform: (work: Work) => Promise<void>;
  readonly nowMs: () => number;
  readonly scheduler?: SchedulerLike | undefined;
}

/**
 * The stream that every role subscribes to: look, decide, do, and again, until nothing is left to
 * do. Emits each wait and exit as it is decided and each piece of work when it is done.
 *
 * ```
 * hint     --h---hh--------h----
 * emitted  w--------s-w------sx|     w wait, s work done, x exit
 * ```
 *
 * One decision at a time. Hints are counted, never queued; the count is noted before the files are
 * read, and a wait is over as soon as the count is another: so no wake-up is lost between reading
 * and waiting, however long the reading took.
 */
export function coordinator<Work extends Step>(
  options: CoordinatorOptions<Work>,
): Observable<Work | Wait | Exit> {
  // Without hints it goes on by time alone: a source that ends ends nothing here.
  return concat(options.hint$, NEVER).pipe(
    scan((count) => count + 1, 0),
    connect((count$) => rounds(count$, options), { connector: () => new BehaviorSubject(0) }),
  );
}

function rounds<Work extends Step>(
  count$: Observable<number>,
  options: CoordinatorOptions<Work>,
): Observable<Work | Wait | Exit> {
  const round$ = count$.pipe(
    take(1),
    switchMap((noted) =>
      defer(() => from(options.decide())).pipe(
        concatMap((step) => act(step, count$.pipe(filter((count) => count !== noted)), options)),
      ),
    ),
  );
  return round$.pipe(
    // A sweep is a hint for each directory, all in one go: they are one reason to look.
    repeat({ delay: () => from(Promise.resolve()) }),
    takeWhile((step) => isWork(step) || step.kind !== "exit", true),
  );
}

function act<Work extends Step>(
  step: Work | Wait | Exit,
  woken$: Observable<number>,
  options: CoordinatorOptions<Work>,
): Observable<Work | Wait | Exit> {
  if (isWork(step)) return from(options.perform(step)).pipe(map(() => step));
  if (step.kind === "exit") return of(step);
  const { scheduler = asyncScheduler, nowMs } = options;
  const lateMs = Math.min(Math.max(0, (step.untilMs ?? Infinity) - nowMs()), WAIT_MS_MAX);
  const late$ = timer(lateMs, scheduler);
  return concat(of(step), merge(woken$, late$).pipe(take(1), ignoreElements()));
}

function isWork<Work extends Step>(step: Work | Wait | Exit): step is Work {
  return step.kind !== "wait" && step.kind !== "exit";
}
