import { Tokens } from "../../fs-protocol/records/turn-usage.ts";
import type { EngineEvent } from "../events/engine-event.ts";
import { listAt, numberAt, textAt, valueAt } from "../events/json-value.ts";

/** Reads the output of `wisp acp-turn` (`acp-line.ts`), which contains updates of the Agent Client Protocol. */
export function acpEvents(line: unknown): readonly EngineEvent[] {
  const type = textAt(line, "type");
  switch (type) {
    case "session": {
      const session = textAt(line, "session");
      if (session === undefined) return [{ kind: "unknown", type }];
      return [{ kind: "session", session, model: textAt(line, "model") }];
    }
    case "update":
      return updateEvents(valueAt(line, "update"));
    case "usage": {
      const tokens = Tokens.safeParse(valueAt(line, "tokens")).data;
      return [{ kind: "usage", tokens, costUsd: numberAt(line, "costUsd") }];
    }
    case "refused": {
      const tool = textAt(line, "tool") ?? "unknown";
      const denial = { id: textAt(line, "id"), tool, input: inputOf(line, "input") };
      return [{ kind: "denial", denial }];
    }
    case "asked": {
      const question = textAt(line, "question") ?? "";
      // In the form of an answer's last word.
      const text = JSON.stringify({ status: "NEEDS_INPUT", question });
      return [{ kind: "result", isSuccess: true, text, denials: [] }];
    }
    case "error": {
      const [message, code] = [textAt(line, "message") ?? "failed", textAt(line, "code")];
      return [{ kind: "error", trouble: { message, code, status: numberAt(line, "status") } }];
    }
    case "result":
      return resultEvents(line);
    default:
      return [{ kind: "unknown", type }];
  }
}

function updateEvents(update: unknown): readonly EngineEvent[] {
  const type = textAt(update, "sessionUpdate");
  const id = textAt(update, "toolCallId") ?? "";
  switch (type) {
    case "agent_message_chunk": {
      const text = textAt(update, "content", "text");
      return text === undefined ? [] : [{ kind: "text", text, isDelta: true }];
    }
    case "tool_call": {
      const name = textAt(update, "title") ?? textAt(update, "kind") ?? "unknown";
      const call = { kind: "tool-call", id, name, input: inputOf(update, "rawInput") } as const;
      return [call, ...toolResult(update, id)];
    }
    case "tool_call_update": {
      const result = toolResult(update, id);
      return result.length > 0 ? result : [{ kind: "unknown", type }];
    }
    default:
      return [{ kind: "unknown", type: `update/${type ?? ""}` }];
  }
}

/** The result of a call, if the call has ended. */
function toolResult(update: unknown, id: string): readonly EngineEvent[] {
  const status = textAt(update, "status");
  if (status !== "completed" && status !== "failed") return [];
  const parts = listAt(update, "content").flatMap((part) => textAt(part, "content", "text") ?? []);
  return [{ kind: "tool-result", id, isError: status === "failed", text: parts.join("\n") }];
}

function resultEvents(line: unknown): readonly EngineEvent[] {
  const reason = textAt(line, "stopReason") ?? "none";
  const isSuccess = reason === "end_turn";
  const message = `the agent stopped: ${reason}`;
  return [
    ...(isSuccess ? [] : [{ kind: "error", trouble: { message, code: reason } } as const]),
    { kind: "result", isSuccess, text: undefined, denials: [] },
  ];
}

function inputOf(value: unknown, key: string): string {
  return JSON.stringify(valueAt(value, key) ?? {});
}
