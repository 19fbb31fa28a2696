import type { FailureClass } from "../../fs-protocol/records/failure-class.ts";
import type { Trouble } from "../events/engine-event.ts";
import { resetTime } from "./reset-time.ts";

export interface TurnFailure {
  readonly class: FailureClass;
  /** The message of the CLI or its provider; not yet cleaned. */
  readonly message: string;
  /** For `limited`: when the limit ends, in milliseconds since 1970, if known. */
  readonly untilMs?: number | undefined;
}

/** Classifies a failure, by its HTTP status first, then by its message. */
export function failureOf(trouble: Trouble, nowMs: number): TurnFailure {
  const name = classByWords(SURE_WORDS, trouble) ?? classByStatus(trouble.status);
  const failureClass = name ?? classByWords(WORDS, trouble) ?? "crash";
  const { message } = trouble;
  if (failureClass !== "limited") return { class: failureClass, message };
  return { class: "limited", message, untilMs: untilMsOf(trouble, nowMs) };
}

/** Phrases that are more specific than the status: a context that is too long and missing credit are both 400. */
const SURE_WORDS: readonly (readonly [FailureClass, RegExp])[] = [
  [
    "context-too-long",
    /prompt is too long|context[_ ](?:length|window)|maximum context|input token count|too many tokens|model_max_prompt|exceeds? the (?:available )?context/iu,
  ],
  [
    "limited",
    /billing_error|credit balance|insufficient_quota|(?:usage|session|weekly|spending) limit|quota (?:exceeded|exhausted)|exceeded your current quota|error_max_budget/iu,
  ],
  [
    "no-session",
    /no conversation found|no rollout found|session not found|no previous sessions|no session, task, or name matched|invalid session identifier/iu,
  ],
];

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

function untilMsOf(
  { resetAtMs, retryAfterMs, message }: Trouble,
  nowMs: number,
): number | undefined {
  if (resetAtMs !== undefined) return resetAtMs;
  return retryAfterMs === undefined ? resetTime(message, nowMs) : Math.ceil(nowMs + retryAfterMs);
}
