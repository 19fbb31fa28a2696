import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { processSession } from "../rig/process-session.ts";

test("mcp install prints the clients' settings, and writes them only after a confirmation", async () => {
  await using session = processSession({});
  const path = join(session.repository, ".mcp.json");
  const all = await session.wisp("mcp", "install");
  expect(all.code).toBe(0);
  expect(all.stdout).toContain("[mcp_servers.wisp]");
  const claude = ["mcp", "install", "claude"];
  const asOption = ["mcp", "install", "--client", "claude"];
  expect(await session.wisp(...asOption, "--dry-run")).toMatchObject({ code: 0 });
  expect(await session.wisp(...asOption, "codex")).toMatchObject({ code: 2 });
  expect(await session.wisp(...claude, "--dry-run")).toMatchObject({ code: 0 });
  expect(await session.wisp(...claude)).toMatchObject({ code: 4 });
  expect(existsSync(path)).toBe(false);
  session.write(".mcp.json", '{ "mcpServers": { "notes": { "command": "notes" } } }\n');
  expect(await session.wisp(...claude, "--yes")).toMatchObject({ code: 0 });
  const written: unknown = JSON.parse(readFileSync(path, "utf8"));
  expect(written).toHaveProperty("mcpServers.notes.command", "notes");
  expect(written).toHaveProperty("mcpServers.wisp.args");
  const again = await session.wisp(...claude, "--yes");
  expect(again.stderr).toContain("already has it");
  session.write(".mcp.json", "{ // mine\n}\n");
  expect(await session.wisp(...claude, "--yes")).toMatchObject({ code: 2 });
  expect(readFileSync(path, "utf8")).toBe("{ // mine\n}\n");
});
