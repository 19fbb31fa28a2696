// @ts-check

/** @typedef {import("./notes.js").Activity} Activity */

/**
 * The longest chain of engine turns and project commands, in milliseconds: of all sequences in which each begins
 * when the one before it has ended, the one with the most work in it. What a run takes beyond it is the
 * orchestrator's.
 * @param {readonly Activity[]} activities
 */
export function criticalPathMs(activities) {
  return criticalChain(activities).reduce(
    (total, { beganMs, endedMs }) => total + endedMs - beganMs,
    0,
  );
}

/**
 * The same chain itself, in order.
 * @param {readonly Activity[]} activities
 */
export function criticalChain(activities) {
  const byEnd = activities
    .filter(({ endedMs }) => !Number.isNaN(endedMs))
    .sort((a, b) => a.endedMs - b.endedMs);
  /** The longest chain among the first so many, and with how many of them the chain before its last link was made. */
  const longest = [{ ms: 0, before: -1 }];
  for (const [at, { beganMs, endedMs }] of byEnd.entries()) {
    const before = endedBy(byEnd, beganMs, at);
    const withIt = (longest[before]?.ms ?? 0) + endedMs - beganMs;
    const without = longest[at]?.ms ?? 0;
    longest.push(withIt > without ? { ms: withIt, before } : { ms: without, before: -1 });
  }
  /** @type {Activity[]} */
  const chain = [];
  for (let count = byEnd.length; count > 0;) {
    const { before = -1 } = longest[count] ?? {};
    const last = byEnd[count - 1];
    if (before < 0 || last === undefined) count -= 1;
    else {
      chain.unshift(last);
      count = before;
    }
  }
  return chain;
}

/**
 * How many of the first `count` had ended at a time.
 * @param {readonly Activity[]} byEnd
 * @param {number} timeMs
 * @param {number} count
 */
function endedBy(byEnd, timeMs, count) {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((byEnd[middle]?.endedMs ?? Infinity) <= timeMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * When the last of them ended.
 * @param {readonly Activity[]} activities
 */
export function lastEndMs(activities) {
  return Math.max(...activities.map(({ endedMs }) => endedMs).filter((ms) => !Number.isNaN(ms)));
}
