import type { ServerResponse } from "node:http";
import { listAt, textAt, valueAt } from "../../src/engines/events/json-value.ts";
import {
  sendEvent,
  textOf,
  type Dialect,
  type Said,
  type Step,
  type Turn,
} from "./model-server.ts";

/** `POST /v1/messages`, streamed: claude. */
export const anthropic: Dialect = {
  kindOf(path, body) {
    if (!path.endsWith("/v1/messages")) return undefined;
    return listAt(body, "tools").length > 0 ? "main" : "side";
  },
  answer,
  said: (body) => listAt(body, "messages").flatMap(saidIn),
  refusal: ({ type = "api_error", message = "refused", details }) => ({
    type: "error",
    error: { type, message, ...details },
  }),
  other: (path) => (path.endsWith("/count_tokens") ? { input_tokens: 10 } : undefined),
};

function saidIn(message: unknown): readonly Said[] {
  if (textAt(message, "role") !== "user") return [];
  const content = valueAt(message, "content");
  if (typeof content === "string") return [{ by: "person", text: content }];
  return listAt(content).flatMap((block): readonly Said[] => {
    if (textAt(block, "type") === "text") return [{ by: "person", text: textOf([block]) }];
    if (textAt(block, "type") !== "tool_result") return [];
    return [{ by: "tool", text: textOf(valueAt(block, "content")) }];
  });
}

function answer(response: ServerResponse, step: Step, { number, body }: Turn): void {
  const say = (type: string, fields: object) => {
    sendEvent(response, { type, ...fields }, type);
  };
  const usage = {
    input_tokens: 1_000,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: 1,
  };
  const message = {
    id: `msg_${number}`,
    type: "message",
    role: "assistant",
    model: textAt(body, "model"),
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  };
  say("message_start", { message });
  if (step.isCut === true) return;
  const { text, tools = [] } = step;
  if (text !== undefined) {
    say("content_block_start", { index: 0, content_block: { type: "text", text: "" } });
    say("content_block_delta", { index: 0, delta: { type: "text_delta", text } });
    say("content_block_stop", { index: 0 });
  }
  tools.forEach(({ name, input }, at) => {
    const index = at + (text === undefined ? 0 : 1);
    const id = `toolu_${number}_${at}`;
    say("content_block_start", { index, content_block: { type: "tool_use", id, name, input: {} } });
    const partial = JSON.stringify(input);
    say("content_block_delta", {
      index,
      delta: { type: "input_json_delta", partial_json: partial },
    });
    say("content_block_stop", { index });
  });
  const reason = tools.length > 0 ? "tool_use" : "end_turn";
  const delta = { stop_reason: reason, stop_sequence: null };
  say("message_delta", { delta, usage: { ...usage, output_tokens: 50 } });
  say("message_stop", {});
}
