import {
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
  readFileSync,
  existsSync,
  appendFileSync,
  watch,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FileFailure } from "../../../src/base/ports/files.ts";
import { fail } from "../../../src/base/result.ts";
import { createCommandEngine } from "../../../src/engines/command/command.ts";
import type { TurnOutcome, TurnRequest } from "../../../src/engines/engine.ts";
import { createHost } from "../../../src/host/host.ts";
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

/** Runs a turn of an engine that is this JavaScript. */
async function turnOf(script: string, fields: Partial<TurnRequest> = {}): Promise<TurnOutcome> {
  writeFileSync(join(directory, "agent.mjs"), script);
  const engine = createCommandEngine({
    name: "command",
    argv: [process.execPath, join(directory, "agent.mjs")],
    processes: host.processes,
    files: host.files,
    clock: host.clock,
    env: { ...ownEnvironment(), PYTHONPATH: "/checkout/lib:/checkout/none:/own" },
    checkout: {
      ...{ files: host.files, directories: host.directories, home: undefined },
      ...{ checkout: "/checkout", state: [] },
    },
  });
  return engine.turn(turnRequest(directory, fields));
}

test("a variable that leads into the checkout leads to the clone, for what is there", async () => {
  mkdirSync(join(directory, "lib"));
  const outcome = await turnOf(`console.log(process.env.PYTHONPATH)`);
  expect(outcome).toMatchObject({ text: `${directory}/lib:/own\n` });
});

test("passes the prompt on standard input and the turn in the environment, in the clone", async () => {
  const outcome = await turnOf(`
    import { readFileSync } from "node:fs";
    console.log(JSON.stringify([readFileSync(0, "utf8"), process.cwd(), process.env.WISP_UNIT, process.env.HOME]));
  `);
  expect(outcome).toEqual({
    kind: "ended",
    status: "DONE",
    summary: "",
    text: `${JSON.stringify(["Build the API.", directory, "build:API:1", null])}\n`,
  });
});

test("writes output directly to the files of the turn", async () => {
  await turnOf(`console.log("out"); console.error("err");`);
  expect(readFileSync(join(directory, "turn.out"), "utf8")).toBe("out\n");
  expect(readFileSync(join(directory, "turn.err"), "utf8")).toBe("err\n");
});

test.each([
  [
    `{"status":"CONTINUE","summary":"half"}`,
    { kind: "ended", status: "CONTINUE", summary: "half" },
  ],
  [
    `{"status":"NEEDS_INPUT","question":"Which port?"}`,
    { kind: "needs-input", question: "Which port?" },
  ],
  [`{"status":"BLOCKED","error":"No network."}`, { kind: "blocked", question: "No network." }],
  [
    `{"status":"BLOCKED"}`,
    { kind: "blocked", question: "It did not say what it needs; see its output." },
  ],
])("takes the outcome from the last message %s", async (word, expected) => {
  expect(await turnOf(`console.log(${JSON.stringify(word)});`)).toMatchObject(expected);
});

test("an exit code other than 0 is a failure whatever the last message, with standard error as the reason", async () => {
  const outcome = await turnOf(`
    console.log('{"status":"DONE"}');
    console.error("one\\ntwo\\n\\nthree\\n\\u001b[31mfour\\u001b[0m");
    process.exitCode = 3;
  `);
  expect(outcome).toEqual({ kind: "failed", reason: "exited with code 3: two / three / four" });
});

test("explains a failure by the last message if standard error is empty", async () => {
  const outcome = await turnOf(
    `console.log('{"status":"BLOCKED","error":"No quota."}'); process.exitCode = 1;`,
  );
  expect(outcome).toEqual({ kind: "failed", reason: "exited with code 1: No quota." });
  expect(await turnOf("process.exitCode = 1;")).toEqual({
    kind: "failed",
    reason: "exited with code 1",
  });
});

test.each([
  ["Not logged in. Run: agent login", "auth", "command has no valid login"],
  ["Error 429: rate limit reached", "limited", "command is at its limit"],
])("%s on standard error does not count as a failed attempt", async (said, failure, words) => {
  const outcome = await turnOf(`console.error(${JSON.stringify(said)}); process.exitCode = 1;`);
  expect(outcome).toMatchObject({ kind: "failed", failure, reason: `${words}: ${said}` });
  const word = JSON.stringify({ status: "BLOCKED", error: said });
  const inWord = await turnOf(`console.log(${JSON.stringify(word)}); process.exitCode = 1;`);
  expect(inWord).toMatchObject({ failure });
  // Earlier output may be part of the work, and an engine that ends well has given its answer.
  const printed = await turnOf(`console.log(${JSON.stringify(said)}); process.exitCode = 1;`);
  expect(printed).not.toHaveProperty("failure");
  expect(await turnOf(`console.error(${JSON.stringify(said)});`)).toMatchObject({
    kind: "ended",
  });
});

test.each([
  "not ok 3 - the API returns 429 Too Many Requests when the rate limit is reached",
  "  ✗ answers 401 if nobody is logged in: please log in",
  "AssertionError: expected 'usage limit reached' to equal 'ok'",
  "checking the rate limit\nthe build failed",
])("words of the project's are neither a limit nor a missing login: %s", async (said) => {
  const outcome = await turnOf(`console.error(${JSON.stringify(said)}); process.exitCode = 1;`);
  expect(outcome.kind === "failed" && outcome.reason).toMatch(/^exited with code 1: /u);
  expect(outcome).not.toHaveProperty("failure");
});

test("explains a failure by the last output if nothing else explains it", async () => {
  const outcome = await turnOf(
    `console.log("On branch wisp/x\\nnothing to commit"); process.exitCode = 1;`,
  );
  expect(outcome).toEqual({
    kind: "failed",
    reason: "exited with code 1: On branch wisp/x / nothing to commit",
  });
});

test("ignores the output of an earlier, interrupted run of the turn", async () => {
  appendFileSync(join(directory, "turn.out"), `{"status":"BLOCKED","question":"old"}\n`);
  appendFileSync(join(directory, "turn.err"), "old complaint\n");
  expect(await turnOf(`console.log("new");`)).toMatchObject({ kind: "ended", text: "new\n" });
  expect(await turnOf("process.exitCode = 2;")).toEqual({
    kind: "failed",
    reason: "exited with code 2",
  });
});

test("reads only the end of a very long output, from the start of a line", async () => {
  const outcome = await turnOf(`
    import { writeSync } from "node:fs";
    for (let i = 0; i < 40000; i++) writeSync(1, String(i).padStart(7, "0") + "ä".repeat(20) + "\\n");
    console.log('{"status":"CONTINUE"}');
  `);
  expect(outcome).toMatchObject({ kind: "ended", status: "CONTINUE" });
  const text = outcome.kind === "ended" ? outcome.text : "";
  expect(Buffer.byteLength(text)).toBeGreaterThan(1_000_000);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1024 * 1024);
  expect(text).toMatch(/^\d{7}ä{20}\n/u);
});

test("a death by signal names the signal", async () => {
  expect(await turnOf(`process.kill(process.pid, "SIGKILL");`)).toEqual({
    kind: "failed",
    reason: "was killed by SIGKILL",
  });
});

test("ends and fails a turn at its time limit", async () => {
  expect(await turnOf(`setInterval(() => {}, 1000);`, { timeoutMs: 1_500 })).toMatchObject({
    kind: "failed",
    reason: "was ended after 2 s, its time limit",
  });
});

test("a turn that wisp stops is not a failure", async () => {
  const controller = new AbortController();
  const watcher = watch(directory, () => {
    if (existsSync(join(directory, "started"))) controller.abort();
  });
  const outcome = await turnOf(
    `import { writeFileSync } from "node:fs"; writeFileSync("started", ""); setInterval(() => {}, 1000);`,
    { signal: controller.signal },
  );
  watcher.close();
  expect(outcome).toEqual({ kind: "stopped" });
});

test("names a missing executable", async () => {
  const engine = createCommandEngine({
    name: "command",
    argv: [join(directory, "missing")],
    processes: host.processes,
    files: host.files,
    clock: host.clock,
    env: {},
  });
  expect(await engine.turn(turnRequest(directory))).toEqual({
    kind: "failed",
    reason: `could not start "${join(directory, "missing")}": ENOENT`,
  });
});

test("fails if the output cannot be read back", async () => {
  const engine = createCommandEngine({
    name: "command",
    argv: [process.execPath, "-e", "console.log(1)"],
    processes: host.processes,
    files: {
      ...host.files,
      readChunk: (path) => fail(FileFailure({ operation: "read", path, errno: "EIO" })),
    },
    clock: host.clock,
    env: {},
  });
  expect(await engine.turn(turnRequest(directory))).toEqual({
    kind: "failed",
    reason: `its output ${join(directory, "turn.out")} cannot be read: EIO`,
  });
});
