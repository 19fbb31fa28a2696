import { present } from "../../src/base/assert.ts";
import type { Simulator } from "./simulator.ts";

/*
 * What rxjs and others take from the global object: timers and the time. In the simulated bundle they
 * are virtual, and belong to the process that set them: they end with it.
 */

let simulator: Simulator | undefined;
let handles = 0;
let running = new Map<number, () => void>();

/** From now on time is this simulator's. */
export function useTimeOf(next: Simulator): void {
  simulator = next;
  handles = 0;
  running = new Map();
}

function repeat(act: () => void, everyMs: number, isOnce: boolean): number {
  const at = present(simulator, "there is a simulator");
  const life = at.current;
  handles += 1;
  const handle = handles;
  const schedule = () => {
    const cancel = at.after(
      everyMs,
      "timer",
      () => {
        running.delete(handle);
        // Before the act: what it clears is the next one.
        if (!isOnce) schedule();
        act();
      },
      life,
    );
    running.set(handle, cancel);
  };
  schedule();
  return handle;
}

function clear(handle: unknown): void {
  if (typeof handle !== "number") return;
  running.get(handle)?.();
  running.delete(handle);
}

/** Puts virtual ones in the place of the real ones, for this thread, for good. */
export function virtualizeGlobals(random: () => number): void {
  const wait = (isOnce: boolean) => (act: () => void, ms?: number) => repeat(act, ms ?? 0, isOnce);
  Object.assign(globalThis, {
    setTimeout: wait(true),
    setInterval: wait(false),
    clearTimeout: clear,
    clearInterval: clear,
  });
  Date.now = () => present(simulator, "there is a simulator").nowMs;
  Math.random = random;
}
