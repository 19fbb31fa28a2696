import { tap, type Observable } from "rxjs";

/** Two ways to bring a state up to the files. */
export interface Readings<T> {
  /** Reads on what hints were about. */
  readonly readOn: () => Promise<T>;
  /** Asks every file. */
  readonly readAll: () => Promise<T>;
}

/** A reader that trusts hints for no longer than from one look to the next. */
export interface HintedReading<T> {
  /** The hints, to be subscribed to by whoever looks again for them. */
  readonly hint$: Observable<unknown>;
  /** A look: at what was hinted, or, for lack of a hint, at everything. */
  readonly read: () => Promise<T>;
  /** The next look is at everything: what was done meanwhile took its time. */
  readonly doubt: () => void;
}

/**
 * Reads on where a hint says that there is something, and everything where nothing says so: at first, after a step,
 * and when a look was due by time alone. So a hint that was lost delays nothing that is decided then.
 */
export function hintedReading<T>(
  { readOn, readAll }: Readings<T>,
  hint$: Observable<unknown>,
): HintedReading<T> {
  let [isHinted, isDoubted] = [false, true];
  return {
    hint$: hint$.pipe(tap(() => (isHinted = true))),
    read() {
      const isHintEnough = isHinted && !isDoubted;
      [isHinted, isDoubted] = [false, false];
      return isHintEnough ? readOn() : readAll();
    },
    doubt() {
      isDoubted = true;
    },
  };
}
