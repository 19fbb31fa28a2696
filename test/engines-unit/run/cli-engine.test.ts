import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  watch,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { claude } from "../../../src/engines/claude/claude.ts";
import { createCliEngine } from "../../../src/engines/run/cli-engine.ts";
import type { TurnOutcome, TurnRequest } from "../../../src/engines/engine.ts";
import type { EngineEvent } from "../../../src/engines/events/engine-event.ts";
import { createHost } from "../../../src/host/host.ts";
import { eventually } from "../../rig/patience.ts";
import { turnRequest } from "../turn-request.ts";
import { ownEnvironment } from "../../rig/own-environment.ts";

const host = createHost();
let directory = "";

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "wisp-"));
});

afterEach(() => {
  rmSync(directory, { recursive: true });
});

const INIT = { type: "system", subtype: "init", session_id: "s-1", claude_code_version: "2.1.329" };
const textLine = (text: string) => ({
  type: "assistant",
  message: { content: [{ type: "text", text }] },
});
const result = (fields: object = {}) => ({
  ...{ type: "result", is_error: false, session_id: "s-1", permission_denials: [] },
  ...{ total_cost_usd: 0.5, usage: { input_tokens: 7, output_tokens: 3 } },
  ...fields,
});

/** A turn of the adapter for claude, with this JavaScript in place of claude. */
async function turnOf(
  script: string,
  fields: Partial<TurnRequest> = {},
  idleTimeoutMs = 20_000,
  {
    startTimeoutMs,
    limitTimeoutMs,
  }: { readonly startTimeoutMs?: number; readonly limitTimeoutMs?: number } = {},
): Promise<TurnOutcome> {
  const path = join(directory, "claude.mjs");
  writeFileSync(path, `#!${process.execPath}\n${script}`);
  chmodSync(path, 0o755);
  const engine = createCliEngine({
    usesSchema: true,
    profile: claude,
    argv: [path, "--effort", "high"],
    model: "m-1",
    variables: ["MINE"],
    env: ownEnvironment({ MINE: "1", THEIRS: "2", ANTHROPIC_API_KEY: "sk-test-000" }),
    idleTimeoutMs,
    startTimeoutMs,
    limitTimeoutMs,
    tmpDirectory: join(directory, "tmp"),
    processes: host.processes,
    files: host.files,
    directories: host.directories,
    clock: host.clock,
  });
  return engine.turn(turnRequest(directory, fields));
}

function matching(pattern: RegExp): unknown {
  return expect.stringMatching(pattern);
}

function printing(...lines: readonly object[]): string {
  return lines.map((line) => `console.log(${JSON.stringify(JSON.stringify(line))});`).join("\n");
}

test("reports a success with its last message, session, model and usage", async () => {
  const text = `Done.\n{"status":"CONTINUE","summary":"half"}`;
  expect(await turnOf(printing(INIT, textLine(text), result({ result: text })))).toEqual({
    kind: "ended",
    status: "CONTINUE",
    summary: "half",
    text,
    session: "s-1",
    model: undefined,
    usage: {
      tokens: { input: 7, output: 3, cached: 0 },
      costUsd: 0.5,
      tokensBasis: "run",
      costBasis: "session",
    },
  });
});

test("emits events as they happen, from the output file", async () => {
  const events: EngineEvent[] = [];
  await turnOf(printing(INIT, textLine("One."), result()), {
    onEvent: (event) => events.push(event),
  });
  expect(events.map(({ kind }) => kind)).toEqual(["session", "text", "session", "usage", "result"]);
  expect(readFileSync(join(directory, "turn.out"), "utf8").split("\n")).toHaveLength(4);
});

test("passes the named variables, an own temporary directory and the arguments", async () => {
  const report = `JSON.stringify([process.env, process.argv.slice(2)])`;
  const outcome = await turnOf(
    `import { existsSync, writeFileSync } from "node:fs";
    writeFileSync(process.env.TMPDIR + "/x", "");
    writeFileSync("seen.json", ${report});
    ${printing(INIT, textLine("x"), result())}`,
  );
  expect(outcome.kind).toBe("ended");
  const seen: unknown = JSON.parse(readFileSync(join(directory, "seen.json"), "utf8"));
  expect(seen).toEqual([
    expect.objectContaining({ MINE: "1", ANTHROPIC_API_KEY: "sk-test-000", WISP_ROLE: "builder" }),
    expect.arrayContaining(["--model", "m-1", "--effort", "high"]),
  ]);
  expect(seen).not.toEqual([expect.objectContaining({ THEIRS: "2" }), expect.anything()]);
  expect(readdirSync(join(directory, "tmp"))).toEqual([]);
});

test("gives concurrent turns separate temporary directories, and removes only a turn's own", async () => {
  const first = turnOf(
    `import { existsSync, writeFileSync } from "node:fs";
    import { setTimeout } from "node:timers/promises";
    const [mine, over] = [process.env.TMPDIR + "/mine", ${JSON.stringify(join(directory, "over"))}];
    writeFileSync(mine, "");
    writeFileSync(${JSON.stringify(join(directory, "begun"))}, "");
    while (!existsSync(over)) await setTimeout(10);
    ${printing(INIT)}
    if (existsSync(mine)) { ${printing(textLine("still there"))} }
    ${printing(result())}`,
    { outputBase: join(directory, "first"), runId: `${directory}#first` },
  );
  await eventually(() => {
    expect(existsSync(join(directory, "begun"))).toBe(true);
  });
  const other = await turnOf(printing(INIT, textLine("done"), result()));
  writeFileSync(join(directory, "over"), "");
  expect([other, await first]).toMatchObject([{ text: "done" }, { text: "still there" }]);
});

test("a success needs both exit code 0 and the success event", async () => {
  expect(await turnOf(printing(INIT, textLine("x")))).toMatchObject({
    kind: "failed",
    failure: "crash",
    reason: "ended without a result",
    session: "s-1",
  });
  expect(
    await turnOf(`${printing(INIT, textLine("x"), result())} process.exitCode = 3;`),
  ).toMatchObject({
    kind: "failed",
    failure: "crash",
    reason: "exited with code 3",
  });
});

test("a failure says what to do, with the CLI's message", async () => {
  const refused = result({ is_error: true, api_error_status: 401, result: "invalid x-api-key" });
  expect(await turnOf(`${printing(INIT, refused)} process.exitCode = 1;`)).toMatchObject({
    kind: "failed",
    failure: "auth",
    reason:
      "claude has no valid login (claude, then /login (or set ANTHROPIC_API_KEY)): invalid x-api-key",
  });
});

test("ends a CLI that is silent for too long, as a hang", async () => {
  const silent = `${printing(INIT)} setInterval(() => {}, 1000);`;
  expect(await turnOf(silent, {}, 1_500)).toMatchObject({
    kind: "failed",
    failure: "hang",
    reason: "was ended because it said nothing for 2 s",
    session: "s-1",
  });
});

test("ends a CLI that waits in silence for a limit to end, long before it counts as a hang", async () => {
  const waits = { type: "system", subtype: "api_retry", error: "rate_limit", error_status: 429 };
  const silent = `${printing(INIT, waits)} setInterval(() => {}, 1000);`;
  expect(await turnOf(silent, {}, 600_000, { limitTimeoutMs: 1_000 })).toMatchObject({
    kind: "failed",
    failure: "limited",
    evidence: "status",
    reason: "claude is at its limit: rate_limit (429)",
  });
  // What it waits for otherwise, such as a provider that is down, has as much time as before.
  const down = { ...waits, error: "overloaded", error_status: 529 };
  const recovers = `${printing(INIT, down)}
    setTimeout(() => { ${printing(textLine("Here."), result())} }, 3_000);`;
  expect(await turnOf(recovers, {}, 600_000, { limitTimeoutMs: 1_000 })).toMatchObject({
    kind: "ended",
  });
});

test("silence at the start has a separate limit, which the failure names", async () => {
  const silent = `setInterval(() => {}, 1000);`;
  expect(await turnOf(silent, {}, 600_000, { startTimeoutMs: 1_500 })).toMatchObject({
    kind: "failed",
    failure: "hang",
    reason: "was ended because it did not say a word within 2 s of its start",
  });
});

test("a slow start does not count as idle: silence is measured from the first line", async () => {
  // Its first line comes after three times the silence that is allowed later.
  const slow = `setTimeout(() => { ${printing(INIT, textLine("Here."), result())} }, 4_500);`;
  expect(await turnOf(slow, {}, 1_500)).toMatchObject({ kind: "ended", text: "Here." });
});

const RANGE = "/srv/turn/range.diff";
const REVIEW = { role: "reviewer", purpose: "review-commit", range: RANGE } as const;

function read(isError: boolean): readonly object[] {
  const text = "Claude requested permissions to read from it, but you haven't granted it yet.";
  const call = { type: "tool_use", id: "c-1", name: "Read", input: { file_path: RANGE } };
  const came = { type: "tool_result", tool_use_id: "c-1", is_error: isError };
  return [
    { type: "assistant", message: { content: [call] } },
    { type: "user", message: { content: [{ ...came, content: isError ? text : "+ a line" }] } },
  ];
}

const PASSED = "### Verdict: PASSED";
const ASKING = `{"status":"NEEDS_INPUT","question":"May I read it?"}`;

test("rejects a verdict on a change that could not be read, and names the refused calls", async () => {
  const lines = [INIT, ...read(true), textLine(PASSED), result()];
  expect(await turnOf(printing(...lines), REVIEW)).toMatchObject({
    kind: "failed",
    failure: "unseen",
    reason:
      "claude cannot have seen the change that it was asked about: refused: Read on …/range.diff",
    denials: [{ tool: "Read" }],
  });
});

test("rejects a verdict without any call of a tool", async () => {
  expect(await turnOf(printing(INIT, textLine(PASSED), result()), REVIEW)).toMatchObject({
    kind: "failed",
    failure: "unseen",
    reason: "claude cannot have seen the change that it was asked about: it called no tool",
  });
});

test.each([
  ["after reading the change", [...read(true), ...read(false), textLine(PASSED)], REVIEW],
  ["in a resumed conversation", [textLine(PASSED)], { ...REVIEW, resume: { session: "s-1" } }],
  ["without a range", [textLine(PASSED)], { ...REVIEW, range: undefined }],
])("accepts a verdict: %s", async (_, lines, fields) => {
  expect(await turnOf(printing(INIT, ...lines, result()), fields)).toMatchObject({ kind: "ended" });
});

test("accepts a question without proof that the change was seen", async () => {
  expect(await turnOf(printing(INIT, textLine(ASKING), result()), REVIEW)).toMatchObject({
    kind: "needs-input",
    question: "May I read it?",
  });
});

test("a CLI that keeps printing is not idle, but ends at the turn's time limit", async () => {
  const chatty = `setInterval(() => console.log("{}"), 100);`;
  expect(await turnOf(chatty, { timeoutMs: 3_000 }, 1_500)).toMatchObject({
    kind: "failed",
    failure: "hang",
    reason: "was ended after 3 s, its time limit",
  });
});

test("a turn that wisp stops is not a failure, and can be resumed because wisp chose its session", async () => {
  const stop = new AbortController();
  const watcher = watch(directory, () => {
    if (existsSync(join(directory, "started"))) stop.abort();
  });
  const outcome = await turnOf(
    `import { writeFileSync } from "node:fs"; writeFileSync("started", ""); setInterval(() => {}, 1000);`,
    { signal: stop.signal },
  );
  watcher.close();
  expect(outcome).toMatchObject({
    kind: "stopped",
    session: matching(/^[0-9a-f-]{36}$/u),
  });
});

test("ignores the output of an earlier, interrupted run of the turn", async () => {
  const lines = [INIT, textLine("old"), result()].map((line) => JSON.stringify(line)).join("\n");
  writeFileSync(join(directory, "turn.out"), `${lines}\n`);
  expect(await turnOf("")).toMatchObject({ kind: "failed", failure: "gibberish" });
});

test("names a missing executable", async () => {
  const engine = createCliEngine({
    usesSchema: true,
    profile: claude,
    argv: [join(directory, "missing")],
    ...{ model: undefined, variables: [], env: {}, idleTimeoutMs: 1_000 },
    ...{ tmpDirectory: join(directory, "tmp"), processes: host.processes, files: host.files },
    ...{ directories: host.directories, clock: host.clock },
  });
  expect(await engine.turn(turnRequest(directory))).toEqual({
    kind: "failed",
    reason: `could not start "${join(directory, "missing")}": ENOENT`,
  });
});

test("opens the CLI for a person in the terminal, without headless mode and without permissions", async () => {
  const attached: unknown[] = [];
  const engine = createCliEngine({
    usesSchema: true,
    profile: claude,
    argv: ["claude", "--effort", "high"],
    model: "m-1",
    variables: ["MINE"],
    env: { PATH: "/bin", TERM: "xterm", MINE: "1", THEIRS: "2", ANTHROPIC_API_KEY: "sk-test-000" },
    idleTimeoutMs: 1,
    tmpDirectory: join(directory, "tmp"),
    processes: {
      ...host.processes,
      attach: (command) => {
        attached.push(command);
        return Promise.resolve({ ok: true, value: { kind: "exited", exitCode: 0 } });
      },
    },
    files: host.files,
    directories: host.directories,
    clock: host.clock,
  });
  await engine.interactive?.("Look at this", { cwd: directory, runId: "r", resume: "s-1" });
  expect(attached).toEqual([
    {
      argv: ["claude", "--model", "m-1", "--resume", "s-1", "--", "Look at this"],
      cwd: directory,
      env: { PATH: "/bin", TERM: "xterm", MINE: "1", ANTHROPIC_API_KEY: "sk-test-000" },
      runId: "r",
    },
  ]);
});
