#!/usr/bin/env bash
# Over ACP, gemini offers its models in the answer to `session/new` and takes `session/set_model`, which the SDK of the
# protocol no longer has; to `session/set_config_option`, which took its place, it answers "method not found". It checks no
# name: a model that it never offered is taken with success. opencode takes both requests,
# and refuses a model that it does not know. Guess before the run: both agents have the request of the SDK, and refuse a
# model that they do not offer. Who lets people choose a model has to ask in two ways, and cannot believe the answer.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir home
printf '{ "private": true }\n' >package.json
npm install --no-audit --no-fund --silent @google/gemini-cli@0.61.0 opencode-ai@1.18.33 @agentclientprotocol/sdk@2.4.0

cat >ask.mjs <<'JS'
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
const [known, ...argv] = process.argv.slice(2);
const agent = spawn(argv[0], argv.slice(1), { stdio: ["pipe", "pipe", "ignore"] });
const answers = new Map();
createInterface({ input: agent.stdout }).on("line", (line) => {
  try {
    const message = JSON.parse(line);
    answers.get(message.id)?.(message);
  } catch {}
});
let id = 0;
const ask = (method, params) =>
  new Promise((resolve) => {
    answers.set(++id, resolve);
    agent.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
  });
await ask("initialize", { protocolVersion: 1, clientCapabilities: {} });
const { result } = await ask("session/new", { cwd: process.cwd(), mcpServers: [] });
const { sessionId, models, configOptions = [] } = result;
const option = configOptions.find(({ category }) => category === "model");
const said = ({ error }) => (error === undefined ? "taken" : `error ${error.code}`);
console.log(`offers: models=${models !== undefined} option=${option !== undefined}`);
for (const model of [known, "no-such-model"]) {
  const one = said(await ask("session/set_model", { sessionId, modelId: model }));
  const set = { sessionId, configId: "model", value: model };
  console.log(`${model}: set_model ${one}, set_config_option ${said(await ask("session/set_config_option", set))}`);
}
agent.kill();
process.exit();
JS

agent() {
  env -i HOME="$folder/home" PATH="$PATH" GEMINI_API_KEY=made-up ANTHROPIC_API_KEY=made-up timeout 90 \
    node ask.mjs "$@"
}
gemini="$(agent gemini-2.5-pro node_modules/.bin/gemini --acp)"
opencode="$(agent anthropic/claude-haiku-4-5 node_modules/.bin/opencode acp)"
sdk="$(node --input-type=module -e '
  import { methods } from "@agentclientprotocol/sdk";
  console.log(Object.values(methods.agent.session).filter((name) => name.startsWith("session/set_")).sort().join(" "));
')"

echo "gemini $(node_modules/.bin/gemini --version)"
echo "$gemini"
echo "opencode $(node_modules/.bin/opencode --version)"
echo "$opencode"
echo "SDK 2.4.0: $sdk"

[ "$gemini" = "offers: models=true option=false
gemini-2.5-pro: set_model taken, set_config_option error -32601
no-such-model: set_model taken, set_config_option error -32601" ] || { echo "changed: gemini"; exit 1; }
[ "$opencode" = "offers: models=false option=true
anthropic/claude-haiku-4-5: set_model taken, set_config_option taken
no-such-model: set_model error -32602, set_config_option error -32602" ] || { echo "changed: opencode"; exit 1; }
[ "$sdk" = "session/set_config_option session/set_mode" ] || { echo "changed: the SDK"; exit 1; }
