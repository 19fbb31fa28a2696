import type { Element } from "hast";
import { h, s } from "hastscript";
import { ROLES } from "../../../base/role.ts";
import { formatDuration } from "../../../base/words/format-duration.ts";
import type { Speaker } from "../../rows/row.ts";
import { axisTicks } from "./axis-ticks.ts";
import type { TimelineMark, TimelineSpan } from "../timeline.ts";
import type { ReportView } from "../report-view.ts";
import { spanWords } from "../span-words.ts";
import { tracksOf } from "./tracks.ts";

/** From top to bottom. */
const LANES = ["you", ...ROLES, "wisp"] as const satisfies readonly Speaker[];

const LANE_PX = 44;
const AXIS_PX = 24;
/** Between the edge of a lane and what is drawn in it. */
const INSET_PX = 6;
/** The lower part of a lane, for its marks. */
const MARKS_PX = 10;
const MARK_RADIUS_PX = 3.5;
/** The width of the shortest bar: browsers draw nothing at all, not even its edge, if it has none. */
const BAR_PERCENT_MIN = 0.001;

/** Between the edges of the drawing and the first and last moment, so that marks there are whole. */
const EDGE_PERCENT = 1;
/** The label of a tick behind this place is to its left, so that it is not cut off. */
const LAST_PERCENT = 94;

/** Where moments are on the time axis. */
interface Scale {
  readonly fromMs: number;
  readonly toMs: number;
  /** As a percentage of the width. */
  readonly at: (ms: number) => string;
}

/** The timeline as a drawing: a lane for each role, for people and for the supervisor. */
export function timelineChart({ timeline, status, generatedAt }: ReportView): Element {
  const { fromMs, toMs } = timeline;
  if (fromMs === undefined || toMs === undefined) {
    return h("p", { class: "faint" }, "Nothing is recorded yet.");
  }
  // What is still open lasts until now, but only while somebody is at work on it.
  const endMs = status?.isSupervised === true ? Math.max(toMs, Date.parse(generatedAt)) : toMs;
  const scale = scaleOf(fromMs, endMs);
  const heightPx = AXIS_PX + LANES.length * LANE_PX;
  const lanes = LANES.map((lane, at) => laneOf(timeline, lane, AXIS_PX + at * LANE_PX, scale));
  return h(
    "div",
    { class: "timeline" },
    h(
      "div",
      { class: "lane-names", "aria-hidden": "true" },
      LANES.map((lane) => h("span", { class: `lane-name ${lane}` }, lane)),
    ),
    h(
      "div",
      { class: "chart-scroll", tabindex: 0, "aria-label": "Timeline: plus and minus zoom" },
      s(
        "svg",
        { class: "chart", id: "chart", width: "100%", height: heightPx, role: "img" },
        s("title", {}, "What each role did, and when"),
        ...axisOf(scale, heightPx),
        ...lanes,
      ),
    ),
  );
}

function scaleOf(fromMs: number, toMs: number): Scale {
  // An instant needs a width, too.
  const rangeMs = Math.max(1, toMs - fromMs);
  const percent = (100 - 2 * EDGE_PERCENT) / rangeMs;
  return { fromMs, toMs, at: (ms) => `${(EDGE_PERCENT + (ms - fromMs) * percent).toFixed(3)}%` };
}

function axisOf({ fromMs, toMs, at }: Scale, heightPx: number): readonly Element[] {
  return axisTicks(toMs - fromMs).map((afterMs) => {
    const x = at(fromMs + afterMs);
    const words = afterMs === 0 ? "start" : formatDuration(afterMs);
    return s(
      "g",
      { class: Number.parseFloat(x) > LAST_PERCENT ? "tick last" : "tick" },
      s("line", { x1: x, x2: x, y1: AXIS_PX, y2: heightPx }),
      s("text", { x, y: AXIS_PX - INSET_PX }, words),
    );
  });
}

function laneOf(
  { spans, marks }: ReportView["timeline"],
  lane: Speaker,
  topPx: number,
  scale: Scale,
): Element {
  const own = spans.filter((span) => span.lane === lane);
  const behind = own.filter(({ kind }) => kind !== "turn");
  const turns = own.filter(({ kind }) => kind === "turn");
  const { trackOf, tracks } = tracksOf(turns, scale.toMs);
  const heightPx = LANE_PX - 2 * INSET_PX - MARKS_PX;
  return s(
    "g",
    { class: `lane ${lane}` },
    s("line", { class: "rule", x1: "0%", x2: "100%", y1: topPx, y2: topPx }),
    behind.map((span) => barOf(span, topPx + INSET_PX, heightPx, scale)),
    turns.map((span, index) => {
      const trackPx = heightPx / tracks;
      return barOf(span, topPx + INSET_PX + (trackOf[index] ?? 0) * trackPx, trackPx, scale);
    }),
    marks.filter((mark) => mark.lane === lane).map((mark) => markOf(mark, topPx, scale)),
  );
}

function barOf(span: TimelineSpan, yPx: number, heightPx: number, { at, toMs }: Scale): Element {
  const endMs = Math.min(span.toMs ?? toMs, toMs);
  const shareOf = (ms: number) => Number.parseFloat(at(ms));
  const width = `${Math.max(BAR_PERCENT_MIN, shareOf(endMs) - shareOf(span.fromMs)).toFixed(3)}%`;
  const how = span.kind === "turn" ? span.outcome : "";
  const place = { x: at(span.fromMs), y: yPx, width, height: heightPx };
  return s("rect", { class: `${span.kind} ${how}`, ...place }, s("title", {}, spanWords(span)));
}

function markOf({ kind, tone, atMs, text }: TimelineMark, topPx: number, { at }: Scale): Element {
  const place = { cx: at(atMs), cy: topPx + LANE_PX - MARKS_PX, r: MARK_RADIUS_PX };
  return s("circle", { class: `mark ${kind} ${tone}`, ...place }, s("title", {}, text));
}
