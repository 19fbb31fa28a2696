#!/usr/bin/env bash
# codex exec asks its model before an MCP server has answered `initialize`, however long `startup_timeout_sec` is: the tools are
# missing in the first request. With `required = true` it waits for that server. A required server that ends at once then ends
# the whole run before it begins: exit 1, not one JSON event on standard output, only words on standard error, although
# `--json` was asked for. Guess before the run: `startup_timeout_sec` makes it wait, and a failed start is an event. Who runs
# codex for others has to read standard error to tell a broken tool server from a broken codex.
set -euo pipefail

folder="$(mktemp -d)"
server=""
trap '[ -z "$server" ] || kill "$server"; rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p home/.codex work
printf '{ "private": true }\n' >package.json
npm install --no-audit --no-fund --silent @openai/codex@0.171.0

# A server with one tool, which is there after three seconds.
cat >slow.mjs <<'JS'
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
await setTimeout(3_000);
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const about = { protocolVersion: params?.protocolVersion, serverInfo: { name: "slow", version: "1.0.0" } };
  const tools = [{ name: "note", description: "Notes a word.", inputSchema: { type: "object" } }];
  const result = method === "initialize" ? { ...about, capabilities: { tools: {} } } : { tools };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
}
JS

# A model that ends at once, and keeps the request.
cat >model.mjs <<'JS'
import { appendFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
const content = [{ type: "output_text", text: "Done.", annotations: [] }];
const item = { type: "message", id: "msg_1", role: "assistant", status: "completed", content };
const server = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  if (request.method !== "POST") return response.writeHead(404).end();
  appendFileSync("asked.jsonl", `${body}\n`);
  const begun = { id: "resp_1", object: "response", created_at: 1, model: "m", output: [] };
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  response.writeHead(200, { "content-type": "text/event-stream" });
  const say = (type, fields) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
  say("response.created", { response: { ...begun, status: "in_progress" } });
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

# run NAME ARGUMENTS.json EXTRA: one run with the MCP server `node ARGUMENTS` and more of its settings.
run() {
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
args = $2
startup_timeout_sec = 60
$3
TOML
  : >asked.jsonl
  code=0
  env -i HOME="$folder/home" PATH="$PATH" MOCK_KEY=made-up timeout 90 node_modules/.bin/codex \
    exec --json --skip-git-repo-check -C work "Say something." </dev/null >out.jsonl 2>err.txt || code=$?
  has=missing
  grep -q '"mcp__notes"' asked.jsonl && has=there
  asked="$(wc -l <asked.jsonl)"
  printed="$(wc -l <out.jsonl)"
  echo "$1: exit $code, $asked requests, tool $has in them, $printed lines on standard output"
}
fail() { echo "changed: $1"; cat err.txt; exit 1; }

node_modules/.bin/codex --version
run "slow" "[\"$folder/slow.mjs\"]" ""
[ "$code $asked $has" = "0 1 missing" ] || fail "a slow server"
run "slow, required" "[\"$folder/slow.mjs\"]" "required = true"
[ "$code $asked $has" = "0 1 there" ] || fail "a slow server that is required"
run "ends at once" '["-e", "process.exit(3)"]' ""
[ "$code $asked $has" = "0 1 missing" ] || fail "a broken server"
run "ends at once, required" '["-e", "process.exit(3)"]' "required = true"
[ "$code $asked $printed" = "1 0 0" ] || fail "a broken server that is required"
grep -o 'required MCP servers failed to initialize: notes' err.txt | sort -u
