// @ts-check
import { TURN } from "./constants.js";
import { EventQueue } from "./event-queue.js";
import { randomOf } from "./random.js";

/** Time that is simulated, what of it is not counted because all sessions begin together, and the windows, in ms. */
const WHOLE_MS = 120_000;
const WARM_UP_MS = 20_000;
const WINDOW_MS = 10_000;

/**
 * @typedef {object} Simulated
 * @property {number} turnsAtOnce the most turns that ran at the same time
 * @property {number} turns that ended
 * @property {number} waitedMs on the average, until the account let a turn begin
 * @property {number} turnsASecond the most that ended in a window, per second
 * @property {number} hostTurnsASecond the same of the sessions of one machine
 */

/**
 * Sessions that are all at work, each with one turn after another, over machines in turn. Turns take random times
 * (exponential), which follow from the seed. Processors are never waited for: what is wanted of them can be counted.
 * @param {object} of
 * @param {number} of.sessions
 * @param {number} of.machines
 * @param {number} [of.accountTurns] turns that the engine's account allows at once; all others wait, in their order
 * @param {number} [of.seed]
 * @returns {Simulated}
 */
export function simulate({ sessions, machines, accountTurns = Infinity, seed = 1 }) {
  const queue = new EventQueue();
  const randoms = Array.from({ length: sessions }, (_, at) => randomOf(seed, at));
  const windows = (WHOLE_MS - WARM_UP_MS) / WINDOW_MS;
  const ended = new Float64Array(machines * windows);
  /** @type {{ readonly session: number, readonly sinceMs: number }[]} */
  const waiting = [];
  let waitingFrom = 0;
  let [running, turnsAtOnce, turns, begun, waitedMs] = [0, 0, 0, 0, 0];
  const begin = (
    /** @type {number} */ session,
    /** @type {number} */ nowMs,
    /** @type {number} */ sinceMs,
  ) => {
    running += 1;
    begun += 1;
    waitedMs += nowMs - sinceMs;
    turnsAtOnce = Math.max(turnsAtOnce, running);
    const takesMs = -TURN.meanMs * Math.log(1 - (randoms[session]?.() ?? 0));
    queue.add({ atMs: nowMs + takesMs, session, kind: "ended" });
  };
  for (let session = 0; session < sessions; session++) {
    // As if each had begun at another moment.
    queue.add({ atMs: (randoms[session]?.() ?? 0) * WARM_UP_MS, session, kind: "wanted" });
  }
  for (
    let event = queue.next();
    event !== undefined && event.atMs < WHOLE_MS;
    event = queue.next()
  ) {
    const { atMs, session, kind } = event;
    if (kind === "wanted" && running < accountTurns) begin(session, atMs, atMs);
    else if (kind === "wanted") waiting.push({ session, sinceMs: atMs });
    else {
      running -= 1;
      turns += 1;
      const window = Math.floor((atMs - WARM_UP_MS) / WINDOW_MS);
      if (window >= 0) increment(ended, window * machines + (session % machines));
      queue.add({ atMs: atMs + TURN.gapMs, session, kind: "wanted" });
      const first = waiting[waitingFrom];
      if (first !== undefined) begin(first.session, atMs, first.sinceMs);
      if (first !== undefined) waitingFrom += 1;
    }
  }
  return {
    turnsAtOnce,
    turns,
    waitedMs: begun === 0 ? 0 : waitedMs / begun,
    ...busiest(ended, machines),
  };
}

/**
 * @param {Float64Array} ended how many turns, by window and machine
 * @param {number} machines
 */
function busiest(ended, machines) {
  let [all, one] = [0, 0];
  for (let from = 0; from < ended.length; from += machines) {
    const counts = ended.subarray(from, from + machines);
    all = Math.max(
      all,
      counts.reduce((sum, count) => sum + count, 0),
    );
    one = counts.reduce((most, count) => Math.max(most, count), one);
  }
  const seconds = WINDOW_MS / 1000;
  return { turnsASecond: all / seconds, hostTurnsASecond: one / seconds };
}

/**
 * @param {Float64Array} counts
 * @param {number} at
 */
function increment(counts, at) {
  counts[at] = (counts[at] ?? 0) + 1;
}
