import type { FailureClass, FailureEvidence } from "../../fs-protocol/records/failure-class.ts";
import type { Trouble } from "../events/engine-event.ts";
import type { SaidAt } from "./clock-words.ts";
import { resetTime } from "./reset-time.ts";

export interface TurnFailure {
  readonly class: FailureClass;
  /** The message of the CLI or its provider; not yet cleaned. */
  readonly message: string;
  readonly evidence: FailureEvidence;
  /** For `limited`: when the limit ends, in milliseconds since 1970, if known. */
  readonly untilMs?: number | undefined;
  /** For `limited`: whether only one model is at its limit. */
  readonly isOfModel?: boolean | undefined;
}

/**
 * Classifies a failure, by its HTTP status first, then by its message. `words` as the evidence: the message is not
 * from a report of the CLI's own.
 */
export function failureOf(
  trouble: Trouble,
  at: SaidAt,
  source: "event" | "words" = "event",
): TurnFailure {
  const { message } = trouble;
  const sure = classByWords(SURE_WORDS, trouble);
  const byStatus = classByStatus(trouble.status);
  const failureClass = sure ?? byStatus ?? classByWords(WORDS, trouble) ?? "crash";
  const evidence = byStatus === failureClass ? "status" : source;
  if (failureClass !== "limited") return { class: failureClass, message, evidence };
  const isOfModel = OF_MODEL.test(message);
  return { class: "limited", message, evidence, untilMs: untilMsOf(trouble, at), isOfModel };
}

/** Phrases that are more specific than the status: a context that is too long and missing credit are both 400. */
const SURE_WORDS: readonly (readonly [FailureClass, RegExp])[] = [
  [
    "context-too-long",
    /prompt is too long|context[_ ](?:length|window)|maximum context|input token count|too many tokens|model_max_prompt|exceeds? the (?:available )?context/iu,
  ],
  [
    "limited",
    /billing_error|credit balance|insufficient_quota|(?:usage|session|weekly|spending) limit|hit your .{0,30}limit|quota (?:exceeded|exhausted)|(?:exceeded|exhausted) your (?:\w+ ){0,2}quota|usage_limit|error_max_budget/iu,
  ],
  [
    "no-session",
    /no conversation found|no rollout found|session not found|no previous sessions|no session, task, or name matched|invalid session identifier/iu,
  ],
];

/** A limit that another model of the same account does not have. */
const OF_MODEL =
  /your (?:opus|sonnet|haiku|fable) (?:\w+ )?limit|(?:quota|capacity|limit) (?:on|for|of) this model/iu;

/** Phrases of last resort, if there is no status. */
const WORDS: readonly (readonly [FailureClass, RegExp])[] = [
  [
    "auth",
    /authenticat|unauthori[sz]ed|invalid (?:x-)?api[ -]?key|api key not|not logged in|please (?:run )?\/?log ?in|auth method|no (?:api )?credentials|token (?:has )?expired/iu,
  ],
  ["limited", /rate.?limit|too many requests|resource_exhausted/iu],
  // Before the server errors, because some CLIs report a refused connection as one.
  [
    "network",
    /ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|connection ?(?:refused|reset|closed|error)|(?:unable to|cannot|could not) connect|fetch failed|stream disconnected|error sending request|socket|network/iu,
  ],
  ["overloaded", /overloaded|server_error|internal server error|unavailable|bad gateway/iu],
  [
    "refused-permission",
    /cannot be used with root|permission denied by|not (?:inside|in) a trusted|requires approval/iu,
  ],
];

function classByWords(
  words: readonly (readonly [FailureClass, RegExp])[],
  { code = "", message }: Trouble,
): FailureClass | undefined {
  // Longer texts contain unrelated words, such as the output of a tool.
  const text = `${code} ${message.slice(0, 2_000)}`;
  return words.find(([, pattern]) => pattern.test(text))?.[0];
}

function classByStatus(status: number | undefined): FailureClass | undefined {
  if (status === undefined) return undefined;
  if (status === 401 || status === 403) return "auth";
  if (status === 402 || status === 429) return "limited";
  if (status === 408) return "network";
  return status >= 500 ? "overloaded" : undefined;
}

/** The words of a provider say more than how long the CLI waited before it asked again. */
function untilMsOf({ resetAtMs, retryAfterMs, message }: Trouble, at: SaidAt): number | undefined {
  const said = resetAtMs ?? resetTime(message, at);
  if (said !== undefined || retryAfterMs === undefined) return said;
  return Math.ceil(at.nowMs + retryAfterMs);
}
