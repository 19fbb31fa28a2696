import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { present } from "../../src/base/assert.ts";
import type { RunOptions } from "../../src/base/ports/processes.ts";
import { hasNamespaceEnded } from "../../src/host/processes/first-process.ts";
import { createNodeProcesses } from "../../src/host/processes/node-processes.ts";
import { HAS_PROC } from "../../src/host/processes/process-identity.ts";
import { listPids } from "../../src/host/processes/run-environments.ts";
import { numbersIn, survivorsOf } from "./processes-of.ts";
import { scratch, type Scratch } from "./scratch.ts";
import { eventually } from "../rig/patience.ts";
import { MACHINE_PATH, ownEnvironment } from "../rig/own-environment.ts";

const HOUR_MS = 3_600_000;
const processes = createNodeProcesses({ stopGraceMs: 200 });
const env = ownEnvironment();

/** Runs a command in a directory, with its output in `out` and `err` there. */
function run(directory: Scratch, argv: RunOptions["argv"], options: Partial<RunOptions> = {}) {
  return processes.run({
    argv,
    cwd: directory.path,
    env,
    stdin: "",
    stdoutPath: directory.at("out"),
    stderrPath: directory.at("err"),
    timeoutMs: HOUR_MS,
    runId: `test-${directory.path}`,
    signal: new AbortController().signal,
    ...options,
  });
}

function fixture(name: string): string {
  return fileURLToPath(new URL(`../fixtures/host/${name}`, import.meta.url));
}

function shell(script: string): RunOptions["argv"] {
  return ["sh", "-c", script];
}

function read(directory: Scratch, name: string): string {
  return readFileSync(directory.at(name), "utf8");
}

test("a command gets its input and its output goes to the files", async () => {
  using directory = scratch();
  writeFileSync(directory.at("out"), "before\n");
  const ended = await run(directory, shell("cat; echo wrong >&2; exit 3"), { stdin: "hello\n" });
  expect(ended).toEqual({ ok: true, value: { kind: "exited", exitCode: 3 } });
  expect(read(directory, "out")).toBe("before\nhello\n");
  expect(read(directory, "err")).toBe("wrong\n");
});

test("output and errors may go to the same file, in order", async () => {
  using directory = scratch();
  const both = { stdoutPath: directory.at("out"), stderrPath: directory.at("out") };
  await run(directory, shell("echo 1; echo 2 >&2; echo 3"), both);
  expect(read(directory, "out")).toBe("1\n2\n3\n");
});

test("the environment is exactly what was given, with the run id", async () => {
  using directory = scratch();
  await run(directory, ["/usr/bin/env"], { env: { ONLY: "this" }, runId: "r1" });
  expect(read(directory, "out")).toBe("ONLY=this\nWISP_RUN_ID=r1\n");
});

test("an input that the command does not read does no harm, however long", async () => {
  using directory = scratch();
  const ended = await run(directory, ["true"], { stdin: "x".repeat(5_000_000) });
  expect(ended).toEqual({ ok: true, value: { kind: "exited", exitCode: 0 } });
});

test("a command can open its input by name", async () => {
  using directory = scratch();
  await run(directory, shell("cat /dev/stdin"), { stdin: "prompt" });
  expect(read(directory, "out")).toBe("prompt");
});

test("the input leaves no file behind", async () => {
  using directory = scratch();
  await run(directory, shell("ls"), { stdin: "secret prompt" });
  expect(read(directory, "out").trim().split("\n")).toEqual(["err", "out"]);
});

test("words are passed on as they are, whatever a shell would make of them", async () => {
  using directory = scratch();
  await run(directory, ["printf", "%s|", "a b", "$(id)", "'\"`;&", ""]);
  expect(read(directory, "out")).toBe("a b|$(id)|'\"`;&||");
});

test("a command that is killed by somebody is reported with the signal", async () => {
  using directory = scratch();
  const ended = await run(directory, shell("kill -KILL $$"));
  expect(ended).toEqual({ ok: true, value: { kind: "killed", signalName: "SIGKILL" } });
});

test.each([
  ["no-such-program", "ENOENT"],
  ["", "ENOENT"],
  ["./not-executable", "EACCES"],
  ["sh\0", "EINVAL"],
])("starting %j fails with %s", async (executable, errno) => {
  using directory = scratch();
  writeFileSync(directory.at("not-executable"), "");
  const ended = await run(directory, [executable]);
  expect(ended).toEqual({ ok: false, failure: { kind: "spawn", executable, errno } });
});

test("a program that is nowhere is missing, though not all of PATH may be searched", async () => {
  using directory = scratch();
  mkdirSync(directory.at("closed"), { mode: 0 });
  const path = `${directory.at("closed")}:${MACHINE_PATH}`;
  const ended = await run(directory, ["no-such-program"], { env: { PATH: path } });
  expect(ended).toMatchObject({ ok: false, failure: { errno: "ENOENT" } });
});

test("an argument with a NUL and an invalid working directory are failures", async () => {
  using directory = scratch();
  const failed = (errno: string) => ({ ok: false, failure: { executable: "echo", errno } });
  expect(await run(directory, ["echo", "a\0b"])).toMatchObject(failed("EINVAL"));
  expect(await run(directory, ["echo"], { env: { A: "\0" } })).toMatchObject(failed("EINVAL"));
  const cwd = directory.at("none");
  expect(await run(directory, ["echo"], { cwd })).toMatchObject(failed("ENOTDIR"));
});

test("an argument that is too long for the system is a failure", async () => {
  using directory = scratch();
  const ended = await run(directory, ["echo", "x".repeat(3_000_000)]);
  expect(ended).toMatchObject({ ok: false, failure: { kind: "spawn", errno: "E2BIG" } });
});

test("output is not written through a symbolic link", async () => {
  using directory = scratch();
  writeFileSync(directory.at("victim"), "");
  symlinkSync(directory.at("victim"), directory.at("out"));
  expect(await run(directory, ["echo"])).toMatchObject({ failure: { errno: "ELOOP" } });
  expect(read(directory, "victim")).toBe("");
});

test("the time limit ends a command with TERM first", async () => {
  using directory = scratch();
  const script = "trap 'echo bye; exit 0' TERM; while :; do sleep 0.01; done";
  const ended = await run(directory, shell(script), { timeoutMs: 300 });
  expect(ended).toEqual({ ok: true, value: { kind: "timed-out" } });
  expect(read(directory, "out")).toBe("bye\n");
});

test("a command that ignores TERM is killed, and its children too", async () => {
  using directory = scratch();
  const script = "trap '' TERM; echo $$; sleep 1000 & echo $!; wait; while :; do sleep 1; done";
  const ended = await run(directory, shell(script), { timeoutMs: 300 });
  expect(ended).toEqual({ ok: true, value: { kind: "timed-out" } });
  expect(survivorsOf(numbersIn(read(directory, "out")))).toEqual([]);
});

test("a child that outlives its parent after TERM gets the rest of the grace", async () => {
  using directory = scratch();
  const child = `sh -c 'trap "sleep 0.05; echo saved; exit" TERM; echo up; while :; do sleep 0.01; done'`;
  const controller = new AbortController();
  const running = run(directory, shell(`${child} & wait`), { signal: controller.signal });
  await eventually(() => expect(read(directory, "out")).toBe("up\n"));
  controller.abort();
  expect(await running).toEqual({ ok: true, value: { kind: "stopped" } });
  expect(read(directory, "out")).toBe("up\nsaved\n");
});

test("an abort stops a command, and one beforehand keeps it from starting", async () => {
  using directory = scratch();
  const controller = new AbortController();
  const running = run(directory, shell("echo $$; exec sleep 1000"), { signal: controller.signal });
  await eventually(() => expect(read(directory, "out")).not.toBe(""));
  controller.abort();
  expect(await running).toEqual({ ok: true, value: { kind: "stopped" } });
  expect(survivorsOf(numbersIn(read(directory, "out")))).toEqual([]);
  const ended = await run(directory, shell("touch started"), { signal: AbortSignal.abort() });
  expect(ended).toEqual({ ok: true, value: { kind: "stopped" } });
  expect(existsSync(directory.at("started"))).toBe(false);
});

test("a stopped process of the group does not keep a command from ending", async () => {
  using directory = scratch();
  const script = "sh -c 'kill -STOP $$' & echo $!; exit 0";
  expect(await run(directory, shell(script))).toMatchObject({ value: { exitCode: 0 } });
  expect(survivorsOf(numbersIn(read(directory, "out")))).toEqual([]);
});

test.runIf(HAS_PROC)(
  "nothing that a command started survives it, in a session of its own or forked twice",
  async () => {
    using directory = scratch();
    const ended = await run(directory, [process.execPath, fixture("leave-behind.js")]);
    expect(ended).toMatchObject({ value: { exitCode: 0 } });
    const started = numbersIn(read(directory, "out"));
    expect(started).toHaveLength(3);
    expect(survivorsOf(started)).toEqual([]);
  },
);

test.runIf(HAS_PROC)("processes that escape while the sweep looks are found", async () => {
  using directory = scratch();
  // Each forks the next into a new session and ends, so that every scan finds another process.
  const script = `setsid sh '${fixture("fork-chain.sh")}' 40 '${directory.at("out")}' & exit 0`;
  for (let round = 0; round < 10; round++) await run(directory, shell(script));
  expect(commandLines().filter((line) => line.includes(directory.path))).toEqual([]);
});

test("a process of the group that has dropped the run id is ended too", async () => {
  using directory = scratch();
  const ended = await run(directory, shell("env -u WISP_RUN_ID sleep 1000 & echo $!"));
  expect(ended).toMatchObject({ value: { exitCode: 0 } });
  expect(survivorsOf(numbersIn(read(directory, "out")))).toEqual([]);
});

test("a command is the leader of a process group of its own", async () => {
  using directory = scratch();
  await run(directory, shell("echo $$; ps -o pgid= -p $$"));
  const [pid, group] = numbersIn(read(directory, "out"));
  expect(group).toBe(pid);
});

function commandLines(): readonly string[] {
  return listPids().map((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").join(" ").trim();
    } catch {
      return "";
    }
  });
}

/** A sandbox that reports what the script writes on descriptor 3, and leaves a process behind. */
function keeper(report: string): RunOptions["enclosure"] {
  const script = `setsid sh -c 'touch up; exec sleep 1000' & first=$!
    while [ ! -e up ]; do sleep 0.01; done
    echo $first; printf '%s' "${report}" >&3; "$@"`;
  return { before: ["/bin/sh", "-c", script, "keeper"], env: {}, isKeeper: true };
}

test.skipIf(!HAS_PROC).each([
  ["reports a first process that is still alive", '{ \\"child-pid\\": $first }'],
  ["reports nothing", ""],
  ["reports no number", '{ \\"child-pid\\": soon }'],
])(
  "what is left of a command in a sandbox that %s is searched for and ended",
  async (_, report) => {
    using at = scratch();
    const enclosure = keeper(report);
    const end = await run(at, ["true"], { isIsolated: true, enclosure });
    expect(end).toEqual({ ok: true, value: { kind: "exited", exitCode: 0 } });
    expect(survivorsOf(numbersIn(read(at, "out")))).toEqual([]);
  },
);

test.skipIf(!HAS_PROC)(
  "a namespace has ended when its first process is dead or gone, and not before",
  async () => {
    const child = spawn("sleep", ["1000"]);
    const pid = present(child.pid, "a pid");
    expect(await hasNamespaceEnded(pid)).toBe(false);
    const exit = once(child, "exit");
    child.kill("SIGKILL");
    expect(await hasNamespaceEnded(pid)).toBe(true);
    await exit;
    expect(await hasNamespaceEnded(pid)).toBe(true);
  },
);
