import type { Clock } from "../../src/base/ports/clock.ts";
import { settle } from "./virtual-time.ts";

/** Time that passes only when the test says so. */
export class SteppedClock implements Clock {
  #nowMs = 1_000_000;
  readonly #sleepers = new Set<{ readonly atMs: number; readonly wake: () => void }>();

  nowMs(): number {
    return this.#nowMs;
  }

  sleep(durationMs: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted === true) return Promise.resolve();
    return new Promise((resolve) => {
      const sleeper = {
        atMs: this.#nowMs + durationMs,
        wake: () => {
          this.#sleepers.delete(sleeper);
          signal?.removeEventListener("abort", sleeper.wake);
          resolve();
        },
      };
      this.#sleepers.add(sleeper);
      signal?.addEventListener("abort", sleeper.wake, { once: true });
    });
  }

  async pass(durationMs: number): Promise<void> {
    const endMs = this.#nowMs + durationMs;
    await settle();
    for (;;) {
      const due = [...this.#sleepers].filter(({ atMs }) => atMs <= endMs);
      const [next] = due.sort((one, other) => one.atMs - other.atMs);
      if (next === undefined) break;
      this.#nowMs = next.atMs;
      next.wake();
      await settle();
    }
    this.#nowMs = endMs;
  }
}
