import { expect, test } from "vitest";
import { present } from "../../../src/base/assert.ts";
import { codingCli } from "../../../src/engines/coding-clis.ts";
import { serversFor, type McpSetting } from "../../../src/engines/mcp/mcp-server.ts";
import { turnRequest } from "../turn-request.ts";

const SETTINGS: readonly McpSetting[] = [
  { name: "notes", command: ["npx", "--yes", "notes@1.0.0"], env: ["NOTES_KEY", "ABSENT"] },
  { name: "browser", command: ["browse"], env: [], roles: ["tester"] },
];

/** How the builder's engine is started if these servers are offered. */
function startOf(name: string, inherited: Readonly<Record<string, string>> = {}) {
  const profile = present(codingCli(name), "the engine is known");
  return profile.command({
    request: turnRequest("/clone"),
    model: undefined,
    extraArgs: [],
    sessionId: "00000000-0000-4000-8000-000000000000",
    inherited,
    tmpDirectory: "/tmp/run",
    mcp: serversFor(SETTINGS, "builder", { NOTES_KEY: "k" }),
  });
}

const NOTES = { command: "npx", args: ["--yes", "notes@1.0.0"], env: { NOTES_KEY: "k" } };

test("gives servers to the roles that the settings name, with the variables that are set", () => {
  const named = (role: "builder" | "tester") =>
    serversFor(SETTINGS, role, {}).map(({ name }) => name);
  expect([named("builder"), named("tester")]).toEqual([["notes"], ["notes", "browser"]]);
});

test("claude gets the servers in a file, with their tools allowed", () => {
  const { args, files } = startOf("claude");
  expect(args).toEqual(expect.arrayContaining(["--mcp-config", "/tmp/run/claude-mcp.json"]));
  expect(args).toContain("Bash,mcp__notes");
  expect(JSON.parse(files?.["claude-mcp.json"] ?? "")).toEqual({ mcpServers: { notes: NOTES } });
});

test("codex gets the servers as settings, with only the names of variables", () => {
  const { args } = startOf("codex");
  expect(args).toEqual(
    expect.arrayContaining([
      'mcp_servers.notes.command="npx"',
      'mcp_servers.notes.args=["--yes","notes@1.0.0"]',
      'mcp_servers.notes.env_vars=["NOTES_KEY"]',
    ]),
  );
});

test("gemini gets the servers in its defaults, as trusted", () => {
  const { files } = startOf("gemini");
  expect(JSON.parse(files?.["gemini-defaults.json"] ?? "")).toMatchObject({
    mcpServers: { notes: { ...NOTES, trust: true } },
  });
});

test("copilot gets the servers in a file, with their tools allowed", () => {
  const { args, files } = startOf("copilot");
  expect(args).toEqual(
    expect.arrayContaining(["--additional-mcp-config", "@/tmp/run/copilot-mcp.json"]),
  );
  expect(args).toEqual(expect.arrayContaining(["--allow-tool", "notes"]));
  expect(JSON.parse(files?.["copilot-mcp.json"] ?? "")).toEqual({
    mcpServers: { notes: { ...NOTES, type: "local", tools: ["*"] } },
  });
});

test("opencode gets the servers in an environment variable, unless the person has set it", () => {
  const content = startOf("opencode").env["OPENCODE_CONFIG_CONTENT"] ?? "";
  expect(JSON.parse(content)).toEqual({
    mcp: {
      notes: {
        type: "local",
        command: ["npx", "--yes", "notes@1.0.0"],
        enabled: true,
        environment: { NOTES_KEY: "k" },
      },
    },
  });
  expect(startOf("opencode", { OPENCODE_CONFIG_CONTENT: "{}" }).env).not.toHaveProperty(
    "OPENCODE_CONFIG_CONTENT",
  );
});
