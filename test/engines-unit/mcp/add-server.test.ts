import fc from "fast-check";
import { parse as parseToml, stringify as stringifyToml } from "smol-toml";
import { expect, test } from "vitest";
import { present } from "../../../src/base/assert.ts";
import { codingCli } from "../../../src/engines/coding-clis.ts";
import { addServer } from "../../../src/engines/mcp/add-server.ts";

const COMMAND = ["wisp", "mcp"] as const;
const ENTRY = { command: "wisp", args: ["mcp"] };

function added(
  name: string,
  before: string | undefined,
  command: readonly [string, ...string[]] = COMMAND,
): string {
  const { mcpClient } = present(codingCli(name), "the client is known");
  const text = addServer(mcpClient, before, command);
  return text.ok ? text.value : `refused: ${text.failure}`;
}

test("keeps everything else in a client's JSON file, and does not add the server twice", () => {
  const other = { theme: "dark", mcpServers: { notes: { command: "notes" } } };
  const before = `${JSON.stringify(other, undefined, 4)}\n`;
  const after = added("claude", before);
  expect(JSON.parse(after)).toEqual({
    theme: "dark",
    mcpServers: { notes: { command: "notes" }, wisp: ENTRY },
  });
  expect(after).toContain('\n    "theme"');
  expect(added("claude", after)).toBe(after);
});

const CODEX = `# mine
model = "o" # why this one

[mcp_servers.notes]   # another server
command   =   'notes'

# People I work with.
[profiles."for review"]
prompt = """
[mcp_servers.wisp]
command = "not a table: a text"
"""
big = 9223372036854775807
since = 1979-05-27

[[history]]
lines = [ 1,
  2, # the second
]`;

test.each([
  ["a file with comments, other tables and texts over several lines", CODEX],
  ["one with Windows line ends", CODEX.replaceAll("\n", "\r\n") + "\r\n"],
  ["one that has the table of servers", '[mcp_servers]\n# c\nnotes = { command = "x" }\n'],
  ["one with quoted names", '["mcp_servers"."notes"]\ncommand = "x"\n'],
  ["one with dotted keys", 'mcp_servers.notes.command = "x"\n'],
  ["only comments", "# hello\n"],
])("keeps every byte of codex's file: %s", (_what, before) => {
  const after = added("codex", before);
  expect(after.startsWith(before)).toBe(true);
  const options = { integersAsBigInt: "asNeeded" } as const;
  const now = parseToml(after, options);
  expect(now).toMatchObject(parseToml(before, options));
  expect(now).toHaveProperty("mcp_servers.wisp", ENTRY);
  expect(added("codex", after)).toBe(after);
});

test("recognizes an existing entry of wisp in codex's file, however it is written", () => {
  const inline = 'mcp_servers = { wisp = { args = ["mcp"], command = "wisp" } } # mine\n';
  expect(added("codex", inline)).toBe(inline);
});

test("any command can be read back from codex's file and from a JSON file", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.array(fc.string()), (command, args) => {
      const toml = added("codex", "", [command, ...args]);
      expect(parseToml(toml)).toEqual({ mcp_servers: { wisp: { command, args } } });
      const json: unknown = JSON.parse(added("gemini", undefined, [command, ...args]));
      expect(json).toEqual({ mcpServers: { wisp: { command, args } } });
    }),
  );
});

test("keeps every byte of any TOML file", () => {
  const word = fc.stringMatching(/^[a-z]{1,4}$/u);
  const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.integer()));
  const table = fc.dictionary(word, fc.oneof(value, fc.dictionary(word, value)));
  fc.assert(
    fc.property(table, (fields) => {
      const before = stringifyToml(fields);
      const after = added("codex", before);
      expect(after.startsWith(before)).toBe(true);
      expect(parseToml(after)).toEqual({ ...fields, mcp_servers: { wisp: ENTRY } });
    }),
  );
});

test("creates a missing file in the form of each client", () => {
  const codex = added("codex", undefined);
  expect(codex).toMatch(/^\[mcp_servers\.wisp\]\n/u);
  expect(parseToml(codex)).toEqual({ mcp_servers: { wisp: ENTRY } });
  expect(JSON.parse(added("gemini", undefined))).toHaveProperty("mcpServers.wisp.command", "wisp");
  expect(JSON.parse(added("copilot", undefined))).toHaveProperty("mcpServers.wisp.tools", ["*"]);
  expect(JSON.parse(added("opencode", undefined))).toHaveProperty("mcp.wisp.command", COMMAND);
});

test.each([
  ["taken", "claude", '{"mcpServers":{"wisp":{"command":"other"}}}'],
  ["taken", "claude", '{"mcpServers":{"wisp":null}}'],
  ["taken", "codex", '[mcp_servers.wisp]\ncommand = "other"\n'],
  ["taken", "codex", '[mcp_servers]\nnotes = { command = "x" }\nwisp = { command = "other" }\n'],
  ["taken", "codex", 'mcp_servers = { wisp = { command = "other" } }\n'],
  ["taken", "codex", 'mcp_servers."wisp".command = "other"\n'],
  ["inline", "codex", 'mcp_servers = { notes = { command = "x" } }\n'],
  ["unreadable", "claude", '{ // mine\n "mcpServers": {} }'],
  ["unreadable", "claude", "[]"],
  ["unreadable", "gemini", '{"mcpServers":[]}'],
  ["unreadable", "codex", 'model = "o\n'],
  ["unreadable", "codex", "model = 1\nmodel = 2\n"],
  ["unreadable", "codex", "[mcp_servers.notes\n"],
  ["unreadable", "codex", "{}"],
  ["unreadable", "codex", '[[mcp_servers]]\ncommand = "x"\n'],
])("leaves a file unchanged: %s (%s)", (why, client, before) => {
  expect(added(client, before)).toBe(`refused: ${why}`);
});
