import { expect, test } from "vitest";
import { AcpUsage } from "../../../src/engines/acp/acp-usage.ts";

const usage = (inputTokens: number, outputTokens: number) => ({
  ...{ inputTokens, outputTokens, cachedReadTokens: 0, cachedWriteTokens: 0 },
});
const cost = (amount: number, currency = "USD") => ({
  ...{ sessionUpdate: "usage_update", used: 1_050, size: 100_000, cost: { amount, currency } },
});
const request = {
  sessionUpdate: "agent_message_chunk",
  content: { type: "text", text: "" },
  _meta: { usage: { ...usage(1_000, 50), totalTokens: 1_050 } },
};
const quota = { token_count: { input_tokens: 3_000, output_tokens: 150 } };
const tokens = (input: number, output: number, cached = 0) => ({ input, output, cached });

interface Used {
  readonly requests?: number;
  readonly costUsd?: number;
}

/** What each agent said in a turn of three requests, each of 1000 tokens in and 50 out. */
test.each([
  [
    "@agentclientprotocol/claude-agent-acp",
    [cost(0.02)],
    { usage: usage(3_000, 150) },
    { requests: 3, costUsd: 0.02 },
  ],
  ["@agentclientprotocol/codex-acp", [], { usage: usage(3_000, 150) }, { requests: 3 }],
  ["Copilot", [], { usage: usage(3_000, 150) }, { requests: 3 }],
  ["gemini-cli", [], { _meta: { quota } }, { requests: 3 }],
  ["qwen-code", [request, request, request], {}, { requests: 3 }],
  ["OpenCode", [cost(0.01125)], { usage: usage(1_000, 50) }, { costUsd: 0.01125 }],
])("%s: what it used is counted in its own way", (name, updates, end, used: Used) => {
  const counted = new AcpUsage();
  counted.countAs({ name, version: "1.0.0" });
  for (const update of updates) counted.noteUpdate(update);
  counted.noteEnd({ stopReason: "end_turn", ...end });
  const { requests, costUsd } = used;
  const all = requests === undefined ? undefined : tokens(1_000 * requests, 50 * requests);
  expect(counted.used).toEqual({ tokens: all, costUsd });
});

test("tokens of a cache are part of the input", () => {
  const counted = new AcpUsage();
  counted.noteEnd({ usage: { ...usage(10, 5), cachedReadTokens: 100, cachedWriteTokens: 20 } });
  expect(counted.used.tokens).toEqual(tokens(130, 5, 100));
});

test("a cost that is not in dollars, and a number that is none, stay unknown", () => {
  const counted = new AcpUsage();
  expect(counted.noteUpdate(cost(0.5))).toBe(true);
  counted.noteUpdate(cost(3, "credits"));
  expect(counted.used.costUsd).toBeUndefined();
  expect(counted.noteUpdate(cost(-1))).toBe(false);
  expect(counted.noteEnd({ usage: usage(-3, 1) })).toBe(false);
  expect(counted.noteEnd({ usage: usage(1.5, 1) })).toBe(false);
  expect(counted.noteEnd({ usage: null })).toBe(false);
  expect(counted.used).toEqual({ tokens: undefined, costUsd: undefined });
});

test("updates without numbers are no usage, whoever sends them", () => {
  const counted = new AcpUsage();
  expect(counted.noteUpdate(request)).toBe(false);
  expect(counted.noteUpdate({ sessionUpdate: "usage_update", used: 1, size: 2 })).toBe(false);
  counted.countAs({ name: "toString" });
  expect(counted.noteEnd({ usage: usage(1, 1) })).toBe(true);
});
