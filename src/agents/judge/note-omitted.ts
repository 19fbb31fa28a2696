import type { FindingsBlock } from "../../fs-protocol/findings/findings-judge.ts";
import type { Journal } from "../../work/journal.ts";
import { omittedCount } from "./findings-for-record.ts";

interface Note {
  readonly kind: "note";
  readonly time: string;
  readonly text: string;
}

/** Notes how many findings were dropped because they exceeded the limit of a turn. */
export function noteOmitted(
  { journal }: { readonly journal: Journal<Note> },
  blocks: readonly FindingsBlock[],
): void {
  const count = omittedCount(blocks);
  if (count === 0) return;
  const text = `${String(count)} more findings were named than one turn may have; they are not recorded`;
  journal.append({ kind: "note", time: journal.time(), text });
}
