// @ts-check
import { endOf } from "./trace.js";

/** @typedef {import("./trace.js").Span} Span */
/** @typedef {ReturnType<typeof import("./trace.js").readTrace>} Processes */

/**
 * What a process does at a moment: the first of these one of whose spans is open then. A process whose only open spans
 * are none of these computes.
 * @type {readonly (readonly [string, (span: Span) => boolean])[]}
 */
const KINDS = [
  ["wait", ({ cat }) => cat === "wait"],
  ["Node's start", ({ cat, name }) => cat === "start" && name === "node"],
  ["starting and ending engines", ({ cat }) => cat === "engine"],
  ["the project's commands", ({ cat }) => cat === "command"],
  ["git", ({ cat }) => cat === "git"],
  ["appends and files, synced", ({ cat }) => cat === "append" || cat === "write"],
  ["locks", ({ cat }) => cat === "lock"],
  ["looking for processes", ({ cat }) => cat === "sweep"],
  ["other programs", ({ cat }) => cat === "run"],
  ["loading wisp", ({ cat, name }) => cat === "start" && name === "load"],
  ["reading logs", ({ cat, name }) => cat === "read" && name !== "decide"],
];
const COMPUTING = "wisp's computing";
const NODE = "Node's start";
/** All processes wait, for what one of them has written or for a process to end. */
const NOTICE = "until it is noticed";
/** After the last process has done its work. */
const EXIT = "ends of processes";
const SPAWN = "start a process of wisp";
/** What starts a process is a moment before that process's first span. */
const SPAWN_US_MAX = 100_000;
const KINDS_COUNTED = new Set([
  "git",
  "appends and files, synced",
  "Node's start",
  "other programs",
]);

/**
 * An interval in milliseconds since 1970, with the processes on its waiting path, by their names without `wisp`.
 * @typedef {object} Interval
 * @property {number} fromMs
 * @property {number} toMs
 * @property {readonly string[]} path the process that the interval ends in first, then the one that this waited for, …
 */

/**
 * What time went to, in milliseconds, and how many spans that were.
 * @typedef {ReadonlyMap<string, { readonly ms: number, readonly count: number }>} Parts
 */

/**
 * What each moment of an interval went to. A moment belongs to the first process of the path that does not wait.
 * @param {Processes} processes
 * @param {Interval} interval
 * @returns {Parts}
 */
export function partsOf(processes, { fromMs, toMs, path }) {
  const [from, to] = [fromMs * 1000, toMs * 1000];
  const spawns = processes.flatMap(({ spans }) => spans.filter(({ name }) => name === SPAWN));
  const onPath = path.flatMap((name) =>
    processes
      .filter((process) => process.name === `wisp ${name}`)
      .map(({ spans }) => withStart(spans, spawns, from))
      .map((spans) => ({
        life: lifeOf(spans),
        spans: spans.filter((span) => span.ts < to && endOf(span) > from),
      })),
  );
  const times = onPath.flatMap(({ life, spans }) =>
    [life, ...spans].flatMap((span) => [span.ts, endOf(span)]),
  );
  const edges = [...new Set([from, ...times.filter((us) => us > from && us < to), to])];
  edges.sort((a, b) => a - b);
  /** @type {Map<string, { ms: number, spans: Set<Span | number> }>} */
  const parts = new Map();
  for (const [at, edge] of edges.slice(1).entries()) {
    const { kind, span } = doneAt(onPath, ((edges[at] ?? NaN) + edge) / 2);
    const part = parts.get(kind) ?? { ms: 0, spans: new Set() };
    part.ms += (edge - (edges[at] ?? NaN)) / 1000;
    if (span !== undefined) part.spans.add(kind === NODE ? span.pid : span);
    parts.set(kind, part);
  }
  return new Map([...parts].map(([kind, { ms, spans }]) => [kind, { ms, count: spans.size }]));
}

/**
 * The spans of a process, the first of which begins when the process was started: by another one, or at the begin of the
 * interval, which the command that a person gives begins.
 * @param {readonly Span[]} spans in order
 * @param {readonly Span[]} spawns
 * @param {number} from
 */
function withStart(spans, spawns, from) {
  const [first] = spans;
  if (first?.cat !== "start") return spans;
  const startedUs = spawns
    .map(endOf)
    .filter((us) => us <= first.ts && us > first.ts - SPAWN_US_MAX)
    .reduce((latest, us) => Math.max(latest, us), -Infinity);
  const begun = Number.isFinite(startedUs) ? startedUs : Math.max(from, first.ts - SPAWN_US_MAX);
  if (begun >= first.ts) return spans;
  const start = { ...first, name: "node", ts: begun, dur: first.ts - begun };
  return [start, ...spans];
}

/**
 * From a process's first span to its last one. One that was killed leaves no span around all of them.
 * @param {readonly Span[]} spans in order
 */
function lifeOf(spans) {
  const ts = spans[0]?.ts ?? 0;
  return { ts, dur: spans.reduce((end, span) => Math.max(end, endOf(span)), ts) - ts };
}

/**
 * @param {readonly { readonly life: { ts: number, dur: number }, readonly spans: readonly Span[] }[]} onPath
 * @param {number} us
 */
function doneAt(onPath, us) {
  let isAnyAlive = false;
  for (const { life, spans } of onPath) {
    if (life.ts > us || endOf(life) <= us) continue;
    const open = spans.filter((span) => span.ts <= us && endOf(span) > us);
    isAnyAlive = true;
    const found = foundAmong(open);
    if (found.kind !== "wait") return found;
  }
  if (isAnyAlive) return { kind: NOTICE, span: undefined };
  const isBefore = onPath.every(({ life }) => life.ts > us);
  return { kind: isBefore ? NODE : EXIT, span: undefined };
}

/** @param {readonly Span[]} open */
function foundAmong(open) {
  for (const [kind, isOf] of KINDS) {
    const span = open.find(isOf);
    if (span !== undefined) return { kind, span };
  }
  return { kind: COMPUTING, span: undefined };
}

/**
 * The parts of several intervals together, each counted as this share.
 * @param {readonly Parts[]} all
 * @param {number} share such as 1 divided by how many there are, for the mean
 * @returns {Parts}
 */
export function sumOf(all, share = 1) {
  /** @type {Map<string, { ms: number, count: number }>} */
  const total = new Map();
  for (const [kind, { ms, count }] of all.flatMap((parts) => [...parts])) {
    const before = total.get(kind) ?? { ms: 0, count: 0 };
    total.set(kind, { ms: before.ms + ms * share, count: before.count + count * share });
  }
  return total;
}

/** Shares below this are named together. */
const LEAST_SHARE = 0.02;

/**
 * The parts in words, the largest first: `511 ms = git 120 (14), wisp's computing 97, …`.
 * @param {Parts} parts
 */
export function wordsOf(parts) {
  const total = [...parts.values()].reduce((all, { ms }) => all + ms, 0);
  const sorted = [...parts].sort(([, one], [, other]) => other.ms - one.ms);
  const named = sorted.filter(([, { ms }]) => ms >= LEAST_SHARE * total);
  const words = named.map(([kind, { ms, count }]) => {
    const isCounted = KINDS_COUNTED.has(kind) && Math.round(count) > 1;
    return `${kind} ${figure(ms)}${isCounted ? ` (${figure(count)})` : ""}`;
  });
  const others = total - named.reduce((all, [, { ms }]) => all + ms, 0);
  const rest = others >= 0.05 ? [`others ${figure(others)}`] : [];
  return `${figure(total)} ms = ${[...words, ...rest].join(", ")}`;
}

/** @param {number} value */
function figure(value) {
  return value >= 20 || Number.isInteger(value) ? value.toFixed(0) : value.toFixed(1);
}

/**
 * From the end of each turn to the begin of the next.
 * @param {readonly import("./notes.js").Activity[]} turns
 * @param {readonly string[]} path
 * @returns {readonly Interval[]}
 */
export function intervalsBetween(turns, path) {
  return turns
    .slice(1)
    .map(({ beganMs }, at) => ({ fromMs: turns[at]?.endedMs ?? NaN, toMs: beganMs, path }));
}

/**
 * What the intervals of a traced run went to on average, in words.
 * @param {Processes} processes
 * @param {readonly Interval[]} intervals
 */
export function reasonOf(processes, intervals) {
  if (intervals.length === 0) return "nothing of this kind in the traced run";
  const all = intervals.map((interval) => partsOf(processes, interval));
  const mean = wordsOf(sumOf(all, 1 / all.length));
  return `traced${all.length > 1 ? `, mean of ${all.length}` : ""}: ${mean}`;
}

/**
 * What the pieces alone take at least, where they were measured in the same run.
 * @param {string} reason
 * @param {number | undefined} floorMs
 */
export function withFloor(reason, floorMs) {
  return floorMs === undefined ? reason : `${reason}; floor of the pieces ${figure(floorMs)}`;
}
