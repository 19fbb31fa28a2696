#!/usr/bin/env bash
# codex tells its model of an MCP server as one tool of the type `namespace`, with the server's tools in it, and takes a call
# only with that field beside the tool's own name. A call by the joined name `mcp__SERVER__TOOL`, as the model of Claude Code
# makes it, is answered with "unsupported call", and the server hears nothing of it. Guess before the run: each tool is a
# function of its own by that joined name. Who puts a gateway or a scripted model before codex has to pass the field on.
set -euo pipefail

folder="$(mktemp -d)"
server=""
trap '[ -z "$server" ] || kill "$server"; rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p home/.codex work
printf '{ "private": true }\n' >package.json
npm install --no-audit --no-fund --silent @openai/codex@0.171.0

cat >notes.mjs <<'JS'
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";
const schema = { type: "object", properties: { word: { type: "string" } }, required: ["word"] };
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  let result = {};
  if (method === "initialize") {
    result = { protocolVersion: params.protocolVersion, capabilities: { tools: {} } };
    result.serverInfo = { name: "notes", version: "1.0.0" };
  } else if (method === "tools/list") {
    result = { tools: [{ name: "note", description: "Notes a word.", inputSchema: schema }] };
  } else if (method === "tools/call") {
    appendFileSync(process.argv[2], `${params.arguments.word}\n`);
    result = { content: [{ type: "text", text: "noted" }] };
  }
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
}
JS

# A model that calls the tool by its joined name, then with the namespace, then ends. It keeps the requests.
cat >model.mjs <<'JS'
import { appendFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
const call = (at, fields) => ({
  type: "function_call", id: `fc_${at}`, call_id: `call_${at}`, status: "completed", ...fields,
});
const text = { type: "output_text", text: "Done.", annotations: [] };
const steps = [
  call(1, { name: "mcp__notes__note", arguments: '{"word":"joined"}' }),
  call(2, { name: "note", namespace: "mcp__notes", arguments: '{"word":"apart"}' }),
  { type: "message", id: "msg_3", role: "assistant", status: "completed", content: [text] },
];
let asked = 0;
const server = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  if (request.method !== "POST") return response.writeHead(404).end();
  appendFileSync("asked.jsonl", `${body}\n`);
  const item = steps[Math.min(asked++, steps.length - 1)];
  const begun = { id: `resp_${asked}`, object: "response", created_at: 1, model: "m", output: [] };
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  response.writeHead(200, { "content-type": "text/event-stream" });
  const say = (type, fields) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
  say("response.created", { response: { ...begun, status: "in_progress" } });
  say("response.output_item.added", { output_index: 0, item });
  say("response.output_item.done", { output_index: 0, item });
  say("response.completed", { response: { ...begun, status: "completed", output: [item], usage } });
  response.end();
});
server.listen(0, "127.0.0.1", () => writeFileSync("port", String(server.address().port)));
setTimeout(() => process.exit(1), 120_000);
JS
node model.mjs &
server=$!
for _ in $(seq 100); do [ -s port ] && break; sleep 0.1; done

cat >home/.codex/config.toml <<TOML
model = "gpt-5-codex"
model_provider = "mock"
[model_providers.mock]
name = "mock"
base_url = "http://127.0.0.1:$(cat port)/v1"
env_key = "MOCK_KEY"
wire_api = "responses"
[mcp_servers.notes]
command = "$(command -v node)"
args = ["$folder/notes.mjs", "$folder/noted.txt"]
default_tools_approval_mode = "approve"
TOML
codex() { env -i HOME="$folder/home" PATH="$PATH" MOCK_KEY=made-up timeout 90 "$folder/node_modules/.bin/codex" "$@" </dev/null; }
codex exec --json --skip-git-repo-check -C work "Note a word." >out.jsonl 2>err.txt || { cat err.txt out.jsonl; exit 1; }

echo "$(codex --version)"
node --input-type=module - <<'JS'
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
const asked = readFileSync("asked.jsonl", "utf8").trim().split("\n").map((line) => JSON.parse(line));
const shown = asked[0].tools.filter(({ name }) => name?.startsWith("mcp__"));
const told = shown.map(({ type, name, tools }) => `${type} ${name}: ${(tools ?? []).map((tool) => tool.name)}`);
console.log("shown to the model:", told.join("; "));
const answers = asked.at(-1).input.filter(({ type }) => type === "function_call_output");
const words = answers.map(({ output }) => (typeof output === "string" ? output : JSON.stringify(output)));
console.log("by the joined name:", words[0]);
console.log("with the namespace:", words[1].replaceAll(/\s+/gu, " ").slice(0, 120));
const noted = readFileSync("noted.txt", "utf8");
console.log("noted:", noted.trim());
assert.deepEqual(told, ["namespace mcp__notes: note"], "changed: what the model is shown");
assert.equal(words[0], "unsupported call: mcp__notes__note", "changed: the joined name");
assert.equal(noted, "apart\n", "changed: which call reached the server");
JS
