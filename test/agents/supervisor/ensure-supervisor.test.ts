import { rmSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ensureSupervisor } from "../../../src/agents/supervisor/ensure-supervisor.ts";
import { done } from "./session-of.ts";
import {
  buildPrograms,
  SupervisedHome,
  temporaryDirectory,
  until,
  type Programs,
} from "./supervised-home.ts";
import { ownEnvironment } from "../../rig/own-environment.ts";

const directory = temporaryDirectory();
let programs: Programs;
beforeAll(async () => {
  programs = await buildPrograms(directory);
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function ensure(rig: SupervisedHome, argv: readonly [string, ...string[]]) {
  const env = ownEnvironment();
  const supervisor = { argv, cwd: rig.home.directory, env };
  return ensureSupervisor(rig.ports, { home: rig.home, supervisor });
}

test("a supervisor is started only if there is none", async () => {
  await using rig = new SupervisedHome(programs);
  const first = await ensure(rig, rig.superviseArgv());
  const [start] = rig.records("supervisor.start");
  expect(first).toEqual({ ok: true, value: { kind: "started", pid: start?.pid } });
  expect(await rig.isLeaseHeld("supervisor")).toBe(true);
  expect(await ensure(rig, rig.superviseArgv())).toEqual({ ok: true, value: { kind: "running" } });
  await until(() => rig.running().length === 4);
  expect(rig.records("supervisor.start")).toHaveLength(1);
  process.kill(start?.pid ?? NaN, "SIGTERM");
  await until(async () => !(await rig.isLeaseHeld("supervisor")));
});

test("two calls at once start one supervisor", async () => {
  await using rig = new SupervisedHome(programs);
  const both = await Promise.all([1, 2].map(() => ensure(rig, rig.superviseArgv())));
  const kinds = both.map((ensured) => (ensured.ok ? ensured.value.kind : "failed"));
  expect(kinds.sort()).toEqual(["running", "started"]);
  const [start] = rig.records("supervisor.start");
  process.kill(start?.pid ?? NaN, "SIGTERM");
  await until(async () => !(await rig.isLeaseHeld("supervisor")));
  expect(rig.records("supervisor.start")).toHaveLength(1);
});

test("the supervisor of a session that is over ends, and the caller learns it", async () => {
  await using rig = new SupervisedHome(programs);
  rig.sayAsBuilder(...done("complete"));
  const ensured = await ensure(rig, rig.superviseArgv());
  expect(ensured.ok && ["started", "ended"].includes(ensured.value.kind)).toBe(true);
  await until(() => rig.records("supervisor.end").length === 1);
});

test("the exit code of a supervisor that fails at once is returned", async () => {
  await using rig = new SupervisedHome(programs);
  const ensured = await ensure(rig, [process.execPath, "-e", "process.exit(3)"]);
  expect(ensured).toMatchObject({ ok: true, value: { kind: "ended", exitCode: 3 } });
});

test("a missing executable is a failure", async () => {
  await using rig = new SupervisedHome(programs);
  const ensured = await ensure(rig, ["/nowhere/wisp"]);
  expect(ensured).toMatchObject({ ok: false, failure: { kind: "spawn", errno: "ENOENT" } });
});
