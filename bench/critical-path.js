// @ts-check

/** @typedef {import("./notes.js").Activity} Activity */

/**
 * The longest chain of engine turns and project commands, in milliseconds: of all sequences in which each begins
 * when the one before it has ended, the one with the most work in it. What a run takes beyond it is the
 * orchestrator's.
 * @param {readonly Activity[]} activities
 */
export function criticalPathMs(activities) {
  const byEnd = activities
    .filter(({ endedMs }) => !Number.isNaN(endedMs))
    .sort((a, b) => a.endedMs - b.endedMs);
  /** The longest chain among the first so many. */
  const longest = [0];
  for (const [at, { beganMs, endedMs }] of byEnd.entries()) {
    const before = endedBy(byEnd, beganMs, at);
    const without = longest[at] ?? 0;
    longest.push(Math.max(without, (longest[before] ?? 0) + endedMs - beganMs));
  }
  return longest[byEnd.length] ?? 0;
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
