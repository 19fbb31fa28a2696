import type { Tokens } from "../../fs-protocol/records/turn-usage.ts";
import type { Denial, EngineEvent, Trouble } from "../events/engine-event.ts";
import { listAt, numberAt, textAt, valueAt } from "../events/json-value.ts";

/**
 * Reads Claude Code's `--output-format stream-json` (2.1.197 and 2.1.329). A failure of the provider ends in
 * `subtype: "success"` with `is_error: true`, so only `is_error` counts. An assistant line contains one block of a
 * message, with the usage at the message's start, so usage is read from the result only.
 */
export function claudeEvents(line: unknown): readonly EngineEvent[] {
  const type = textAt(line, "type");
  switch (type) {
    case "system":
      return systemEvents(line);
    case "assistant":
      return assistantEvents(line);
    case "user":
      return listAt(line, "message", "content").flatMap((block) => toolResult(line, block));
    case "rate_limit_event":
      return [limitEvent(valueAt(line, "rate_limit_info"), "rate_limit_event")];
    case "result":
      return resultEvents(line);
    default:
      return [{ kind: "unknown", type }];
  }
}

function systemEvents(line: unknown): readonly EngineEvent[] {
  const subtype = textAt(line, "subtype");
  const session = textAt(line, "session_id");
  if (subtype === "init" && session !== undefined) {
    const version = textAt(line, "claude_code_version");
    const broken = listAt(line, "mcp_servers").flatMap((one) => {
      const name = textAt(one, "name");
      if (name === undefined || textAt(one, "status") !== "failed") return [];
      return [{ kind: "broken-server", server: { name, reason: undefined } } as const];
    });
    return [{ kind: "session", session, model: textAt(line, "model"), version }, ...broken];
  }
  if (subtype !== "api_retry") return [{ kind: "unknown", type: `system/${subtype ?? ""}` }];
  const status = numberAt(line, "error_status");
  const code = textAt(line, "error");
  const message = `${code ?? "unknown"}${status === undefined ? "" : ` (${status})`}`;
  const retryAfterMs = numberAt(line, "retry_delay_ms");
  return [{ kind: "retry", trouble: { message, status, code, retryAfterMs } }];
}

/** The model's name in messages that the CLI made itself; they are error messages. */
const SYNTHETIC = "<synthetic>";

function assistantEvents(line: unknown): readonly EngineEvent[] {
  const code = textAt(line, "error");
  const content = listAt(line, "message", "content");
  if (code !== undefined) {
    const message = content.flatMap((block) => textAt(block, "text") ?? []).join(" ");
    const status = numberAt(line, "api_error_status");
    const limit = valueAt(line, "api_error_params", "rate_limit_info");
    return [
      ...(limit === undefined ? [] : [limitEvent(limit, "assistant/limit")]),
      { kind: "error", trouble: { message, status, code } },
    ];
  }
  if (textAt(line, "message", "model") === SYNTHETIC) {
    return [{ kind: "unknown", type: "assistant/synthetic" }];
  }
  return content.flatMap(assistantBlock);
}

function assistantBlock(block: unknown): readonly EngineEvent[] {
  const type = textAt(block, "type");
  const text = textAt(block, "text");
  if (type === "text" && text !== undefined) return [{ kind: "text", text, isDelta: false }];
  const [id, name] = [textAt(block, "id"), textAt(block, "name")];
  if (type !== "tool_use" || id === undefined || name === undefined) return [];
  return [{ kind: "tool-call", id, name, input: JSON.stringify(valueAt(block, "input") ?? {}) }];
}

/** Refusals by rules that ask while nobody can answer, by rules that deny, and for disabled tools. */
const REFUSED = new RegExp(
  "^(?:Claude requested permissions? to |Permission to use .* has been denied|" +
    "(?:File|Path) is in a directory that is denied by your permission settings|" +
    "(?:<tool_use_error>)?(?:Error: )?No such tool available: \\S+\\. .*" +
    "(?:is disabled for this session|is not enabled in this context))",
  "su",
);

function toolResult(line: unknown, block: unknown): readonly EngineEvent[] {
  const id = textAt(block, "tool_use_id");
  if (textAt(block, "type") !== "tool_result" || id === undefined) return [];
  const plain = textAt(block, "content");
  const parts = listAt(block, "content").flatMap((part) => textAt(part, "text") ?? []);
  const text = plain ?? parts.join("\n");
  const isError = valueAt(block, "is_error") === true;
  const isRefused = isError && (isRejected(line, id) || REFUSED.test(text));
  return [{ kind: "tool-result", id, isError, isRefused, text }];
}

/** Reported with the result since 2.1.329. */
function isRejected(line: unknown, id: string): boolean {
  const meta = listAt(line, "tool_result_meta").find((entry) => textAt(entry, "id") === id);
  return textAt(meta, "permission_decision", "decision") === "reject";
}

/** Of the names that providers give to the limits of a plan, those of one model, such as `seven_day_opus`. */
const OF_MODEL = /_(?:opus|sonnet|haiku|fable)$/u;

/**
 * Measured with 2.1.329, for subscriptions; the end is in seconds since 1970. A plan's limit that was reached is also
 * reported as `rejected` while the turn goes on at a price (`isUsingOverage`).
 */
function limitEvent(info: unknown, type: string): EngineEvent {
  const status = textAt(info, "status");
  if (status === undefined) return { kind: "unknown", type };
  const isReached = status === "rejected" && valueAt(info, "isUsingOverage") !== true;
  const seconds = numberAt(info, "resetsAt");
  const resetAtMs = seconds === undefined ? undefined : seconds * 1_000;
  const kind = textAt(info, "rateLimitType");
  const isOfModel = kind === undefined ? undefined : OF_MODEL.test(kind);
  return { kind: "limit", isReached, resetAtMs, isOfModel };
}

function resultEvents(line: unknown): readonly EngineEvent[] {
  const session = textAt(line, "session_id");
  const text = textAt(line, "result");
  const isSuccess = valueAt(line, "is_error") === false;
  const result: EngineEvent = {
    kind: "result",
    isSuccess,
    text: isSuccess ? text : undefined,
    denials: listAt(line, "permission_denials").map(denial),
  };
  return [
    ...(session === undefined ? [] : [{ kind: "session", session } as const]),
    ...(isSuccess ? [] : [{ kind: "error", trouble: troubleOf(line, text) } as const]),
    { kind: "usage", tokens: tokensOf(line), costUsd: numberAt(line, "total_cost_usd") },
    result,
  ];
}

function troubleOf(line: unknown, text: string | undefined): Trouble {
  const errors = listAt(line, "errors").filter((error) => typeof error === "string");
  const subtype = textAt(line, "subtype");
  const message = text ?? (errors.length > 0 ? errors.join(" ") : (subtype ?? "failed"));
  const status = numberAt(line, "api_error_status");
  const code = textAt(line, "api_error_type") ?? (subtype === "success" ? undefined : subtype);
  return { message, status, code };
}

function denial(entry: unknown): Denial {
  const input = JSON.stringify(valueAt(entry, "tool_input") ?? {});
  const [id, tool] = [textAt(entry, "tool_use_id"), textAt(entry, "tool_name") ?? "unknown"];
  return { id, tool, input };
}

function tokensOf(line: unknown): Tokens | undefined {
  const fresh = numberAt(line, "usage", "input_tokens");
  const output = numberAt(line, "usage", "output_tokens");
  if (fresh === undefined || output === undefined) return undefined;
  const cached = numberAt(line, "usage", "cache_read_input_tokens") ?? 0;
  const written = numberAt(line, "usage", "cache_creation_input_tokens") ?? 0;
  return { input: fresh + written + cached, output, cached };
}
