import {
  asyncScheduler,
  BehaviorSubject,
  concat,
  concatMap,
  connect,
  defer,
  filter,
  finalize,
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
import { traced, tracing, type SpanOf } from "../base/ports/trace.ts";
import type { Exit, Wait } from "../session/steps/step.ts";

/** The longest wait without a new decision, because timers have a maximum delay. */
const WAIT_MS_MAX = 60 * 60 * 1000;

const DECIDE: SpanOf = { category: "read", name: "decide" };

interface Step {
  readonly kind: string;
}

/** What the coordinator needs from a role. `Work` covers all steps other than waiting and exiting. */
export interface CoordinatorOptions<Work extends Step> {
  /** Emits when a file may have changed, or when a new decision is requested; the values are ignored. */
  readonly hint$: Observable<unknown>;
  /** Reads what may have changed, and decides. */
  readonly decide: () => Promise<Work | Wait | Exit>;
  /** Carries out one step to its end, including its records. */
  readonly perform: (work: Work) => Promise<void>;
  readonly nowMs: () => number;
  readonly scheduler?: SchedulerLike | undefined;
}

/**
 * The stream that every role subscribes to: it decides and acts repeatedly, until there is nothing left to do. It
 * emits each wait and exit when it is decided, and each piece of work when it is done.
 *
 * ```
 * hint     --h---hh--------h----
 * emitted  w--------s-w------sx|     w wait, s work done, x exit
 * ```
 *
 * It makes one decision at a time. Hints are counted, never queued. The count is noted before the files are read,
 * and a wait ends as soon as the count differs, so that no wake-up is lost between reading and waiting, however long
 * the reading took.
 */
export function coordinator<Work extends Step>(
  options: CoordinatorOptions<Work>,
): Observable<Work | Wait | Exit> {
  // If the source of hints ends, the loop continues on time alone.
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
      defer(() => from(traced(DECIDE, options.decide))).pipe(
        concatMap((step) => act(step, count$.pipe(filter((count) => count !== noted)), options)),
      ),
    ),
  );
  return round$.pipe(
    // A sweep emits one hint per directory at once; together they cause a single new decision.
    repeat({ delay: () => from(Promise.resolve()) }),
    takeWhile((step) => isWork(step) || step.kind !== "exit", true),
  );
}

function act<Work extends Step>(
  step: Work | Wait | Exit,
  woken$: Observable<number>,
  options: CoordinatorOptions<Work>,
): Observable<Work | Wait | Exit> {
  if (isWork(step)) return from(performed(step, options)).pipe(map(() => step));
  if (step.kind === "exit") return of(step);
  const { scheduler = asyncScheduler, nowMs } = options;
  const lateMs = Math.min(Math.max(0, (step.untilMs ?? Infinity) - nowMs()), WAIT_MS_MAX);
  const late$ = timer(lateMs, scheduler);
  const wake$ = merge(woken$, late$).pipe(take(1), ignoreElements());
  const waiting = tracing()?.begin({ category: "wait", name: step.reason.kind });
  if (waiting === undefined) return concat(of(step), wake$);
  return concat(of(step), wake$).pipe(finalize(() => waiting.end()));
}

function performed<Work extends Step>(
  step: Work,
  { perform }: CoordinatorOptions<Work>,
): Promise<void> {
  const trace = tracing();
  if (trace === undefined) return perform(step);
  return trace.span({ category: "step", name: step.kind }, () => perform(step));
}

function isWork<Work extends Step>(step: Work | Wait | Exit): step is Work {
  return step.kind !== "wait" && step.kind !== "exit";
}
