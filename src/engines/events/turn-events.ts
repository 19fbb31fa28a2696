import { Observable } from "rxjs";
import type { Engine, TurnOutcome, TurnRequest } from "../engine.ts";
import type { EngineEvent } from "./engine-event.ts";

/** An item in the stream of a turn: an event as it happens or, last, the outcome. */
export type TurnEvent =
  | { readonly kind: "event"; readonly event: EngineEvent }
  | { readonly kind: "outcome"; readonly outcome: TurnOutcome };

/**
 * A turn as a stream, which begins on subscription and stops when unsubscribed. It only fails because of bugs in wisp.
 *
 * ```
 * e--e-ee---e--o|     e event, o outcome
 * ```
 */
export function turnEvents(engine: Engine, request: TurnRequest): Observable<TurnEvent> {
  return new Observable((subscriber) => {
    const unsubscribed = new AbortController();
    const onEvent = (event: EngineEvent) => {
      subscriber.next({ kind: "event", event });
    };
    const signal = AbortSignal.any([request.signal, unsubscribed.signal]);
    engine.turn({ ...request, signal, onEvent }).then(
      (outcome) => {
        subscriber.next({ kind: "outcome", outcome });
        subscriber.complete();
      },
      (bug: unknown) => {
        subscriber.error(bug);
      },
    );
    return () => {
      unsubscribed.abort();
    };
  });
}
