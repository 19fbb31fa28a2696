import type { SessionState } from "../../session/state/session-state.ts";
import { holdOnAll } from "./session-facts.ts";

/**
 * Asks the other sessions of a fleet for what they did not use, once each time that a session's budget is used up. A
 * supervisor that waits for a person does so while it goes on; one that ends is followed by the same question.
 */
export class BudgetCall {
  readonly #ask: (() => Promise<void>) | undefined;
  #asked: string | undefined;
  #asking = Promise.resolve();

  /** @param ask undefined if the session is in no fleet */
  constructor(ask: (() => Promise<void>) | undefined) {
    this.#ask = ask;
  }

  /** Begins to ask if the budget of the session holds every role up, without waiting for an answer. */
  look(state: SessionState, nowMs: number): void {
    const ask = this.#ask;
    if (ask === undefined) return;
    const hold = holdOnAll(state, nowMs);
    const isHeld = hold?.kind === "budget" && hold.milestone === undefined;
    const about = isHeld ? `${hold.of} ${String(hold.allowed)}` : undefined;
    const isNew = about !== undefined && about !== this.#asked;
    this.#asked = about;
    if (isNew) this.#asking = this.#asking.then(ask);
  }

  /** Resolves when nothing is being asked any more. */
  settled(): Promise<void> {
    return this.#asking;
  }
}
