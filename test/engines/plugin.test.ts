import { execFile } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { z } from "zod";
import { processSession, WISP, type ProcessSession } from "../rig/process-session.ts";
import { ModelServer, type Script, type ToolCall } from "../rig/model-server.ts";
import { repositoryRoot } from "../tidy/repository.ts";
import { driverOf } from "./cli-drivers.ts";
import { installed } from "./installed.ts";

const execute = promisify(execFile);
const COMMAND_MS_MAX = 170_000;
const PARTS = [".claude-plugin", ".agents", "plugins"];

interface Given {
  /** The parts of the package that are about the plugin. */
  readonly folder: string;
  /** With `wisp` on the PATH. */
  readonly env: NodeJS.ProcessEnv;
}

/** Gives a repository a session, and the package. */
async function givePackage(session: ProcessSession): Promise<Given> {
  const folder = join(session.root, "package");
  for (const part of PARTS)
    cpSync(join(repositoryRoot, part), join(folder, part), { recursive: true });
  const bin = join(session.root, "bin");
  mkdirSync(bin);
  const script = `#!/bin/sh\nexec '${process.execPath}' '${WISP}' "$@"\n`;
  writeFileSync(join(bin, "wisp"), script);
  chmodSync(join(bin, "wisp"), 0o755);
  const env = { ...session.env, PATH: `${bin}:${session.env["PATH"] ?? ""}` };
  const made = await session.wisp("start", "request.md", "--branch", "wisp/greet", "--no-up");
  expect(made.code).toBe(0);
  return { folder, env };
}

/** Runs a CLI in the repository, without standard input. */
async function run(
  { repository }: ProcessSession,
  env: NodeJS.ProcessEnv,
  [program, ...words]: readonly [string, ...string[]],
): Promise<string> {
  const ended = execute(program, words, { cwd: repository, env, timeout: COMMAND_MS_MAX });
  ended.child.stdin?.end();
  return (await ended).stdout;
}

/** Calls the tools in order, and ends with what the last one answered. */
function calling(...calls: readonly ToolCall[]): Script {
  return (said) => {
    const results = said.filter(({ by }) => by === "tool").map(({ text }) => text);
    const call = calls[results.length];
    return call === undefined ? { text: results.join("\n") } : { text: "I look.", tools: [call] };
  };
}

const Init = z.looseObject({
  type: z.literal("system"),
  subtype: z.literal("init"),
  mcp_servers: z.array(z.object({ name: z.string(), status: z.string() })),
  skills: z.array(z.string()),
  plugins: z.array(z.looseObject({ name: z.string() })),
});

test("real Claude Code accepts and installs the plugin, and has its skill and the session by its tools", async () => {
  await using session = processSession({ scenario: "" });
  const { folder, env } = await givePackage(session);
  const claude = installed("claude");
  for (const path of [folder, join(folder, "plugins/wisp")]) {
    expect(await run(session, env, [claude, "plugin", "validate", path])).toContain("passed");
  }
  await run(session, env, [claude, "plugin", "install", "wisp", "--marketplace", folder]);
  const servers = await run(session, env, [claude, "mcp", "list"]);
  expect(servers).toContain("plugin:wisp:wisp: wisp mcp - ✔ Connected");
  const driven = driverOf("claude");
  await using model = await ModelServer.start(
    driven.dialect,
    calling(
      { name: "Skill", input: { skill: "wisp:wisp" } },
      { name: "mcp__plugin_wisp_wisp__work_status", input: {} },
    ),
  );
  const words = ["-p", "How far is it?", "--output-format", "stream-json", "--verbose"];
  const stdout = await run(
    session,
    { ...env, ...driven.connect(env["HOME"] ?? "", model.url), ENABLE_TOOL_SEARCH: "false" },
    [claude, ...words, "--allowedTools", "mcp__plugin_wisp_wisp,Skill"],
  );
  const messages = stdout
    .trim()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
  const [init] = messages.flatMap((message) => Init.safeParse(message).data ?? []);
  expect(init).toMatchObject({
    mcp_servers: [{ name: "plugin:wisp:wisp", status: "connected" }],
  });
  expect(init?.skills).toContain("wisp:wisp");
  expect(init?.plugins.map(({ name }) => name)).toContain("wisp");
  expect(stdout).toContain("Do not answer in their place");
  expect(stdout).toContain("wisp/greet");
});

test("real Codex installs the plugin, and has its skill and the session by its tools", async () => {
  await using session = processSession({ scenario: "" });
  const { folder, env } = await givePackage(session);
  const codex = installed("codex");
  const driven = driverOf("codex");
  await using model = await ModelServer.start(
    driven.dialect,
    calling({ namespace: "mcp__wisp", name: "work_status", input: {} }),
  );
  const own = { ...env, ...driven.connect(env["HOME"] ?? "", model.url) };
  await run(session, own, [codex, "plugin", "marketplace", "add", folder]);
  await run(session, own, [codex, "plugin", "add", "wisp@wisp-build"]);
  expect(await run(session, own, [codex, "mcp", "list"])).toMatch(/^wisp +wisp +mcp .* enabled/mu);
  const stdout = await run(session, own, [codex, "exec", "--json", "How far is it?"]);
  expect(model.asked[0]?.body).toContain("- wisp:wisp: Hands a long, multi-step change");
  expect(stdout).toContain("wisp/greet");
});
