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
  /** Its place was asked for, and will come in its turn. */
  readonly isSubmitted?: boolean | undefined;
  /** The entries whose places have to be gone before its own begins, as that was decided when it was claimed. */
  readonly after?: readonly number[] | undefined;
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

/** An entry that is started now, at an executor that itself holds places back. */
export interface InLane {
  readonly number: number;
  /** The entries whose places have to be gone first. */
  readonly after: readonly number[];
}

/**
 * The same for an executor that itself holds back places until others are gone. There, the entries are dealt out to
 * `max` lanes, and all places are asked for: each after those of its lane that were asked for before. An entry does not
 * wait for one whose session is finished. So at most one of a lane has begun and is not finished, and one that is
 * refused holds up nobody.
 */
export function nextInLanes(
  entries: readonly QueuedEntry[],
  { max, nowMs }: { readonly max: number; readonly nowMs: number },
): readonly InLane[] {
  const begun = entries.filter(({ stands }) => stands === "claimed" || stands === "unfinished");
  const laneOf = (number: number) => number % max;
  const isAskedFor = ({ stands, isSubmitted = false }: QueuedEntry) =>
    stands === "unfinished" || isSubmitted;
  const asking = new Set(begun.filter((one) => !isAskedFor(one)).map((one) => laneOf(one.number)));
  return entries.flatMap(({ stands, number, afterMs = 0, after }): InLane[] => {
    if (afterMs > nowMs) return [];
    const inTheWay = begun.map((one) => one.number);
    if (stands === "claimed") {
      return [{ number, after: (after ?? []).filter((one) => inTheWay.includes(one)) }];
    }
    // The places of a lane are asked for one after the other.
    if (stands !== "waiting" || asking.has(laneOf(number))) return [];
    asking.add(laneOf(number));
    return [{ number, after: inTheWay.filter((one) => laneOf(one) === laneOf(number)) }];
  });
}
