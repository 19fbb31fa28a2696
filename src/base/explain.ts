import { EXIT } from "./exit-code.ts";
import { Refusal } from "./failure.ts";
import type { WorldFailure } from "./fatal.ts";
import { shown } from "./words/shown.ts";

/** A failure in words: what happened, to what, and what to do next. */
export interface Explanation {
  /** For programs; the failure's kind. */
  readonly code: string;
  /** One sentence or two, without a full stop where it ends in something to copy. */
  readonly message: string;
  /** What to do about it, in words. */
  readonly hint: string | undefined;
  /** Lines of their own below the hint that are no commands: mistakes by their place, a line for a file. */
  readonly details: readonly string[];
  /** What to do about it, as commands, and nothing else. */
  readonly next: readonly string[];
  readonly exitCode: number;
}

/** The one renderer of words for people; also of what ended a process that could not go on. */
export function explain(failure: WorldFailure): Explanation {
  if (!(failure instanceof Refusal)) return explainUnknown(failure);
  const [message, hint, ...lines] = failure.words();
  const details = lines.flatMap((line) => (typeof line === "string" ? [] : [line.detail]));
  const next = lines.filter((line) => typeof line === "string");
  return { code: failure.kind, message, hint, details, next, exitCode: failure.exitCode };
}

/** What has no words of its own: no command ends with it, and a process may. */
function explainUnknown(failure: WorldFailure): Explanation {
  const message = `It cannot go on: ${shown(JSON.stringify(failure))}`;
  const hint = "What was done before is on record; the same command goes on from there.";
  return { code: failure.kind, message, hint, details: [], next: [], exitCode: EXIT.failure };
}
