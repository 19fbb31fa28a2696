import { Observable } from "rxjs";
import type { Engine, TurnOutcome, TurnRequest } from "../engine.ts";
import type { EngineEvent } from "./engine-event.ts";

/** What a turn tells: what happens in it, as it happens, and last how it ended. */
export type TurnEvent =
  | { readonly kind: "event"; readonly event: EngineEvent }
  | { readonly kind: "outcome"; readonly outcome: TurnOutcome };

/**
 * A turn as a stream, begun when it is subscribed to. Whoever unsubscribes stops it; it never fails but
 * by our own mistakes.
 *
 * ```
 * e--e-ee---e--o|     e event, o outcome
 * ```
 */
export function turnEvents(engine: Engine, request: TurnRequest): Observable<TurnEvent> {
  return new Observable((subscriber) => {
    const left = new AbortController();
    const onEvent = (event: EngineEvent) => {
      subscriber.next({ kind: "event", event });
    };
    const signal = AbortSignal.any([request.signal, left.signal]);
    engine.turn({ ...request, signal, onEvent }).then(
      (outcome) => {
        subscriber.next({ kind: "outcome", outcome });
        subscriber.complete();
      },
      (mistake: unknown) => {
        subscriber.error(mistake);
      },
    );
    return () => {
      left.abort();
    };
  });
}
