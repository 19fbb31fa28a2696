import { asyncScheduler, type SchedulerLike, type Subscription } from "rxjs";
import {
  decodeKeys,
  endPause,
  isLikelyKey,
  NOTHING_BEGUN,
  type BegunInput,
} from "./decode-keys.ts";
import type { Key } from "../key.ts";

/** How long the rest of a sequence may take, also over a slow connection, before Escape alone was pressed. */
export const ESCAPE_MS = 100;
/** How long the rest of anything else that was begun may take before it is given up. */
export const SEQUENCE_MS = 1_000;

/** Reads keys from pieces of input, and finds out by a pause whether Escape was pressed or a sequence has begun. */
export class KeyReader {
  readonly #press: (keys: readonly Key[]) => void;
  readonly #scheduler: SchedulerLike;
  #begun: BegunInput = NOTHING_BEGUN;
  #pause: Subscription | undefined;

  /** @param press receives the keys that arrived together, at least one */
  constructor(press: (keys: readonly Key[]) => void, scheduler: SchedulerLike = asyncScheduler) {
    this.#press = press;
    this.#scheduler = scheduler;
  }

  read(input: string): void {
    this.#pause?.unsubscribe();
    const { keys, begun } = decodeKeys(this.#begun, input);
    this.#begun = begun;
    if (begun.rest !== "" || begun.pasted !== undefined) {
      const afterMs = isLikelyKey(begun) ? ESCAPE_MS : SEQUENCE_MS;
      this.#pause = this.#scheduler.schedule(() => this.#end(), afterMs);
    }
    if (keys.length > 0) this.#press(keys);
  }

  /** Forgets what was begun. */
  close(): void {
    this.#pause?.unsubscribe();
    this.#begun = NOTHING_BEGUN;
  }

  #end(): void {
    const keys = endPause(this.#begun);
    this.#begun = NOTHING_BEGUN;
    if (keys.length > 0) this.#press(keys);
  }
}
