import { count } from "../../base/words/sentence.ts";
import type { ReportView } from "./report-view.ts";
import { spanWords } from "./span-words.ts";

/** Something that went wrong. `at`: its time in ISO 8601; absent for what holds now. */
export interface ReportTrouble {
  readonly at: string | undefined;
  readonly text: string;
}

const BAD_MARKS: ReadonlySet<string> = new Set(["crash", "retry", "wait"]);

/** What went wrong in a session: first what holds now, then what happened, newest first. */
export function troublesOf(view: ReportView): readonly ReportTrouble[] {
  const { timeline, trouble, unread, passedOver, status } = view;
  const now = [
    ...trouble,
    ...unread.map((log) => `The log of the ${log} cannot be read.`),
    ...(passedOver === 0 ? [] : [`${count(passedOver, "line")} of the logs could not be read.`]),
    ...(status?.degraded ?? []),
  ];
  const spans = timeline.spans
    .filter((span) => span.kind === "hold" || (span.kind === "turn" && isBad(span.outcome)))
    .map((span) => ({ atMs: span.fromMs, text: spanWords(span) }));
  const marks = timeline.marks
    .filter(({ kind }) => BAD_MARKS.has(kind))
    .map(({ atMs, lane, text }) => ({ atMs, text: `${lane}: ${text}` }));
  const past = [...spans, ...marks].sort((one, other) => other.atMs - one.atMs);
  return [
    ...now.map((text) => ({ at: undefined, text })),
    ...past.map(({ atMs, text }) => ({ at: new Date(atMs).toISOString(), text })),
  ];
}

function isBad(outcome: string): boolean {
  return outcome === "failed" || outcome === "blocked";
}
