#!/usr/bin/env bash
# Over ACP, qwen asks its model again after the model's last word: with the whole conversation once more, what is to be kept
# in its managed memory; and after a prompt with a tool call also what the person might type next. No person and no terminal
# is there. Guess before the run: as many requests as the model takes steps, and none after its last word. Who gives a budget
# in requests or tokens to a program has to count one or two more for each prompt.
set -euo pipefail

folder="$(mktemp -d)"
model=""
trap '[ -z "$model" ] || kill "$model"; rm -rf "$folder"' EXIT
cd "$folder"
printf '{ "private": true }\n' >package.json
npm install --no-audit --no-fund --silent --engine-strict=false @qwen-code/qwen-code@0.24.4 node@22.23.3

# A model that says one word, if wished after a call of a tool. It notes what each request ends with.
cat >model.mjs <<'JS'
import { appendFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
const KINDS = [["memory", "Managed memory has"], ["suggestion", "[SUGGESTION MODE"], ["prompt", "Say done."]];
let asked = 0;
const server = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  if (request.method !== "POST") return response.writeHead(404).end();
  const last = JSON.parse(body).messages.at(-1);
  const text = JSON.stringify(last.content);
  const kind = last.role === "tool" ? "tool" : (KINDS.find(([, words]) => text.includes(words))?.[0] ?? "other");
  appendFileSync("asked.txt", `${kind}\n`);
  const input = { pattern: "*.md" };
  const call = { name: "glob", arguments: JSON.stringify(input) };
  const tools = [{ index: 0, id: "call_1", type: "function", function: call }];
  const isCall = asked++ === 0 && process.argv[2] === "tool";
  const delta = isCall ? { role: "assistant", tool_calls: tools } : { role: "assistant", content: "Done." };
  const chunk = { id: "x", object: "chat.completion.chunk", created: 1, model: "m" };
  const usage = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 };
  const end = { index: 0, delta: {}, finish_reason: isCall ? "tool_calls" : "stop" };
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(`data: ${JSON.stringify({ ...chunk, choices: [{ index: 0, delta, finish_reason: null }] })}\n\n`);
  response.write(`data: ${JSON.stringify({ ...chunk, choices: [end], usage })}\n\n`);
  response.end("data: [DONE]\n\n");
});
server.listen(0, "127.0.0.1", () => writeFileSync("port", String(server.address().port)));
JS

cat >ask.mjs <<'JS'
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
const cwd = `${process.cwd()}/work`;
const agent = spawn(process.argv[2], ["--acp"], { stdio: ["pipe", "pipe", "ignore"], cwd });
const answers = new Map();
const send = (message) => agent.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
createInterface({ input: agent.stdout }).on("line", (line) => {
  try {
    const { id, method, params, result } = JSON.parse(line);
    if (method === undefined) answers.get(id)?.(result);
    else if (method === "session/request_permission") {
      const outcome = { outcome: "selected", optionId: params.options[0].optionId };
      send({ id, result: { outcome } });
    }
  } catch {}
});
let last = 0;
const ask = (method, params) =>
  new Promise((resolve) => {
    answers.set(++last, resolve);
    send({ id: last, method, params });
  });
await ask("initialize", { protocolVersion: 1, clientCapabilities: {} });
const { sessionId } = await ask("session/new", { cwd, mcpServers: [] });
const { stopReason } = await ask("session/prompt", { sessionId, prompt: [{ type: "text", text: "Say done." }] });
if (stopReason !== "end_turn") process.exit(1);
await new Promise((resolve) => setTimeout(resolve, 8_000));
agent.kill();
await new Promise((resolve) => agent.once("exit", resolve));
process.exit();
JS

asked_by() {
  rm -rf home work asked.txt port
  mkdir home work
  echo "# Notes" >work/notes.md
  node model.mjs "$1" &
  model="$!"
  until [ -f port ]; do sleep 0.2; done
  env -i HOME="$folder/home" PATH="$folder/node_modules/.bin:$PATH" OPENAI_API_KEY=made-up OPENAI_MODEL=m \
    OPENAI_BASE_URL="http://127.0.0.1:$(cat port)/v1" timeout 90 node ask.mjs "$folder/node_modules/.bin/qwen"
  kill "$model"
  wait "$model" || true
  model=""
  # Its own process ends a moment after the one that started it.
  sleep 2
  sort asked.txt | paste -sd ' '
}

echo "qwen 0.24.4, what each of its requests ends with, sorted:"
one_word="$(asked_by word | tail -1)"
echo "one word:           $one_word"
with_tool="$(asked_by tool | tail -1)"
echo "a tool, then a word: $with_tool"

[ "$one_word" = "memory prompt" ] || { echo "changed: one word"; exit 1; }
[ "$with_tool" = "memory prompt suggestion tool" ] || { echo "changed: a tool"; exit 1; }
