import { expect, test } from "vitest";
import { loadConfig } from "../../src/settings/config/load-config.ts";
import { namedCommands } from "../../src/settings/config/named-commands.ts";

/** Key and words of each command that settings name, one per line. */
function named(text: string): readonly string[] {
  const config = loadConfig(text);
  if (!config.ok) throw new Error(JSON.stringify(config.failure));
  return namedCommands(config.value).map(({ key, words }) => [key, ...words].join(" | "));
}

test("lists every command line of the settings by its key, word for word", () => {
  const settings = `
engine: { command: [./agent.sh, --fast] }
roles:
  planner: { engine: { acp: [gemini, --acp] } }
  builder: { args: [--effort, high], env: [MYAPP_*] }
setup: [[npm, ci], [npm, run, generate]]
build: [npm, run, build]
verify: [sh, -c, "npm test | tee out"]
commands: { env: [NPM_TOKEN] }
mcp: { notes: { command: [npx, notes-mcp], env: [NOTES_KEY] }, playwright: false }
notify: [curl, "https://ntfy.sh/x"]
`;
  expect(named(settings)).toEqual([
    "engine | ./agent.sh | --fast",
    "roles.planner.engine | gemini | --acp",
    "roles.builder.args | --effort | high",
    "roles.builder.env | MYAPP_*",
    "setup | npm | ci",
    "setup | npm | run | generate",
    "build | npm | run | build",
    "verify | sh | -c | npm test | tee out",
    "commands.env | NPM_TOKEN",
    "mcp.notes | npx | notes-mcp",
    "mcp.notes.env | NOTES_KEY",
    "notify | curl | https://ntfy.sh/x",
  ]);
});

test("lists settings that open the sandbox, too", () => {
  expect(named("sandbox: none\n")).toEqual(["sandbox.kind | none"]);
  expect(
    named(
      "sandbox: { commands: false, allow: [~/.ssh], write: [~/x], deny: [~/y], network: false }",
    ),
  ).toEqual(["sandbox.commands | false", "sandbox.allow | ~/.ssh", "sandbox.write | ~/x"]);
});

test("does not list names of engines, detected commands and disabled ones", () => {
  const settings = "engine: codex\nengines: [claude]\nverify: false\nsetup: false\nnotify: false\n";
  expect(named(settings)).toEqual([]);
  expect(named("")).toEqual([]);
});
