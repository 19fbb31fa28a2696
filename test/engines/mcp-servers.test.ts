import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Said, Step } from "../rig/model-server.ts";
import { Drive } from "./drive.ts";
import { engineSession } from "./engine-session.ts";
import { HELLO, modelOf } from "./model-mind.ts";
import { BUILDER } from "./troubled-session.ts";

const SERVER = join(import.meta.dirname, "../fixtures/mcp/notes.mjs");

/** How the CLIs name the tool for their models. */
const TOOLS = {
  claude: { name: "mcp__notes__note" },
  codex: { namespace: "mcp__notes", name: "note" },
  copilot: { name: "notes-note" },
  opencode: { name: "notes_note" },
} as const;

for (const cli of ["claude", "codex", "copilot", "opencode"] as const) {
  test(`${cli}: calls a tool of a server of the settings without being asked`, async () => {
    const script = (said: readonly Said[]): Step =>
      said.some(({ by }) => by === "tool")
        ? { text: "### Verdict: PASSED" }
        : { text: "I will.", tools: [{ ...TOOLS[cli], input: { word: "hello" } }] };
    await using drive = await Drive.start(cli, script);
    drive.setVariables({ ENABLE_TOOL_SEARCH: "false" });
    const noted = join(drive.directory, "noted.txt");
    const notes = { name: "notes", command: [process.execPath, SERVER, noted], env: [] };
    const outcome = await drive.turn({ prompt: "Note hello." }, { mcp: [notes] });
    expect(outcome).toMatchObject({ kind: "ended" });
    expect(outcome.denials ?? []).toEqual([]);
    expect(existsSync(noted) ? readFileSync(noted, "utf8") : "nothing").toBe("hello\n");
  });
}

test("codex: a call of a server that only the person's own settings of codex name is counted as refused", async () => {
  const call = { text: "I will.", tools: [{ ...TOOLS.codex, input: { word: "hello" } }] };
  const script = [call, Drive.shell("codex", "true"), { text: "### Verdict: PASSED" }];
  await using drive = await Drive.start("codex", script);
  const noted = join(drive.directory, "noted.txt");
  const [command, args] = [process.execPath, [SERVER, noted]].map((each) => JSON.stringify(each));
  const settings = join(drive.directory, "home", ".codex", "config.toml");
  appendFileSync(settings, `\n[mcp_servers.notes]\ncommand = ${command}\nargs = ${args}\n`);
  const outcome = await drive.turn({ prompt: "Note hello." });
  expect(outcome).toMatchObject({ kind: "ended" });
  expect(existsSync(noted)).toBe(false);
  expect(outcome.denials?.map(({ tool }) => tool)).toEqual(["mcp_tool_call"]);
});

for (const cli of ["claude", "codex", "copilot", "opencode"] as const) {
  test(`${cli}: a server that does not start is named, and the turn goes on`, async () => {
    await using drive = await Drive.start(cli, [
      Drive.shell(cli, "true"),
      { text: "### Verdict: PASSED" },
    ]);
    const command = [process.execPath, "-e", "process.exit(3)"];
    const outcome = await drive.turn({}, { mcp: [{ name: "notes", command, env: [] }] });
    expect(outcome).toMatchObject({ kind: "ended", brokenServers: [{ name: "notes" }] });
  });
}

for (const cli of ["claude", "codex", "copilot", "opencode"] as const) {
  test(`${cli}: waits for a slow server before it first asks its model`, async () => {
    await using drive = await Drive.start(cli, [{ text: "### Verdict: PASSED" }]);
    drive.setVariables({ ENABLE_TOOL_SEARCH: "false" });
    const script = 'sleep 4; exec "$@"';
    const noted = join(drive.directory, "noted.txt");
    const command = ["sh", "-c", script, "slow", process.execPath, SERVER, noted];
    const outcome = await drive.turn({}, { mcp: [{ name: "notes", command, env: [] }] });
    expect(outcome).toMatchObject({ kind: "ended" });
    const [first] = drive.model.asked.filter(({ isMain }) => isMain);
    // claude tells its model the names of such tools, the others all of them.
    const named = new RegExp(String.raw`(?:"|\\n)${TOOLS[cli].name}(?:"|\\n)`, "u");
    expect(named.test(first?.body ?? "")).toBe(true);
  });
}

test("codex: a server that does not start does not take away the tools of others", async () => {
  const script = (said: readonly Said[]): Step =>
    said.at(-1)?.by === "tool"
      ? { text: "### Verdict: PASSED" }
      : { text: "I will.", tools: [{ ...TOOLS.codex, input: { word: "hello" } }] };
  await using drive = await Drive.start("codex", script);
  const noted = join(drive.directory, "noted.txt");
  const notes = { name: "notes", command: [process.execPath, SERVER, noted], env: [] };
  const ends = { name: "ends", command: [process.execPath, "-e", "process.exit(3)"], env: [] };
  const gone = { name: "gone", command: [join(drive.directory, "gone")], env: [] };
  const first = await drive.turn({}, { mcp: [ends, notes, gone] });
  expect(first).toMatchObject({ kind: "ended" });
  expect(first.brokenServers?.map(({ name }) => name)).toEqual(["ends", "gone"]);
  expect(readFileSync(noted, "utf8")).toBe("hello\n");
});

test("gemini: servers that it cannot be given are named", async () => {
  await using drive = await Drive.start("gemini", [{ text: "### Verdict: PASSED" }]);
  const command = [process.execPath, SERVER, join(drive.directory, "noted.txt")];
  const outcome = await drive.turn({}, { mcp: [{ name: "notes", command, env: [] }] });
  expect(outcome).toMatchObject({ kind: "ended", brokenServers: [{ name: "notes" }] });
});

test("a server that does not start is noted once, and the session goes on", async () => {
  const notes = { command: [process.execPath, "-e", "process.exit(3)"] };
  await using run = await engineSession({
    engines: [["claude", modelOf("claude", HELLO)]],
    ...BUILDER,
  });
  const settings = join(run.session.repository, ".wisp", "config.yaml");
  const mcp = `mcp: ${JSON.stringify({ notes, playwright: false })}`;
  writeFileSync(settings, readFileSync(settings, "utf8").replace(/^mcp: .*$/mu, mcp));
  const ended = await run.session.wisp("start", "request.md");
  expect({ ...ended, code: ended.code === 0 ? 0 : ended.stdout + ended.stderr }).toMatchObject({
    code: 0,
  });
  const { stdout } = await run.session.wisp("log");
  expect(
    stdout.match(/claude: the MCP server notes did not start, so its tools are missing/gu),
  ).toHaveLength(1);
});
