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

/** `POST /v1/responses` (codex) and `POST /v1/chat/completions` (opencode, copilot), streamed. */
export const openai: Dialect = {
  kindOf(path, body) {
    if (!/\/(?:responses|chat\/completions)$/u.test(path)) return undefined;
    return listAt(body, "tools").length > 0 ? "main" : "side";
  },
  answer(response, step, turn) {
    if (turn.path.endsWith("/responses")) respond(response, step, turn);
    else complete(response, step, turn);
  },
  // The one calls it `input`, the other `messages`.
  said: (body) => [...listAt(body, "input"), ...listAt(body, "messages")].flatMap(saidIn),
  refusal: ({ type = "server_error", message = "refused", details }) => ({
    error: { message, type, code: null, ...details },
  }),
  other: (path) =>
    path.endsWith("/models")
      ? { object: "list", data: [{ id: "mock-model", object: "model", owned_by: "wisp" }] }
      : undefined,
};

function saidIn(item: unknown): readonly Said[] {
  const content = valueAt(item, "content");
  if (textAt(item, "type") === "function_call_output")
    return [{ by: "tool", text: textOf(valueAt(item, "output")) }];
  if (textAt(item, "role") === "tool") return [{ by: "tool", text: textOf(content) }];
  return textAt(item, "role") === "user" ? [{ by: "person", text: textOf(content) }] : [];
}

function respond(response: ServerResponse, step: Step, { number, body }: Turn): void {
  let sequence = 0;
  const say = (type: string, fields: object) => {
    sendEvent(response, { type, sequence_number: sequence++, ...fields }, type);
  };
  const id = `resp_${number}`;
  const begun = {
    ...{ id, object: "response", created_at: 1, model: textAt(body, "model") },
    ...{ status: "in_progress", output: [] },
  };
  say("response.created", { response: begun });
  if (step.isCut === true) return;
  const output = outputOf(step, number);
  output.forEach((item, output_index) => {
    say("response.output_item.added", { output_index, item });
    say("response.output_item.done", { output_index, item });
  });
  const usage = {
    ...{ input_tokens: 1_000, output_tokens: 50, total_tokens: 1_050 },
    ...{ input_tokens_details: { cached_tokens: 0 } },
    ...{ output_tokens_details: { reasoning_tokens: 0 } },
  };
  say("response.completed", { response: { ...begun, status: "completed", output, usage } });
}

function outputOf({ text, tools = [] }: Step, number: number): readonly object[] {
  const content = [{ type: "output_text", text, annotations: [] }];
  const message = {
    ...{ id: `msg_${number}`, type: "message", role: "assistant", status: "completed" },
    content,
  };
  const calls = tools.map(({ name, namespace, input }, at) => ({
    ...{ id: `fc_${number}_${at}`, type: "function_call", status: "completed", namespace },
    ...{ call_id: `call_${number}_${at}`, name, arguments: JSON.stringify(input) },
  }));
  return [...(text === undefined ? [] : [message]), ...calls];
}

function complete(response: ServerResponse, step: Step, { number, body }: Turn): void {
  const base = {
    ...{ id: `chatcmpl-${number}`, object: "chat.completion.chunk", created: 1 },
    model: textAt(body, "model"),
  };
  const say = (delta: object, finish_reason: string | null = null) => {
    sendEvent(response, { ...base, choices: [{ index: 0, delta, finish_reason }] });
  };
  say({ role: "assistant", content: "" });
  if (step.isCut === true) return;
  const { text, tools = [] } = step;
  if (text !== undefined) say({ content: text });
  const calls = tools.map(({ name, input }, index) => ({
    ...{ index, id: `call_${number}_${index}`, type: "function" },
    function: { name, arguments: JSON.stringify(input) },
  }));
  if (calls.length > 0) say({ tool_calls: calls });
  say({}, calls.length > 0 ? "tool_calls" : "stop");
  const usage = { prompt_tokens: 1_000, completion_tokens: 50, total_tokens: 1_050 };
  sendEvent(response, { ...base, choices: [], usage });
  sendEvent(response, "[DONE]");
}
