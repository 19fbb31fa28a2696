import { rmSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { present } from "../../../src/base/assert.ts";
import { ROLES, type Role } from "../../../src/base/role.ts";
import { identify } from "../../../src/host/processes/process-identity.ts";
import {
  buildPrograms,
  SupervisedHome,
  temporaryDirectory,
  until,
  type Programs,
} from "./supervised-home.ts";

/*
 * A killed supervisor leaves processes of roles that have no lease yet, or are not even recorded. The next one finds
 * them all the same.
 */

const directory = temporaryDirectory();
let programs: Programs;
beforeAll(async () => {
  programs = await buildPrograms(directory);
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const OTHERS = ["builder", "reviewer", "tester"] as const;

/** All processes of roles that live. */
function living(rig: SupervisedHome): readonly number[] {
  return ROLES.flatMap((role) => rig.livingOf(role));
}

function allAreLate(rig: SupervisedHome): void {
  for (const role of ROLES) rig.behave(role, "late");
}

async function untilFree(rig: SupervisedHome): Promise<void> {
  await until(async () => !(await rig.isLeaseHeld("supervisor")));
}

/** A supervisor that dies when all roles are recorded, and none has its lease. */
async function killedWhenAllAreOnRecord(rig: SupervisedHome): Promise<void> {
  const killed = rig.startByHand(rig.superviseArgv());
  await until(() => rig.records("role.spawn").length === 4 && living(rig).length === 4);
  process.kill(killed, "SIGKILL");
  await untilFree(rig);
}

/** A supervisor that kills itself at a failpoint. */
async function killedAt(rig: SupervisedHome, point: string): Promise<void> {
  const env = { ...process.env, WISP_FAILPOINT: point };
  const killed = rig.startByHand(rig.superviseArgv(), env);
  await until(() => identify(killed) === undefined);
  await untilFree(rig);
}

test("a process that was started and has no lease yet is stopped by the next supervisor", async () => {
  await using rig = new SupervisedHome(programs);
  allAreLate(rig);
  await killedWhenAllAreOnRecord(rig);
  expect(await rig.supervise({ isStopped: true })).toBe(130);
  expect(living(rig)).toEqual([]);
  expect(rig.records("role.spawn")).toHaveLength(4);
});

/** A supervisor's first spawned process holds its lease for it, and its first record is its own start. */
test.each(["spawn.after:2", "spawn.after:3", "spawn.after:5", "append.before:4"])(
  "the next supervisor stops all processes that a supervisor killed at %s left",
  async (point) => {
    await using rig = new SupervisedHome(programs);
    allAreLate(rig);
    await killedAt(rig, point);
    await until(() => living(rig).length > 0);
    expect(living(rig).length).toBeGreaterThanOrEqual(rig.records("role.spawn").length);
    expect(await rig.supervise({ isStopped: true })).toBe(130);
    expect(living(rig)).toEqual([]);
  },
);

test("a role with an unrecorded process is not started twice, and that process is stopped once it has its lease", async () => {
  await using rig = new SupervisedHome(programs);
  rig.behave("planner", "late");
  await killedAt(rig, "spawn.after:2");
  await until(() => rig.livingOf("planner").length === 1);
  const [pid] = rig.livingOf("planner");
  const ended = rig.supervise();
  await until(() => OTHERS.every((role) => rig.isRunning(role)));
  expect(rig.livingOf("planner")).toEqual([pid]);
  rig.letTakeLease();
  await until(() => rig.isRunning("planner"));
  expect(rig.records("role.spawn").map(({ role }) => role)).toEqual(OTHERS);
  rig.signal();
  expect(await ended).toBe(130);
  expect(living(rig)).toEqual([]);
});

test("a third supervisor stops all processes that two killed ones left", async () => {
  await using rig = new SupervisedHome(programs);
  allAreLate(rig);
  await killedAt(rig, "spawn.after:2");
  await killedAt(rig, "spawn.after:3");
  await until(() => living(rig).length >= 2);
  expect(await rig.supervise({ isStopped: true })).toBe(130);
  expect(living(rig)).toEqual([]);
});

test("a role whose process ends before it has its lease is started again", async () => {
  await using rig = new SupervisedHome(programs);
  allAreLate(rig);
  await killedWhenAllAreOnRecord(rig);
  const kill = (role: Role) => process.kill(present(rig.livingOf(role)[0], "it waits"), "SIGKILL");
  kill("planner");
  await until(() => rig.livingOf("planner").length === 0);
  const ended = rig.supervise();
  // It has checked all of them when it starts the first.
  await until(() => rig.records("role.spawn").length === 5);
  kill("tester");
  await until(() => rig.records("role.spawn").length === 6 && rig.livingOf("tester").length === 1);
  await until(() => rig.records("role.exit").length === 1);
  expect(rig.records("role.exit")).toMatchObject([{ role: "tester" }]);
  expect(rig.records("role.exit")[0]?.reason).toMatch(/^ended, how is not known; /);
  rig.signal();
  expect(await ended).toBe(130);
  expect(living(rig)).toEqual([]);
});

test("a process that was started by hand and has no lease yet is left alone", async () => {
  await using rig = new SupervisedHome(programs);
  const role: Role = "tester";
  await killedAt(rig, "append.after:1");
  rig.behave(role, "late");
  const byHand = rig.startByHand(rig.roleArgv(role));
  await until(() => rig.livingOf(role).length === 1);
  rig.behave(role, "stay");
  const ended = rig.supervise();
  await until(() => rig.running().length === 4);
  rig.signal();
  expect(await ended).toBe(130);
  expect(living(rig)).toEqual([byHand]);
});
