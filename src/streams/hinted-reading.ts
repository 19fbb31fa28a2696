import { tap, type Observable } from "rxjs";

/** Two ways to bring a state up to date with the files. */
export interface Readings<T> {
  /** Reads only the files that were hinted at. */
  readonly readOn: () => Promise<T>;
  /** Checks every file. */
  readonly readAll: () => Promise<T>;
}

/** A reader that relies on hints only for the next read. */
export interface HintedReading<T> {
  /** The hints; subscribe to them to know when to read again. */
  readonly hint$: Observable<unknown>;
  /** Reads the hinted files or, if there was no hint, every file. */
  readonly read: () => Promise<T>;
  /** Makes the next read check every file, because time has passed in between. */
  readonly checkAllNext: () => void;
}

/**
 * Reads only the hinted files after a hint, and every file otherwise: the first time, after a step, and when a read
 * was due by time alone. So a lost hint delays none of those decisions.
 */
export function hintedReading<T>(
  { readOn, readAll }: Readings<T>,
  hint$: Observable<unknown>,
): HintedReading<T> {
  let [isHinted, mustReadAll] = [false, true];
  return {
    hint$: hint$.pipe(tap(() => (isHinted = true))),
    read() {
      const isHintEnough = isHinted && !mustReadAll;
      [isHinted, mustReadAll] = [false, false];
      return isHintEnough ? readOn() : readAll();
    },
    checkAllNext() {
      mustReadAll = true;
    },
  };
}
