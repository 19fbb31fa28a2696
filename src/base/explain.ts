import { EXIT } from "./exit-code.ts";
import { Refusal } from "./failure.ts";
import type { WorldFailure } from "./fatal.ts";
import { shown } from "./words/shown.ts";

/** An explanation of a failure: what happened, to what, and what to do next. */
export interface Explanation {
  /** The failure's kind, for programs. */
  readonly code: string;
  /** One or two sentences, without a full stop if it ends in something to copy. */
  readonly message: string;
  /** What to do about it, as text. */
  readonly hint: string | undefined;
  /** Lines below the hint that are not commands, such as one per mistake in a file. */
  readonly details: readonly string[];
  /** What to do about it, as commands only. */
  readonly next: readonly string[];
  readonly exitCode: number;
}

/** The only function that words failures for people, including the failure that ended a process. */
export function explain(failure: WorldFailure): Explanation {
  if (!(failure instanceof Refusal)) return explainUnknown(failure);
  const [message, hint, ...lines] = failure.words();
  const details = lines.flatMap((line) => (typeof line === "string" ? [] : [line.detail]));
  const next = lines.filter((line) => typeof line === "string");
  return { code: failure.kind, message, hint, details, next, exitCode: failure.exitCode };
}

/** Explains a failure without its own wording: it never ends a command, but may end a process. */
function explainUnknown(failure: WorldFailure): Explanation {
  const message = `wisp cannot continue: ${shown(JSON.stringify(failure))}`;
  const hint = "Completed work is on record. Run the same command again to continue.";
  return { code: failure.kind, message, hint, details: [], next: [], exitCode: EXIT.failure };
}
