import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createNodeProcesses } from "../../src/host/processes/node-processes.ts";
import { HAS_PROC, parseProcStat } from "../../src/host/processes/process-identity.ts";
import { startFixture, startProgram } from "./child.ts";
import { numbersIn, survivorsOf } from "./processes-of.ts";
import { scratch } from "./scratch.ts";
import { eventually } from "../rig/patience.ts";
import { ownEnvironment } from "../rig/own-environment.ts";

const processes = createNodeProcesses();
const env = ownEnvironment();

test("a living process has an identity that stays the same", () => {
  const self = processes.identify(process.pid);
  expect(self?.pid).toBe(process.pid);
  expect(self?.startTime).not.toBe("");
  expect(processes.identify(process.pid)).toEqual(self);
});

test("a process that has ended has none, and cannot be signalled", async () => {
  using child = startProgram("true", []);
  await child.ended;
  expect(processes.identify(child.pid)).toBeUndefined();
  expect(processes.signal(child.pid, "SIGTERM")).toBe(false);
});

test("a zombie is dead, though it can be signalled", async () => {
  const script = fileURLToPath(new URL("../fixtures/host/make-zombie.sh", import.meta.url));
  using parent = startProgram("sh", [script]);
  const zombie = Number(await parent.said);
  await eventually(() => expect(processes.identify(zombie)).toBeUndefined());
  expect(processes.signal(zombie, "SIGTERM")).toBe(true);
});

test("a signal reaches a process", async () => {
  using child = startProgram("sleep", ["1000"]);
  expect(processes.signal(child.pid, "SIGTERM")).toBe(true);
  await child.ended;
});

test("a signal to our own group or to all processes is an assertion failure", () => {
  for (const pid of [0, 1, -1, Number.NaN]) {
    expect(() => processes.signal(pid, "SIGTERM")).toThrow("one process or group");
  }
});

test("a program's name cannot forge its status", () => {
  const fields = Array.from({ length: 30 }, (_, index) => String(index + 4)).join(" ");
  expect(parseProcStat(`7 (a) Z 1 2) S ${fields}`)).toMatchObject({ state: "S", startTime: "22" });
  expect(parseProcStat("")).toBeUndefined();
});

test.runIf(HAS_PROC)("a sweep kills exactly the processes that carry the run id", async () => {
  const marked = (variable: string) =>
    startProgram("env", [variable, "sh", "-c", "echo up; exec sleep 1000"]);
  using own = marked("WISP_RUN_ID=sweep-1");
  using longer = marked("WISP_RUN_ID=sweep-12");
  using other = marked("NOT_WISP_RUN_ID=sweep-1");
  using inside = marked("SAYS=WISP_RUN_ID=sweep-1");
  const children = [own, longer, other, inside];
  await Promise.all(children.map((child) => child.said));
  expect(await processes.sweep("sweep-1")).toBe(1);
  await own.ended;
  const alive = children.filter((child) => processes.identify(child.pid) !== undefined);
  expect(alive).toEqual([longer, other, inside]);
  expect(await processes.sweep("sweep-1")).toBe(0);
});

test("a daemon outlives its parent, leads a session, and its output goes to the log", async () => {
  using directory = scratch();
  using parent = startFixture("start-daemon.js", directory.path);
  const pid = Number(await parent.said);
  await parent.ended;
  const log = directory.at("daemon.log");
  await eventually(() => expect(readFileSync(log, "utf8")).toBe("here\n"));
  using ps = startProgram("ps", ["-o", "pgid=", "-p", String(pid)]);
  expect(numbersIn(await ps.said)).toEqual([pid]);
  expect(survivorsOf([pid])).toEqual([pid]);
});

test("the end of a daemon is reported as by a shell", async () => {
  using directory = scratch();
  const start = (script: string) =>
    processes.daemon({
      argv: ["sh", "-c", script],
      cwd: directory.path,
      env,
      logPath: directory.at("log"),
    });
  const exited = start("exit 5");
  const killed = start("kill -TERM $$");
  expect(exited.ok && (await exited.value.ended)).toBe(5);
  expect(killed.ok && (await killed.value.ended)).toBe(143);
});

test.each([
  ["no-such-program", "ENOENT"],
  ["", "ENOENT"],
  ["./not-executable", "EACCES"],
  ["nul\0", "EINVAL"],
])("a daemon %j that cannot be started is a failure with %s", (executable, errno) => {
  using directory = scratch();
  writeFileSync(directory.at("not-executable"), "");
  const started = processes.daemon({
    argv: [executable],
    cwd: directory.path,
    env,
    logPath: directory.at("log"),
  });
  expect(started).toEqual({ ok: false, failure: { kind: "spawn", executable, errno } });
});
