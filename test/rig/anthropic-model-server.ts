import type { ServerResponse } from "node:http";
import { listAt, textAt } from "../../src/engines/json-value.ts";
import { sendEvent, type Dialect, type Step, type Turn } from "./model-server.ts";

/** `POST /v1/messages`, streamed: claude. */
export const anthropic: Dialect = {
  kindOf(path, body) {
    if (!path.endsWith("/v1/messages")) return undefined;
    return listAt(body, "tools").length > 0 ? "main" : "side";
  },
  answer,
  refusal: ({ type = "api_error", message = "refused" }) => ({
    type: "error",
    error: { type, message },
  }),
  other: (path) => (path.endsWith("/count_tokens") ? { input_tokens: 10 } : undefined),
};

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
