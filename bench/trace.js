// @ts-check

/**
 * A span of a trace, with times in microseconds.
 * @typedef {{ ph: "X", cat: string, name: string, pid: number, ts: number, dur: number }} Span
 */

/** @type {(one: Span, other: Span) => number} */
export const byStart = (one, other) => one.ts - other.ts;

/** @param {{ readonly ts: number, readonly dur: number }} span */
export function endOf({ ts, dur }) {
  return ts + dur;
}

/**
 * The spans of a trace by process, and what these are called, in the order in which they first appear. The trace may
 * still be growing: lines that are no events are left out.
 * @param {string} text
 */
export function readTrace(text) {
  /** @type {Map<number, string>} */
  const names = new Map();
  /** @type {Map<number, Span[]>} */
  const spans = new Map();
  for (const event of eventsOf(text)) {
    if (event.ph === "M" && event.name === "process_name") names.set(event.pid, event.args.name);
    if (event.ph !== "X") continue;
    const own = spans.get(event.pid);
    if (own === undefined) spans.set(event.pid, [event]);
    else own.push(event);
  }
  return [...spans].map(([pid, own]) => ({
    pid,
    name: names.get(pid) ?? String(pid),
    spans: own.sort(byStart),
  }));
}

/**
 * @param {string} text
 * @returns {any[]}
 */
function eventsOf(text) {
  return text.split("\n").flatMap((line) => {
    try {
      const event = JSON.parse(line.replace(/^,/, ""));
      return typeof event?.ph === "string" ? [event] : [];
    } catch {
      return [];
    }
  });
}
