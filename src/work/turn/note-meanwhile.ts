import { clip } from "../clip.ts";
import type { TurnBaseline } from "./turn-baseline.ts";
import type { TurnContext } from "./turn.ts";

/** Records what changed since the baseline outside the reach of a sandbox (`MeanwhileWatch`). */
export async function noteMeanwhile(
  { journal, meanwhile }: TurnContext,
  unit: string,
  before: TurnBaseline | undefined,
): Promise<void> {
  if (meanwhile === undefined || before === undefined) return;
  const { facts, notes } = await meanwhile.compare(before);
  const time = journal.time();
  const records = [
    ...facts.map((fact) => ({ kind: "meanwhile" as const, time, unit, ...fact })),
    ...notes.map((text) => ({ kind: "note" as const, time, text: clip(text) })),
  ];
  if (records.length > 0) journal.append(...records);
  meanwhile.end();
}
