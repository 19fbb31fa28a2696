import { VirtualTimeScheduler } from "rxjs";

/**
 * Time for streams that also await promises: the scheduler runs one instant at a time, and between two
 * of them all resolved promises are processed. (`TestScheduler.run` flushes all actions in one turn of
 * the event loop, in which no promise is ever resolved.)
 */
export class VirtualTime {
  readonly scheduler = new VirtualTimeScheduler();

  get nowMs(): number {
    return this.scheduler.frame;
  }

  /** Runs everything that is due up to and including `ms`, and sets the time to `ms`. */
  async advanceTo(ms: number): Promise<void> {
    await settle();
    for (let due = this.#nextDue(); due !== undefined && due <= ms; due = this.#nextDue()) {
      this.scheduler.maxFrames = due;
      this.scheduler.flush();
      await settle();
    }
    this.scheduler.frame = ms;
    this.scheduler.maxFrames = ms;
  }

  #nextDue(): number | undefined {
    return this.scheduler.actions.map(({ delay }) => delay).sort((one, other) => one - other)[0];
  }
}

/** Resolves when all promises that can be resolved have been processed. */
export function settle(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
