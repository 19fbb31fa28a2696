import { expect, test } from "vitest";
import { MCP_CLIENTS } from "../../src/cli/mcp-clients.ts";

const COMMAND = ["wisp", "mcp"] as const;
const { claude, codex, copilot, gemini, opencode } = MCP_CLIENTS;

function merged(client: typeof claude, before: string | undefined): string {
  const text = client.merge(before, COMMAND);
  return text.ok ? text.value : `refused: ${text.failure}`;
}

test("what else stands in a client's file stays, and the same is not written twice", () => {
  const other = { theme: "dark", mcpServers: { notes: { command: "notes" } } };
  const before = `${JSON.stringify(other, undefined, 4)}\n`;
  const after = merged(claude, before);
  expect(JSON.parse(after)).toEqual({
    theme: "dark",
    mcpServers: { notes: { command: "notes" }, wisp: { command: "wisp", args: ["mcp"] } },
  });
  expect(after).toContain('\n    "theme"');
  expect(merged(claude, after)).toBe(after);

  const toml = '# mine\nmodel = "o"\n\n[mcp_servers.notes]\ncommand = "notes"';
  const table = '[mcp_servers.wisp]\ncommand = "wisp"\nargs = ["mcp"]\n';
  expect(merged(codex, toml)).toBe(`${toml}\n\n${table}`);
  expect(merged(codex, `${toml}\n\n${table}`)).toBe(`${toml}\n\n${table}`);
});

test("a file that is not there is made, in the form of each client", () => {
  expect(merged(codex, undefined)).toBe('[mcp_servers.wisp]\ncommand = "wisp"\nargs = ["mcp"]\n');
  expect(JSON.parse(merged(gemini, undefined))).toHaveProperty("mcpServers.wisp.command", "wisp");
  expect(JSON.parse(merged(copilot, undefined))).toHaveProperty("mcpServers.wisp.tools", ["*"]);
  expect(JSON.parse(merged(opencode, undefined))).toHaveProperty("mcp.wisp.command", COMMAND);
});

test.each([
  ["taken", claude, '{"mcpServers":{"wisp":{"command":"other"}}}'],
  ["taken", codex, '[mcp_servers.wisp]\ncommand = "other"\n'],
  ["taken", codex, '[mcp_servers]\nnotes = { command = "x" }\nwisp = { command = "other" }\n'],
  ["taken", codex, 'mcp_servers = { wisp = { command = "other" } }\n'],
  ["unreadable", claude, '{ // mine\n "mcpServers": {} }'],
  ["unreadable", claude, "[]"],
  ["unreadable", gemini, '{"mcpServers":[]}'],
])("a file is left alone: %s", (why, client, before) => {
  expect(merged(client, before)).toBe(`refused: ${why}`);
});
