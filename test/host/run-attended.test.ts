import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createNodeProcesses } from "../../src/host/processes/node-processes.ts";
import { runAttended } from "../../src/host/processes/run-attended.ts";
import { HAS_PROC, identify } from "../../src/host/processes/process-identity.ts";
import { MACHINE_PATH } from "../rig/own-environment.ts";
import { eventually } from "../rig/patience.ts";

/** Nothing here takes this long, unless it hangs. */
const HANGS_MS = 120_000;

const processes = createNodeProcesses();

async function attend(script: string, { timeoutMs = HANGS_MS, cwd = tmpdir() } = {}) {
  let said = "";
  const argv = ["sh", "-c", script] as const;
  const env = { PATH: MACHINE_PATH };
  const onOutput = (text: string) => (said += text);
  const runId = `test-${String(process.pid)}-${String(Math.random())}`;
  const ran = await runAttended({ argv, cwd, env, runId, timeoutMs, onOutput }, processes);
  return { said, ran };
}

test("a person's command has no input, its output is handed on, and its end is told", async () => {
  const { said, ran } = await attend("cat; echo out; echo err >&2; exit 3");
  expect(ran).toEqual({ ok: true, value: { kind: "exited", exitCode: 3 } });
  // Two streams: their order to each other is not kept for certain.
  expect(said.split("\n").sort()).toEqual(["", "err", "out"]);
  expect((await attend("kill -9 $$")).ran).toEqual({
    ok: true,
    value: { kind: "killed", signalName: "SIGKILL" },
  });
  expect((await attend("true", { cwd: join(tmpdir(), "is-not-there") })).ran).toMatchObject({
    ok: false,
    failure: { kind: "spawn", errno: "ENOTDIR" },
  });
});

test("what a command leaves running when it ends by itself goes on, and does not hold us up", async () => {
  const { said, ran } = await attend("sleep 1000 & echo $!");
  expect(ran).toEqual({ ok: true, value: { kind: "exited", exitCode: 0 } });
  const left = Number(said);
  expect(identify(left)).toBeDefined();
  processes.signal(left, "SIGKILL");
});

test.runIf(HAS_PROC)(
  "a command whose time is over is ended with all that it started, also in other sessions",
  async () => {
    const root = mkdtempSync(join(tmpdir(), "wisp-"));
    const path = join(root, "left");
    const script = `trap '' TERM; setsid sh -c 'echo $$ > ${path}; exec sleep 1000' & while :; do sleep 1; done`;
    const { ran } = await attend(script, { timeoutMs: 1_000 });
    expect(ran).toEqual({ ok: true, value: { kind: "timed-out" } });
    // On a busy machine the time may be over before it has begun.
    if (existsSync(path)) expect(identify(Number(readFileSync(path, "utf8")))).toBeUndefined();
    rmSync(root, { recursive: true, force: true });
  },
);

test("a signal to us ends the command", async () => {
  const root = mkdtempSync(join(tmpdir(), "wisp-"));
  const path = join(root, "begun");
  const attended = attend(`echo $$ > ${path}; exec sleep 1000`);
  await eventually(() => expect(readFileSync(path, "utf8")).toMatch(/\d\n/u));
  process.kill(process.pid, "SIGHUP");
  expect((await attended).ran).toEqual({ ok: true, value: { kind: "stopped" } });
  expect(identify(Number(readFileSync(path, "utf8")))).toBeUndefined();
  rmSync(root, { recursive: true, force: true });
});
