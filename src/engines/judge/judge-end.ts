import type { RunEnd } from "../../base/ports/processes.ts";
import type { Trouble } from "../events/engine-event.ts";
import { refusedWords } from "../events/call-words.ts";
import type { SaidAt } from "./clock-words.ts";
import { failureOf, type TurnFailure } from "./failure-class.ts";
import { refusalIn } from "./refused-answer.ts";
import { resetTime } from "./reset-time.ts";
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
  /** Those of them that may be the CLI's own words, by which a failure is classified; absent: all. */
  readonly words?: string | undefined;
  /** The HTTP status that the CLI's exit code stands for. */
  readonly status?: number | undefined;
  /** When it ended, and the time zone of the machine. */
  readonly at: SaidAt;
  /** Whether its answer may be a refusal of its provider, although it reports success. */
  readonly mayAnswerWithRefusal?: boolean | undefined;
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
  if (isSuccess) {
    const refusal = facts.mayAnswerWithRefusal === true ? refusalIn(report, facts.at) : undefined;
    return refusal ?? whyNothingSeen(facts) ?? whyNothingDone(report);
  }
  const failure = whyStopped(facts) ?? whySaid(facts);
  if (failure !== undefined) return failure;
  const isGibberish = end.kind === "exited" && end.exitCode === 0 && report.lines.known === 0;
  if (!isGibberish) return { class: "crash", message: facts.stderr, evidence: "event" };
  const message = "its output holds nothing that could be read";
  return { class: "gibberish", message, evidence: "event" };
}

/** The failure that the CLI reported, with the end of a limit from wherever it said one. */
function whyStopped(facts: EndedTurn): TurnFailure | undefined {
  const { report, status, at } = facts;
  const trouble = lastTrouble(report);
  if (trouble === undefined) return undefined;
  return withLimit(failureOf({ ...trouble, status: trouble.status ?? status }, at), facts);
}

/**
 * What was said about a limit does not make another failure one; but it explains one without a known cause, and says
 * when it ends.
 */
function withLimit(
  failure: TurnFailure,
  { report: { limit }, at, ...facts }: EndedTurn,
): TurnFailure {
  if (limit !== undefined && (failure.class === "crash" || failure.class === "limited")) {
    const untilMs = limit.resetAtMs ?? failure.untilMs;
    const isOfModel = limit.isOfModel ?? failure.isOfModel;
    return { ...failure, class: "limited", evidence: "event", untilMs, isOfModel };
  }
  if (failure.class !== "limited" || failure.untilMs !== undefined) return failure;
  return { ...failure, untilMs: resetTime(facts.words ?? facts.stderr, at) };
}

/** What standard error or the exit code tell, if the CLI reported nothing. */
function whySaid({ stderr, words = stderr, status, at }: EndedTurn): TurnFailure | undefined {
  if (words === "" && status === undefined) return undefined;
  const failure = failureOf({ message: words, status }, at, "words");
  return failure.class === "crash" ? undefined : { ...failure, message: stderr };
}

/** Why we ended it: the failure that it kept retrying, or an unknown cause. */
function whyEnded(facts: EndedTurn): TurnFailure {
  const { report, stderr } = facts;
  const { isRetrying, retry, limit } = report;
  const tried = isRetrying && retry !== undefined ? failureOf(retry, facts.at) : undefined;
  const reached = limit === undefined ? undefined : failureOf(LIMIT_REACHED, facts.at);
  // If the model never answered, standard error shows what was tried; some CLIs report it nowhere else.
  const hasBegun = report.text !== "" || report.toolResults.all > 0;
  const known = [tried, reached, hasBegun ? undefined : whySaid(facts)].find(
    (failure) => failure !== undefined && failure.class !== "crash",
  );
  if (known === undefined) return { class: "hang", message: stderr, evidence: "event" };
  return withLimit(known, facts);
}

/** An engine that could not read the range cannot judge it, whatever its answer. */
function whyNothingSeen({ report, asked }: EndedTurn): TurnFailure | undefined {
  const unseen = asked === undefined ? undefined : whyUnseen(report.calls, asked);
  if (unseen === undefined) return undefined;
  if (unseen.tried.length === 0) return unseenBy("it called no tool");
  const refused = unseen.tried.filter(({ end }) => end === "refused");
  const failed = unseen.tried.filter(({ end }) => end !== "refused");
  const parts = [
    ...(refused.length === 0 ? [] : [`refused: ${refusedWords(refused)}`]),
    ...(failed.length === 0 ? [] : [`failed: ${refusedWords(failed)}`]),
  ];
  return unseenBy(parts.join(". "));
}

function unseenBy(message: string): TurnFailure {
  return { class: "unseen", message, evidence: "event" };
}

function whyNothingDone({ denials, toolResults, text }: TurnReport): TurnFailure | undefined {
  if (denials.length > 0 && toolResults.good === 0) {
    return { class: "refused-permission", message: refusedWords(denials), evidence: "event" };
  }
  const isSilent = text.trim() === "" && toolResults.all === 0;
  if (!isSilent) return undefined;
  return { class: "gibberish", message: "it neither said nor did anything", evidence: "event" };
}

const LIMIT_REACHED: Trouble = { message: "usage limit reached", code: "rate_limit" };

/** The final error, with the delay to wait that an earlier error of the same status gave. */
function lastTrouble({ error, retry, isRetrying, limit }: TurnReport): Trouble | undefined {
  // A retry without a later result was still in progress when the CLI ended.
  const last = error ?? (isRetrying ? retry : undefined);
  if (last === undefined) return limit && LIMIT_REACHED;
  const isSame = retry !== undefined && retry.status === last.status;
  return { ...last, retryAfterMs: last.retryAfterMs ?? (isSame ? retry.retryAfterMs : undefined) };
}
