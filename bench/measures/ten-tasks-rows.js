// @ts-check
import { isConfining } from "../project.js";

/** @typedef {import("../row.js").Row} Row */

/**
 * What whole commands took, and what is in it, in milliseconds; one sample a run.
 * @typedef {object} Samples
 * @property {number[]} wall
 * @property {number[]} own what is beyond the longest chain of turns and commands
 * @property {number[]} engine the time of all turns
 * @property {number[]} project the time of all commands of the project
 * @property {number[]} gap between two builder turns, of which the first completes no milestone
 * @property {number[]} reviews how many turns reviewed
 * @property {number[]} cpu of everything but the engine
 * @property {number[]} projectCpu
 * @property {number[]} started processes that are neither the engine's nor the project's
 * @property {number[]} perTurn the same for each turn
 * @property {string} programs which these are
 */

/**
 * @param {Samples} wisp
 * @param {Samples} bare
 * @param {object} others
 * @param {readonly { readonly title: string, readonly wall: readonly number[], readonly note: string | undefined }[]} others.peers
 * @param {{ readonly own: string, readonly gap: string }} others.reasons what a traced run went to
 * @returns {readonly Row[]}
 */
export function rowsOf(wisp, bare, { peers, reasons }) {
  const ms = /** @type {const} */ ({ unit: "ms", aim: "" });
  const confined = isConfining()
    ? {}
    : { note: "without a sandbox: bubblewrap does not work here" };
  return [
    {
      ...confined,
      metric: "ten tasks: the whole command",
      unit: "ms",
      wisp: wisp.wall,
      limit: bare.wall,
      aim: "≤ 1500 ms",
      bound: reasons.own,
    },
    ...peers.map(({ title, wall, note }) => ({
      ...ms,
      metric: "ten tasks: the whole command",
      wisp: wisp.wall,
      limit: wall,
      limitName: title,
      ...(note === undefined ? {} : { note: `${title}: ${note}` }),
    })),
    {
      ...ms,
      metric: "ten tasks: wisp's own time, beyond the longest chain of turns and commands",
      wisp: wisp.own,
      limit: bare.own,
      bound: reasons.own,
    },
    { ...ms, metric: "ten tasks: engine, all turns", wisp: wisp.engine, limit: bare.engine },
    {
      ...ms,
      metric: "ten tasks: the project's commands (verify, canaries)",
      wisp: wisp.project,
      limit: [],
    },
    {
      ...ms,
      metric: "ten tasks: CPU of everything but the engine",
      wisp: wisp.cpu,
      limit: bare.cpu,
    },
    {
      ...ms,
      metric: "ten tasks: CPU of the project's commands, in it",
      wisp: wisp.projectCpu,
      limit: [],
    },
    {
      metric: "ten tasks: processes a turn, without the engine's and the project's",
      unit: "",
      wisp: wisp.perTurn,
      limit: bare.perTurn,
      aim: "≤ 6",
      bound: wisp.programs,
    },
    {
      metric: "ten tasks: the same, of the whole command",
      unit: "",
      wisp: wisp.started,
      limit: bare.started,
      aim: "",
    },
    {
      metric: "ten tasks: gap between builder turns, all roles at work",
      unit: "ms",
      wisp: wisp.gap,
      limit: bare.gap,
      aim: "≤ 25 ms",
      best: "bash 2.4, ralphy 3.6, ralph-tui 6.8 (1013 as shipped)",
      bound: reasons.gap,
    },
    {
      metric: "ten tasks: review turns",
      unit: "",
      wisp: wisp.reviews,
      limit: [],
      aim: "",
    },
  ];
}
