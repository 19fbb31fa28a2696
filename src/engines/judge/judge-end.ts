import type { RunEnd } from "../../base/ports/processes.ts";
import type { Trouble } from "../events/engine-event.ts";
import { refusedWords } from "../events/call-words.ts";
import { failureOf, type TurnFailure } from "./failure-class.ts";
import { whyUnseen, type RangeAsked } from "./range-look.ts";
import type { TurnReport } from "../events/turn-report.ts";

/**
 * How the process of a turn ended; `idle`: it was ended because it had said nothing for too long, `mute`:
 * because it had not said anything yet.
 */
export type TurnEnd = Exclude<RunEnd, { kind: "stopped" }> | { readonly kind: "idle" | "mute" };

/** Everything that is known of a turn when it has ended. */
export interface EndedTurn {
  readonly report: TurnReport;
  readonly end: TurnEnd;
  /** The last lines of its standard error. */
  readonly stderr: string;
  readonly nowMs: number;
  /** What it had to look at before it could say anything; absent: nothing, or that is not to be judged. */
  readonly asked?: RangeAsked | undefined;
}

/**
 * Why a turn failed; `undefined` for a success, which takes both: the CLI's own event for it, and exit
 * code 0. Neither alone is enough: CLIs that were interrupted end with 0, too.
 */
export function whyFailed(facts: EndedTurn): TurnFailure | undefined {
  const { report, end } = facts;
  if (end.kind === "timed-out" || end.kind === "idle" || end.kind === "mute") {
    return whyEnded(facts);
  }
  const isSuccess = report.isSuccess && end.kind === "exited" && end.exitCode === 0;
  if (isSuccess) return whyNothingSeen(facts) ?? whyNothingDone(report);
  // A retry without an end is what the CLI was at when it ended.
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

/** We ended it: because of what it was trying again and again, or of nothing that is known. */
function whyEnded({ report, stderr, nowMs }: EndedTurn): TurnFailure {
  const { isRetrying, retry } = report;
  const tried = isRetrying && retry !== undefined ? failureOf(retry, nowMs) : undefined;
  // Where the model never spoke, standard error tells what was tried (some say it nowhere else).
  const hasBegun = report.text !== "" || report.toolResults.all > 0;
  const said = hasBegun ? undefined : failureOf({ message: stderr }, nowMs);
  const known = [tried, said].find((failure) => failure !== undefined && failure.class !== "crash");
  return known ?? { class: "hang", message: stderr };
}

/** An engine that could not look gives no verdict, whatever its answer says. */
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

/** The final error, with what an earlier one like it said of the time to wait. */
function lastTrouble({ error, retry, isRetrying }: TurnReport): Trouble | undefined {
  if (error === undefined) return isRetrying ? retry : undefined;
  const isSame = retry !== undefined && retry.status === error.status;
  return {
    ...error,
    retryAfterMs: error.retryAfterMs ?? (isSame ? retry.retryAfterMs : undefined),
  };
}
