import type { EngineEvent } from "../events/engine-event.ts";
import { numberAt, textAt, valueAt } from "../events/json-value.ts";

/** Reads GitHub Copilot CLI's `--output-format json` (1.0.102), which reports neither tokens nor cost. */
export function copilotEvents(line: unknown): readonly EngineEvent[] {
  const type = textAt(line, "type");
  const data = valueAt(line, "data");
  switch (type) {
    case "assistant.message":
      return messageEvents(type, data);
    case "tool.execution_start": {
      const name = textAt(data, "toolName") ?? "unknown";
      const input = JSON.stringify(valueAt(data, "arguments") ?? {});
      return [{ kind: "tool-call", id: textAt(data, "toolCallId") ?? "", name, input }];
    }
    case "tool.execution_complete":
      return [toolResult(data)];
    case "model.call_failure": {
      const status = numberAt(data, "statusCode");
      const message = textAt(data, "errorMessage") ?? `a request failed${statusText(status)}`;
      return [{ kind: "retry", trouble: { message, status } }];
    }
    case "session.error": {
      const [message, code] = [textAt(data, "message") ?? "failed", textAt(data, "errorType")];
      const status = numberAt(data, "statusCode");
      return [{ kind: "error", trouble: { message, status, code } }];
    }
    case "session.mcp_server_status_changed":
      return brokenServer(type, data);
    case "result":
      return resultEvents(line);
    default:
      return [{ kind: "unknown", type }];
  }
}

function brokenServer(type: string, data: unknown): readonly EngineEvent[] {
  const name = textAt(data, "serverName");
  if (name === undefined || textAt(data, "status") !== "failed") return [{ kind: "unknown", type }];
  return [{ kind: "broken-server", server: { name, reason: textAt(data, "error") } }];
}

function messageEvents(type: string, data: unknown): readonly EngineEvent[] {
  const [text = "", model] = [textAt(data, "content"), textAt(data, "model")];
  const events: readonly EngineEvent[] = [
    ...(model === undefined ? [] : [{ kind: "model", model } as const]),
    ...(text === "" ? [] : [{ kind: "text", text, isDelta: false } as const]),
  ];
  return events.length === 0 ? [{ kind: "unknown", type }] : events;
}

function statusText(status: number | undefined): string {
  return status === undefined ? "" : ` (${status})`;
}

/** Messages of refusals for which the error has no code. */
const REFUSED =
  /^(?:Permission denied\b|The user rejected this tool call|Could not request permission)/iu;

function toolResult(data: unknown): EngineEvent {
  const exitCode = numberAt(data, "shellExecution", "exitCode") ?? 0;
  const isError = valueAt(data, "success") !== true || exitCode !== 0;
  const message = textAt(data, "error", "message") ?? "";
  const isRefused =
    valueAt(data, "success") !== true &&
    (textAt(data, "error", "code") === "denied" || REFUSED.test(message));
  const text = textAt(data, "result", "content") ?? message;
  return { kind: "tool-result", id: textAt(data, "toolCallId") ?? "", isError, isRefused, text };
}

function resultEvents(line: unknown): readonly EngineEvent[] {
  const session = textAt(line, "sessionId");
  const isSuccess = numberAt(line, "exitCode") === 0;
  return [
    ...(session === undefined ? [] : [{ kind: "session", session } as const]),
    { kind: "result", isSuccess, text: undefined, denials: [] },
  ];
}
