import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Said, Step } from "../rig/model-server.ts";
import { Drive } from "./drive.ts";

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
