import type { RunEnd } from "../../base/ports/processes.ts";
import type { Trouble } from "../events/engine-event.ts";
import { refusedWords } from "../events/call-words.ts";
import { failureOf, type TurnFailure } from "./failure-class.ts";
import { whyUnseen, type RangeAsked } from "./unseen-range.ts";
import type { TurnReport } from "../events/turn-report.ts";

/**
 * How a turn's process ended. We ended it ourselves if it printed nothing for too long (`idle`) or nothing at all
 * (`mute`).
 */
export type TurnEnd = Exclude<RunEnd, { kind: "stopped" }> | { readonly kind: "idle" | "mute" };

/** Everything known about a turn that has ended. */
export interface EndedTurn {
  readonly report: TurnReport;
  readonly end: TurnEnd;
  /** The last lines of its standard error. */
  readonly stderr: string;
  readonly nowMs: number;
  /**
   * The range that it had to read before it could judge; absent if there is none, or if this is not to be checked.
   */
  readonly asked?: RangeAsked | undefined;
}

/**
 * Why a turn failed; `undefined` if it succeeded. Success requires both the CLI's own event for it and exit code 0.
 * Neither is enough alone: CLIs that were interrupted exit with 0 too.
 */
export function whyFailed(facts: EndedTurn): TurnFailure | undefined {
  const { report, end } = facts;
  if (end.kind === "timed-out" || end.kind === "idle" || end.kind === "mute") {
    return whyEnded(facts);
  }
  const isSuccess = report.isSuccess && end.kind === "exited" && end.exitCode === 0;
  if (isSuccess) return whyNothingSeen(facts) ?? whyNothingDone(report);
  // A retry without a later result was still in progress when the CLI ended.
  const trouble = lastTrouble(report);
  if (trouble !== undefined) return failureOf(trouble, facts.nowMs);
  if (facts.stderr !== "") {
    const failure = failureOf({ message: facts.stderr }, facts.nowMs);
    if (failure.class !== "crash") return failure;
  }
  const isGibberish = end.kind === "exited" && end.exitCode === 0 && report.lines.known === 0;
  const message = isGibberish ? "its output holds nothing that could be read" : facts.stderr;
  return { class: isGibberish ? "gibberish" : "crash", message };
}

/** Why we ended it: the failure that it kept retrying, or an unknown cause. */
function whyEnded({ report, stderr, nowMs }: EndedTurn): TurnFailure {
  const { isRetrying, retry } = report;
  const tried = isRetrying && retry !== undefined ? failureOf(retry, nowMs) : undefined;
  // If the model never answered, standard error shows what was tried; some CLIs report it nowhere else.
  const hasBegun = report.text !== "" || report.toolResults.all > 0;
  const fromStderr = hasBegun ? undefined : failureOf({ message: stderr }, nowMs);
  const known = [tried, fromStderr].find(
    (failure) => failure !== undefined && failure.class !== "crash",
  );
  return known ?? { class: "hang", message: stderr };
}

/** An engine that could not read the range cannot judge it, whatever its answer. */
function whyNothingSeen({ report, asked }: EndedTurn): TurnFailure | undefined {
  const unseen = asked === undefined ? undefined : whyUnseen(report.calls, asked);
  if (unseen === undefined) return undefined;
  if (unseen.tried.length === 0) return { class: "unseen", message: "it called no tool" };
  const refused = unseen.tried.filter(({ end }) => end === "refused");
  const failed = unseen.tried.filter(({ end }) => end !== "refused");
  const parts = [
    ...(refused.length === 0 ? [] : [`refused: ${refusedWords(refused)}`]),
    ...(failed.length === 0 ? [] : [`failed: ${refusedWords(failed)}`]),
  ];
  return { class: "unseen", message: parts.join(". ") };
}

function whyNothingDone({ denials, toolResults, text }: TurnReport): TurnFailure | undefined {
  if (denials.length > 0 && toolResults.good === 0) {
    return { class: "refused-permission", message: refusedWords(denials) };
  }
  const isSilent = text.trim() === "" && toolResults.all === 0;
  return isSilent ? { class: "gibberish", message: "it neither said nor did anything" } : undefined;
}

/** The final error, with the delay to wait that an earlier error of the same status gave. */
function lastTrouble({ error, retry, isRetrying }: TurnReport): Trouble | undefined {
  if (error === undefined) return isRetrying ? retry : undefined;
  const isSame = retry !== undefined && retry.status === error.status;
  return {
    ...error,
    retryAfterMs: error.retryAfterMs ?? (isSame ? retry.retryAfterMs : undefined),
  };
}
