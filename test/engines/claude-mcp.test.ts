import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { processSession } from "../rig/process-session.ts";
import { ModelServer, type Said, type Step } from "../rig/model-server.ts";
import { driverOf } from "./cli-drivers.ts";
import { installed } from "./installed.ts";

const execute = promisify(execFile);
const WISP = join(import.meta.dirname, "../../dist/wisp.js");
const TIMEOUT_MS = 170_000;

const SAYS_MORE = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
  build(t) {
    t.put("hello.txt", (t.has("hello.txt") ? t.read("hello.txt") : "") + "hello\n");
    t.commit(t.milestone.startsWith("RI-001") ? "[Revision] Say it again" : "Say hello");
    t.tick();
  },
`;

/** A model that starts, polls, reviews, requests a revision, polls, reviews and approves. */
function reviewer(said: readonly Said[]): Step {
  const results = said.filter(({ by }) => by === "tool").map(({ text }) => text);
  const diffId = /greet@[0-9a-f]{40}/u.exec(results.at(-1) ?? "")?.[0];
  const status = { name: "work_status", input: { session: "greet", waitSeconds: 50 } };
  const look = { name: "review_changes", input: { session: "greet" } };
  const calls = [
    { name: "start_session", input: { request: "# Greet\n\nSay hello.\n" } },
    status,
    look,
    { name: "request_revision", input: { diffId, feedback: "Say it again" } },
    status,
    look,
    { name: "approve_changes", input: { diffId } },
  ];
  const call = calls[results.length];
  if (call === undefined) return { text: `It ended with: ${results.at(-1) ?? "nothing"}` };
  return { text: "I will.", tools: [{ ...call, name: `mcp__wisp__${call.name}` }] };
}

test("real Claude Code starts a session by wisp mcp, polls, reviews, has it revised, and approves", async () => {
  await using session = processSession({ scenario: SAYS_MORE });
  const driven = driverOf("claude");
  await using model = await ModelServer.start(driven.dialect, reviewer);
  const server = { command: process.execPath, args: [WISP, "mcp"] };
  const config = JSON.stringify({ mcpServers: { wisp: server } });
  const words = ["-p", "Have it built.", "--mcp-config", config, "--strict-mcp-config"];
  const home = session.env["HOME"] ?? "";
  const env = { ...session.env, ...driven.connect(home, model.url), ENABLE_TOOL_SEARCH: "false" };
  const ended = execute(installed("claude"), [...words, "--allowedTools", "mcp__wisp"], {
    cwd: session.repository,
    env,
    timeout: TIMEOUT_MS,
  });
  ended.child.stdin?.end();
  const { stdout } = await ended;
  // The model is shown the structured content, not the text beside it.
  expect(stdout).toContain("is approved. To ship it, ask the user to run: wisp done greet");
  expect(session.read("logs/human.log", "greet").match(/ (?:revise|approve) /gu)).toEqual([
    " revise ",
    " approve ",
  ]);
  expect(session.git("show", "wisp/greet:hello.txt")).toBe("hello\nhello");
});
