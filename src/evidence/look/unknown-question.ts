import { UNKNOWN_REPEATS_MAX } from "../../base/look-limits.ts";
import { abbreviate, type Oid } from "../../base/oid.ts";

const REASON_SHOWN_CHARS_MAX = 300;

/** The question to a person about a commit of which verify says nothing, however often it is run. */
export function unknownQuestion(at: Oid, reason: string): string {
  const why = reason.slice(0, REASON_SHOWN_CHARS_MAX);
  const times = String(UNKNOWN_REPEATS_MAX + 1);
  return (
    `Verify says nothing about ${abbreviate(at)}, in ${times} runs: ${why}. ` +
    `Nothing is completed and nobody is blamed for it. Provide what it lacks, then answer "again".`
  );
}

/** The end of an attempt with that question. */
export interface AsksOfUnknown {
  readonly kind: "question";
  readonly outcome: "needs_input";
  readonly question: string;
}

/** Ends an attempt with that question. */
export function asksAt(at: Oid, reason: string): AsksOfUnknown {
  return { kind: "question", outcome: "needs_input", question: unknownQuestion(at, reason) };
}
