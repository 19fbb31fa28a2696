/** What a queue knows of one of its entries. */
export interface QueuedEntry {
  readonly number: number;
  /**
   * `waiting`: nothing of it exists. `claimed`: its start has begun. `unfinished` and `finished`: its session. `failed`:
   * it is not started.
   */
  readonly stands: "waiting" | "claimed" | "unfinished" | "finished" | "failed";
  /** How many attempts have failed. */
  readonly tries: number;
  /** When it may be tried again, in ms since 1970. Absent: now. */
  readonly afterMs?: number | undefined;
}

/** What is to be done with a queue now. */
export interface NextInQueue {
  /** The entries of which the start is begun, or gone on with, in this order. */
  readonly start: readonly number[];
  /** How many wait only because as many as allowed are unfinished. */
  readonly waitForRoom: number;
  /** When the next entry may be tried again, in ms since 1970. Absent: none waits for that. */
  readonly wakeMs?: number | undefined;
}

/**
 * Decides which entries of a queue are started now. Never are more than `max` of them begun and not finished. Of those
 * that wait, the ones with fewer failed attempts come first, so that one that fails again and again holds up nobody.
 *
 * @param max undefined: no limit
 */
export function nextInQueue(
  entries: readonly QueuedEntry[],
  { max, nowMs }: { readonly max: number | undefined; readonly nowMs: number },
): NextInQueue {
  const isDue = ({ afterMs = 0 }: QueuedEntry) => afterMs <= nowMs;
  const begun = entries.filter(({ stands }) => stands === "claimed" || stands === "unfinished");
  const claimed = entries.filter(({ stands }) => stands === "claimed");
  const waiting = entries
    .filter((entry) => entry.stands === "waiting" && isDue(entry))
    .sort((one, other) => one.tries - other.tries || one.number - other.number);
  const room = Math.max(0, (max ?? Infinity) - begun.length);
  const taken = waiting.slice(0, room);
  const later = entries
    .filter((entry) => ["waiting", "claimed"].includes(entry.stands) && !isDue(entry))
    .map(({ afterMs = 0 }) => afterMs);
  return {
    start: [...claimed.filter(isDue), ...taken].map(({ number }) => number),
    waitForRoom: waiting.length - taken.length,
    wakeMs: later.length === 0 ? undefined : Math.min(...later),
  };
}
