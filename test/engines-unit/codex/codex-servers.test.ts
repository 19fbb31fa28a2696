import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { codexUnstartedServers } from "../../../src/engines/codex/codex-events.ts";
import { codex } from "../../../src/engines/codex/codex.ts";
import { createCliEngine } from "../../../src/engines/run/cli-engine.ts";
import { createHost } from "../../../src/host/host.ts";
import { ownEnvironment } from "../../rig/own-environment.ts";
import { turnRequest } from "../turn-request.ts";

/** What codex 0.169.0 prints if a server that it must wait for does not start. */
const REFUSED =
  "Error: thread/start: thread/start failed: error creating thread: Fatal error: Failed to initialize session: " +
  "required MCP servers failed to initialize: notes: handshaking with MCP server failed: connection closed; " +
  "gone: No such file or directory (os error 2) (code -32603)";

const REFUSED_LATER =
  "Error: thread/start failed: required MCP servers failed to initialize: flaky: timed out (code -32603)";

const host = createHost();
let directory = "";

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "wisp-"));
});

afterEach(() => {
  rmSync(directory, { recursive: true });
});

/** A stand-in for codex that notes which servers it is told to wait for, and refuses if `notes` is one of them. */
function engineWith(servers: readonly string[]) {
  const path = join(directory, "codex.mjs");
  const events = [
    { type: "thread.started", thread_id: "t-1" },
    { type: "item.completed", item: { id: "i-1", type: "agent_message", text: "Done." } },
    { type: "turn.completed", usage: { input_tokens: 7, output_tokens: 3 } },
  ];
  writeFileSync(
    path,
    `#!${process.execPath}
    import { appendFileSync } from "node:fs";
    const required = process.argv.flatMap((word) => /^mcp_servers\\.(.+)\\.required=true$/.exec(word)?.[1] ?? []);
    appendFileSync(${JSON.stringify(join(directory, "starts"))}, required.join(",") + "\\n");
    const refused = required.includes("notes") ? ${JSON.stringify(REFUSED)}
      : required.includes("flaky") ? ${JSON.stringify(REFUSED_LATER)} : undefined;
    if (refused !== undefined) {
      console.error(refused);
      process.exitCode = 1;
    } else for (const event of ${JSON.stringify(events)}) console.log(JSON.stringify(event));`,
  );
  chmodSync(path, 0o755);
  return createCliEngine({
    ...{ profile: codex, argv: [path], model: undefined, variables: [], usesSchema: false },
    ...{ env: ownEnvironment(), idleTimeoutMs: 60_000 },
    ...{ tmpDirectory: join(directory, "tmp"), processes: host.processes, clock: host.clock },
    ...{ files: host.files, directories: host.directories },
    mcp: servers.map((name) => ({ name, command: ["serve"], env: [] })),
  });
}

function starts(): readonly string[] {
  return readFileSync(join(directory, "starts"), "utf8").split("\n").slice(0, -1);
}

test("codex is started again without waiting for the servers that keep it from starting, and later turns do not wait", async () => {
  const engine = engineWith(["notes", "gone", "browser"]);
  const first = await engine.turn(turnRequest(directory));
  expect(first).toMatchObject({ kind: "ended", text: "Done." });
  expect(first.brokenServers?.map(({ name }) => name)).toEqual(["notes", "gone"]);
  const second = await engine.turn(turnRequest(directory));
  expect(second).toMatchObject({ kind: "ended", text: "Done." });
  expect(second.brokenServers).toBeUndefined();
  expect(starts()).toEqual(["notes,gone,browser", "browser", "browser"]);
});

test("a server that keeps codex from starting only the second time is left out, too", async () => {
  const outcome = await engineWith(["notes", "gone", "flaky"]).turn(turnRequest(directory));
  expect(outcome).toMatchObject({ kind: "ended", text: "Done." });
  expect(outcome.brokenServers?.map(({ name }) => name)).toEqual(["notes", "gone", "flaky"]);
  expect(starts()).toEqual(["notes,gone,flaky", "flaky", ""]);
});

test("codex is not started again if only servers of the person's own settings keep it from starting", async () => {
  const words = REFUSED.replace("notes: ", "theirs: ").replace("gone: ", "others: ");
  expect(codexUnstartedServers(words, ["notes", "gone"])).toEqual([]);
});

test("each server that keeps codex from starting is read with its reason", () => {
  expect(codexUnstartedServers(REFUSED, ["notes", "gone", "browser"])).toEqual([
    { name: "notes", reason: "handshaking with MCP server failed" },
    { name: "gone", reason: "No such file or directory (os error 2)" },
  ]);
});
