import { present } from "../../src/base/assert.ts";
import type { Simulator } from "./simulator.ts";

/*
 * The timers and clocks that rxjs and others take from the global object. In the simulated bundle they are virtual,
 * and a timer ends with the process that set it.
 */

let simulator: Simulator | undefined;
let handles = 0;
let running = new Map<number, () => void>();

/** From now on this simulator determines the time. */
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
        // Scheduled before the act, so that the act can clear it.
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

/** Replaces the real ones by virtual ones, permanently for this thread. */
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
