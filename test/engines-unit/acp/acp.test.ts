import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  watch,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import typescript from "typescript";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { acpProfile } from "../../../src/engines/acp/acp.ts";
import { createCliEngine } from "../../../src/engines/run/cli-engine.ts";
import type { McpSetting } from "../../../src/engines/mcp/mcp-server.ts";
import type { EngineEvent } from "../../../src/engines/events/engine-event.ts";
import type { TurnOutcome, TurnRequest } from "../../../src/engines/engine.ts";
import { TurnUsage, usedByRun } from "../../../src/fs-protocol/records/turn-usage.ts";
import { createHost } from "../../../src/host/host.ts";
import { turnRequest } from "../turn-request.ts";
import { ownEnvironment } from "../../rig/own-environment.ts";

const ROOT = join(import.meta.dirname, "../../..");
const PARTS = [
  "acp/acp-turn",
  "acp/acp-line",
  "acp/acp-calls",
  "acp/acp-permission",
  "acp/acp-stops",
  "acp/acp-choices",
  "acp/acp-usage",
  "events/json-value",
];

const host = createHost();
let program = "";
let directory = "";

/** The program of the engine, with its types stripped, because it runs as a separate process. */
beforeAll(() => {
  program = mkdtempSync(join(tmpdir(), "wisp-"));
  symlinkSync(join(ROOT, "node_modules"), join(program, "node_modules"));
  writeFileSync(join(program, "package.json"), `{"type":"module"}`);
  for (const part of PARTS) {
    const source = readFileSync(join(ROOT, "src/engines", `${part}.ts`), "utf8");
    const { outputText } = typescript.transpileModule(source, {
      compilerOptions: {
        module: typescript.ModuleKind.ESNext,
        target: typescript.ScriptTarget.ES2023,
        rewriteRelativeImportExtensions: true,
      },
    });
    const compiled = join(program, `${part}.js`);
    mkdirSync(dirname(compiled), { recursive: true });
    writeFileSync(compiled, outputText);
  }
  const main = `import { runAcpTurn } from "./acp/acp-turn.js"; process.exit(await runAcpTurn(process.argv[2]));`;
  writeFileSync(join(program, "main.js"), main);
});

afterAll(() => {
  rmSync(program, { recursive: true });
});

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "wisp-"));
  mkdirSync(join(directory, "clone"));
});

afterEach(() => {
  rmSync(directory, { recursive: true });
});

function containing(text: string): unknown {
  return expect.stringContaining(text);
}

const events: EngineEvent[] = [];

interface AgentOptions {
  readonly agentArgs?: readonly string[];
  readonly mcp?: readonly McpSetting[];
  readonly mode?: string;
  readonly model?: string;
}

/** A turn with the agent of the fixtures, which follows the prompt, one word per line. */
async function turnOf(
  words: readonly string[],
  fields: Partial<TurnRequest> = {},
  { agentArgs = [], mcp = [], mode, model }: AgentOptions = {},
): Promise<TurnOutcome> {
  events.length = 0;
  const agent = join(ROOT, "test/fixtures/acp/agent.mjs");
  const engine = createCliEngine({
    usesSchema: true,
    profile: acpProfile({
      turnArgs: [join(program, "main.js")],
      agent: [process.execPath, agent, ...agentArgs],
      mode,
    }),
    argv: [process.execPath],
    ...{ model, variables: [], mcp },
    env: ownEnvironment({ TICKET_KEY: "made-up" }),
    ...{ idleTimeoutMs: 20_000, tmpDirectory: join(directory, "tmp") },
    ...{ processes: host.processes, files: host.files },
    ...{ directories: host.directories, clock: host.clock },
  });
  return engine.turn(
    turnRequest(join(directory, "clone"), {
      ...{ prompt: words.join("\n"), outputBase: join(directory, "turn") },
      ...{ onEvent: (event) => events.push(event) },
      ...fields,
    }),
  );
}

function isMade(name: string): boolean {
  return existsSync(join(directory, name));
}

test("joins the pieces of the answer, and reports the session for a later turn", async () => {
  expect(await turnOf(["hello"])).toMatchObject({
    kind: "ended",
    status: "CONTINUE",
    summary: "more",
    text: `All is done.\n{"status":"CONTINUE","summary":"more"}`,
    session: "session-1",
  });
});

test("passes the MCP servers of the settings to the agent, in a file of that run", async () => {
  const mcp = [{ name: "tickets", command: ["tickets-mcp", "--stdio"], env: ["TICKET_KEY"] }];
  expect(await turnOf(["hello"], {}, { mcp })).toMatchObject({ kind: "ended" });
  expect(JSON.parse(readFileSync(join(directory, "servers.json"), "utf8"))).toEqual([
    {
      name: "tickets",
      command: "tickets-mcp",
      args: ["--stdio"],
      env: [{ name: "TICKET_KEY", value: "made-up" }],
    },
  ]);
});

test("allows an edit in the clone, once", async () => {
  expect(await turnOf(["edit", "hello"])).toMatchObject({ kind: "ended" });
  expect(isMade("clone/made.txt")).toBe(true);
  expect(events).toContainEqual(
    expect.objectContaining({ kind: "tool-result", id: "call-edit", isError: false }),
  );
});

test("refuses to allow an edit elsewhere or a fetch, and reports the refusal", async () => {
  expect(await turnOf(["edit", "outside", "fetch", "hello"])).toMatchObject({
    kind: "ended",
    denials: [{ tool: "edit" }, { tool: "fetch" }],
  });
  expect(isMade("outside.txt")).toBe(false);
});

test("allows a read of what the turn names, which the agent announced as one and then asks for as something else", async () => {
  const folder = join(directory, "folder");
  mkdirSync(folder);
  writeFileSync(join(folder, "request.md"), "the request");
  const elsewhere = join(directory, "elsewhere.md");
  writeFileSync(elsewhere, "a secret");
  const asked = [`reads ${folder}/request.md`, `reads ${elsewhere}`, `changes ${folder}/new.md`];
  expect(await turnOf([...asked, "hello"], { folder })).toMatchObject({
    kind: "ended",
    denials: [{ tool: "read" }, { tool: "edit" }],
  });
  expect(readFileSync(join(directory, "read.txt"), "utf8")).toBe("the request");
  expect(isMade("folder/new.md")).toBe(false);
});

test("fails an agent whose every call was refused, and gives that as the reason", async () => {
  expect(await turnOf(["edit", "hello"], { role: "reviewer" })).toMatchObject({
    kind: "failed",
    failure: "refused-permission",
    reason: containing("edit"),
  });
  expect(isMade("clone/made.txt")).toBe(false);
});

test("has an agent that ends its turn at a refused call go on, and counts what each part used", async () => {
  const stops = { agentArgs: ["--stops-at-refusal"] };
  const outcome = await turnOf(["spend 1", "fetch", "fetch", "edit", "hello"], {}, stops);
  expect(outcome).toMatchObject({
    kind: "ended",
    status: "CONTINUE",
    denials: [{ tool: "fetch" }, { tool: "fetch" }],
  });
  expect(isMade("clone/made.txt")).toBe(true);
  const prompts = readFileSync(join(directory, "clone/prompts.txt"), "utf8");
  expect(prompts.match(/That call was refused/gu)).toHaveLength(2);
  // Its fixture tells 3,100 in and 150 out for each of the three prompts.
  expect(outcome.usage?.tokens).toEqual({ input: 9_300, output: 450, cached: 300 });
});

test("does not ask an agent for ever that every call ends", async () => {
  const calls = Array.from({ length: 30 }, () => "outside");
  const stops = { agentArgs: ["--stops-at-refusal"] };
  expect(await turnOf([...calls, "hello"], {}, stops)).toMatchObject({
    kind: "failed",
    failure: "refused-permission",
  });
  const prompts = readFileSync(join(directory, "clone/prompts.txt"), "utf8");
  expect(prompts.match(/That call was refused/gu)).toHaveLength(19);
});

test("turns the agent's question to a person into a question of the session", async () => {
  expect(await turnOf(["edit", "ask", "hello"])).toMatchObject({
    kind: "needs-input",
    question: "Which port?",
    session: "session-1",
  });
});

test("loads a resumed session, and leaves its history out of the answer", async () => {
  const outcome = await turnOf(["hello"], { resume: { session: "session-9" } });
  expect(outcome).toMatchObject({ kind: "ended", session: "session-9" });
  expect(outcome).not.toMatchObject({ text: containing("before") });
  expect(
    await turnOf(["hello"], { resume: { session: "s" } }, { agentArgs: ["--no-load"] }),
  ).toMatchObject({
    kind: "failed",
    failure: "no-session",
  });
});

test("begins a new conversation after any failure to load one", async () => {
  const resume = { session: "session-9" };
  expect(await turnOf(["hello"], { resume }, { agentArgs: ["--load-fails"] })).toMatchObject({
    kind: "failed",
    failure: "no-session",
    reason: containing("Internal error"),
  });
});

test.each([
  ["failAndDie -32000 Authentication required", "auth", "Authentication required"],
  ["failAndDie -32603 Internal error|429 This exceeds your rate limit", "limited", "429 This"],
  ["fail 401 {}", "auth", "{}"],
  ["fail 429 {}", "limited", "{}"],
  ["fail 503 {}", "overloaded", "{}"],
  ["fail -32603 Internal error|401 invalid api key", "auth", "401 invalid api key"],
  ["fail -32603 Internal error: it broke", "crash", "it broke"],
])("takes the agent's own words as the reason: %s", async (line, failure, reason) => {
  const outcome = await turnOf([line]);
  expect(outcome).toMatchObject({ kind: "failed", failure, reason: containing(reason) });
});

test.each([
  ["default,auto", undefined, "in default"],
  ["agent,read-only", undefined, "in read-only"],
  ["default,full,auto", "full", "in full"],
])("an agent that offers %s is put into the mode %s: it is %s", async (modes, mode, text) => {
  const options = mode === undefined ? {} : { mode };
  const agentArgs = ["--modes", modes];
  expect(await turnOf(["which"], {}, { agentArgs, ...options })).toMatchObject({ text });
});

test("a mode that is a configuration option is set in a loaded session, too", async () => {
  const agentArgs = ["--modes", "default,auto", "--mode-option"];
  const resume = { session: "session-9" };
  expect(await turnOf(["which"], { resume }, { agentArgs })).toMatchObject({ text: "in default" });
});

test("a mode that the agent does not offer is an error that names those that it offers", async () => {
  const agentArgs = ["--modes", "default,auto"];
  expect(await turnOf(["which"], {}, { agentArgs, mode: "full" })).toMatchObject({
    kind: "failed",
    reason: containing("the agent has no mode full: it offers default, auto"),
  });
  expect(await turnOf(["which"], {}, { mode: "full" })).toMatchObject({
    kind: "failed",
    reason: containing("the agent has no mode full: it offers none"),
  });
});

test.each([
  ["in a list", []],
  ["as a configuration option", ["--model-option"]],
])("a model that the agent offers %s is used, also in a loaded session", async (_, option) => {
  const agentArgs = ["--models", "small,large", ...option];
  const asked = { text: "with large", model: "large" };
  expect(await turnOf(["which"], {}, { agentArgs, model: "large" })).toMatchObject(asked);
  const resume = { session: "session-9" };
  expect(await turnOf(["which"], { resume, model: "large" }, { agentArgs })).toMatchObject(asked);
  expect(await turnOf(["which"], {}, { agentArgs })).toMatchObject({
    ...{ text: "with small", model: undefined },
  });
});

test("a model is asked for also if the agent does not offer it, and its refusal names those that it offers", async () => {
  const agentArgs = ["--models", "small,large"];
  expect(await turnOf(["which"], {}, { agentArgs, model: "unlisted" })).toMatchObject({
    text: "with unlisted",
  });
  expect(await turnOf(["which"], {}, { agentArgs, model: "huge" })).toMatchObject({
    kind: "failed",
    reason: containing(
      "the agent cannot use the model huge: model not found; it offers small, large",
    ),
  });
  expect(await turnOf(["which"], {}, { model: "huge" })).toMatchObject({
    kind: "failed",
    reason: containing("offers no choice of its model, so huge must be chosen in its own settings"),
  });
});

test("reports the tokens of the turn, and the cost of the session, from which that of the turn is what was added", async () => {
  const usage = { tokens: { input: 3_100, output: 150, cached: 100 }, costUsd: 0.03 };
  const outcome = await turnOf(["spend 0.03", "hello"], { resume: { session: "session-9" } });
  expect(outcome).toMatchObject({
    usage: { ...usage, tokensBasis: "run", costBasis: "session" },
  });
  const reported = TurnUsage.parse(outcome.kind === "stopped" ? undefined : outcome.usage);
  const before = { ...reported, costUsd: 0.02 };
  const used = usedByRun(reported, { usage: before });
  expect(used.tokens).toEqual(usage.tokens);
  expect(used.costUsd).toBeCloseTo(0.01);
});

test("fails if the agent refuses, dies or is missing", async () => {
  expect(await turnOf(["refuse"])).toMatchObject({ kind: "failed", failure: "crash" });
  expect(await turnOf(["die"])).toMatchObject({ kind: "failed", failure: "crash" });
});

test("ignores garbage between messages", async () => {
  expect(await turnOf(["garbage", "hello"])).toMatchObject({ kind: "ended", summary: "more" });
});

test("ends an agent that hangs at the end of the turn, with all its processes", async () => {
  const stop = new AbortController();
  const watcher = watch(join(directory, "clone"), () => {
    stop.abort();
  });
  const outcome = await turnOf(["hang"], { signal: stop.signal });
  watcher.close();
  expect(outcome).toMatchObject({ kind: "stopped", session: "session-1" });
});
