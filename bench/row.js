// @ts-check

/**
 * One line of the table. Samples are of one unit; the ratio is that of the medians.
 * @typedef {object} Row
 * @property {string} metric
 * @property {"ms" | "ms/s" | "MB" | "s" | "×" | ""} unit
 * @property {readonly number[]} wisp
 * @property {readonly number[]} limit the same from the bare loop, in the same run
 * @property {string} [limitName] what it is, where it is not the bare bash loop
 * @property {string} aim
 * @property {string} [best] the peers' best, for reference: not measured here
 * @property {string} [note] what is to be said of it, such as why something was not measured
 * @property {string} [bound] what limits it: where its time goes
 * @property {Point} [point] where it stands on a curve, if it is a point of one
 */

/**
 * A point of a curve.
 * @typedef {object} Point
 * @property {string} curve
 * @property {string} of what grows along it, such as `milestones`
 * @property {number} at how many or how much of it
 * @property {string} figure which of the curve's figures this is
 */

/**
 * What a measure is given.
 * @typedef {object} Context
 * @property {import("./workspace.js").Workspace} workspace
 * @property {number} runs
 * @property {(curve: readonly number[]) => readonly number[]} pointsOf those of a curve that are wanted
 * @property {boolean} isQuick only show that everything runs: small sizes, no figures worth reading
 * @property {(name: string) => string} probe the path of a program of `probes/`
 * @property {(secondsMax: number) => () => boolean} within makes a question: is there time for another run?
 * @property {Map<"turn" | "start", number>} floors what the pieces of a turn and of a start take at least, in ms, once measured
 * @property {(title: string, lines: readonly string[]) => void} explain says where time went
 */

/**
 * The differences between each end and the next begin.
 * @param {readonly import("./notes.js").Activity[]} turns
 */
export function gapsOf(turns) {
  return turns.slice(1).map(({ beganMs }, at) => beganMs - (turns[at]?.endedMs ?? NaN));
}

/**
 * Rows as points of a curve: what follows the colon of a row's metric is the figure.
 * @param {readonly Row[]} rows
 * @param {Omit<Point, "figure">} where
 * @returns {readonly Row[]}
 */
export function asPoints(rows, where) {
  return rows.map((row) => {
    const figure = row.metric.slice(row.metric.indexOf(": ") + 2);
    return { ...row, point: { ...where, figure } };
  });
}
