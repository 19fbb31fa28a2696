import { clip } from "../clip.ts";
import type { Watched } from "./meanwhile.ts";
import type { TurnBaseline } from "./turn-baseline.ts";
import type { TurnContext } from "./turn.ts";

/** What was watched, and the state before it; undefined if a sandbox confined it. */
export interface WatchedRun {
  readonly before: TurnBaseline | undefined;
  readonly during: Watched;
}

/**
 * Records what changed since the baseline outside the reach of a sandbox (`MeanwhileWatch`).
 *
 * @param unit the unit in which it ran; undefined if no unit has begun yet: then the next comparison records it
 */
export async function noteMeanwhile(
  { journal, meanwhile }: Pick<TurnContext, "journal" | "meanwhile">,
  unit: string | undefined,
  { before, during }: WatchedRun,
): Promise<void> {
  if (meanwhile === undefined || before === undefined) return;
  const report = await meanwhile.compare(before, during);
  if (unit === undefined) meanwhile.hold(report);
  else {
    const time = journal.time();
    const records = [
      ...report.facts.map((fact) => ({ kind: "meanwhile" as const, time, unit, ...fact })),
      ...report.notes.map((text) => ({ kind: "note" as const, time, text: clip(text) })),
    ];
    if (records.length > 0) journal.append(...records);
  }
  meanwhile.end();
}
