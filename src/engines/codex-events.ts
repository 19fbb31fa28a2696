import type { EngineEvent, Trouble } from "./engine-event.ts";
import { numberAt, textAt, valueAt } from "./json-value.ts";

/**
 * Codex, `codex exec --json` (0.169.0). The HTTP status stands in the message only. An item of type
 * `error` is a warning, found on good runs, too.
 */
export function codexEvents(line: unknown): readonly EngineEvent[] {
  const type = textAt(line, "type");
  switch (type) {
    case "thread.started": {
      const session = textAt(line, "thread_id");
      return session === undefined ? [{ kind: "unknown", type }] : [{ kind: "session", session }];
    }
    case "item.started":
    case "item.completed":
      return itemEvents(type, valueAt(line, "item"));
    case "error":
      return [errorEvent(textAt(line, "message") ?? "")];
    case "turn.completed":
      return [usage(line), { kind: "result", isSuccess: true, text: undefined, denials: [] }];
    case "turn.failed": {
      const trouble = troubleOf(textAt(line, "error", "message") ?? "");
      const result = { kind: "result", isSuccess: false, text: undefined, denials: [] } as const;
      return [{ kind: "error", trouble }, result];
    }
    default:
      return [{ kind: "unknown", type }];
  }
}

/** Items that are calls of tools, and where each says what it was given. */
const CALLS: Readonly<Record<string, string>> = {
  command_execution: "command",
  file_change: "changes",
  mcp_tool_call: "arguments",
  web_search: "query",
};

function itemEvents(
  when: "item.started" | "item.completed",
  item: unknown,
): readonly EngineEvent[] {
  const type = textAt(item, "type") ?? "";
  const id = textAt(item, "id") ?? "";
  const text = textAt(item, "text");
  const isStart = when === "item.started";
  if (type === "agent_message" && text !== undefined && !isStart) {
    return [{ kind: "text", text, isDelta: false }];
  }
  const given = Object.hasOwn(CALLS, type) ? CALLS[type] : undefined;
  if (given === undefined) return [{ kind: "unknown", type: `${when}/${type}` }];
  const input = JSON.stringify({ [given]: valueAt(item, given) });
  if (isStart) return [{ kind: "tool-call", id, name: type, input }];
  const exitCode = numberAt(item, "exit_code") ?? 0;
  const isError = textAt(item, "status") === "failed" || exitCode !== 0;
  const output = textAt(item, "aggregated_output") ?? "";
  return [{ kind: "tool-result", id, isError, text: output }];
}

function usage(line: unknown): EngineEvent {
  const input = numberAt(line, "usage", "input_tokens");
  const output = numberAt(line, "usage", "output_tokens");
  const cached = numberAt(line, "usage", "cached_input_tokens") ?? 0;
  const tokens =
    input === undefined || output === undefined ? undefined : { input, output, cached };
  return { kind: "usage", tokens, costUsd: undefined };
}

/** It goes on by itself after a message such as `Reconnecting... 1/5 (…)`. */
const AGAIN = /^Reconnecting\.\.\./u;

function errorEvent(message: string): EngineEvent {
  return { kind: AGAIN.test(message) ? "retry" : "error", trouble: troubleOf(message) };
}

function troubleOf(message: string): Trouble {
  const status = /\b(?:last|unexpected) status:? (\d{3})\b/u.exec(message)?.[1];
  return { message, status: status === undefined ? undefined : Number(status) };
}
