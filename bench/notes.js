// @ts-check

/**
 * What ran once: a turn of an engine, or a command of the project.
 * @typedef {object} Activity
 * @property {string} purpose of a turn, such as `build`, or `command`
 * @property {number} beganMs
 * @property {number} endedMs NaN while it runs, and when it was killed
 */

/**
 * What engines and commands noted, in the order in which they began: lines `begin SECONDS PURPOSE` and
 * `end SECONDS PURPOSE BEGAN`.
 * @param {string} text
 * @returns {readonly Activity[]}
 */
export function activitiesOf(text) {
  /** @type {Map<string, Activity>} */
  const activities = new Map();
  for (const line of text.split("\n").slice(0, -1)) {
    const [what, seconds = "", purpose = "", began = ""] = line.split(" ");
    const timeMs = Number(seconds) * 1000;
    if (what === "begin") {
      activities.set(`${purpose} ${seconds}`, { purpose, beganMs: timeMs, endedMs: NaN });
    } else {
      const running = activities.get(`${purpose} ${began}`);
      if (running !== undefined) running.endedMs = timeMs;
    }
  }
  return [...activities.values()].sort((a, b) => a.beganMs - b.beganMs);
}

/**
 * Milliseconds of CPU that `times` of bash printed: `0m0.002s 0m0.001s`, of the shell and of its children.
 * @param {string} printed
 */
export function cpuOfTimes(printed) {
  return [...printed.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (total, [, minutes, seconds]) => total + Number(minutes) * 60_000 + Number(seconds) * 1000,
    0,
  );
}
