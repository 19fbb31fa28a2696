import type { EngineEvent, Trouble } from "../events/engine-event.ts";
import { jsonOf } from "../../base/words/json-text.ts";
import { listAt, numberAt, textAt, valueAt } from "../events/json-value.ts";

/** Reads Gemini CLI's `--output-format stream-json` (0.61.0). It prints nothing while it retries. */
export function geminiEvents(line: unknown): readonly EngineEvent[] {
  const type = textAt(line, "type");
  switch (type) {
    case "init": {
      const session = textAt(line, "session_id");
      if (session === undefined) return [{ kind: "unknown", type }];
      return [{ kind: "session", session, model: textAt(line, "model") }];
    }
    case "message":
      return messageEvents(line);
    case "tool_use": {
      const name = textAt(line, "tool_name") ?? "unknown";
      const input = JSON.stringify(valueAt(line, "parameters") ?? {});
      return [{ kind: "tool-call", id: textAt(line, "tool_id") ?? "", name, input }];
    }
    case "tool_result":
      return [toolResult(line)];
    case "error":
      return [{ kind: "error", trouble: troubleOf(textAt(line, "message") ?? "") }];
    case "result":
      return resultEvents(line);
    default:
      return [{ kind: "unknown", type }];
  }
}

/** Gemini reports a failed command as a success; the output or the exit code shows the failure. */
const FAILED = /^(?:Command exited with code: [1-9]|fatal: )/u;

/** Refusals by its policy and its workspace; a tool that the policy removes seems not to exist. */
const REFUSED =
  /^(?:Path not in workspace\b|Tool execution (?:for )?.*denied by policy|Tool ".*" not found\b)/su;

function toolResult(line: unknown): EngineEvent {
  const text = textAt(line, "output") ?? textAt(line, "error", "message") ?? "";
  const isFailed = textAt(line, "status") !== "success";
  const isDenied = textAt(line, "error", "type") === "policy_violation";
  const isRefused = isFailed && (isDenied || REFUSED.test(text));
  const isError = isFailed || FAILED.test(text);
  return { kind: "tool-result", id: textAt(line, "tool_id") ?? "", isError, isRefused, text };
}

function messageEvents(line: unknown): readonly EngineEvent[] {
  const text = textAt(line, "content");
  if (textAt(line, "role") !== "assistant" || text === undefined) {
    return [{ kind: "unknown", type: "message/user" }];
  }
  return [{ kind: "text", text, isDelta: valueAt(line, "delta") === true }];
}

function resultEvents(line: unknown): readonly EngineEvent[] {
  const isSuccess = textAt(line, "status") === "success";
  const input = numberAt(line, "stats", "input_tokens");
  const output = numberAt(line, "stats", "output_tokens");
  const cached = numberAt(line, "stats", "cached") ?? 0;
  const tokens =
    input === undefined || output === undefined ? undefined : { input, output, cached };
  const message = textAt(line, "error", "message") ?? "failed";
  return [
    { kind: "usage", tokens, costUsd: undefined },
    ...(isSuccess ? [] : [{ kind: "error", trouble: troubleOf(message) } as const]),
    { kind: "result", isSuccess, text: undefined, denials: [] },
  ];
}

/** The provider's answer is inside the message: `[API Error: {"error":{"code":401,…}}]`. */
function troubleOf(message: string): Trouble {
  const body = jsonOf(message.slice(message.indexOf("{"), message.lastIndexOf("}") + 1));
  const error = valueAt(body, "error");
  const inner = textAt(error, "message");
  const delay = listAt(error, "details").flatMap((detail) => textAt(detail, "retryDelay") ?? []);
  const seconds = /^(\d+(?:\.\d+)?)s$/u.exec(delay[0] ?? "")?.[1];
  return {
    message: inner ?? message,
    status: numberAt(error, "code"),
    code: textAt(error, "status"),
    retryAfterMs: seconds === undefined ? undefined : Number(seconds) * 1_000,
  };
}
