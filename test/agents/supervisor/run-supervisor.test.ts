import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Lease } from "../../../src/base/ports/locks.ts";
import { GitFailure } from "../../../src/base/ports/repo.ts";
import { present } from "../../../src/base/assert.ts";
import { fail } from "../../../src/base/result.ts";
import { ROLES } from "../../../src/base/role.ts";
import { leasePath } from "../../../src/fs-protocol/home/home.ts";
import { identify, readProcStat } from "../../../src/host/processes/process-identity.ts";
import { fakeHub } from "../../fixtures/supervisor/fake-hub.ts";
import { done, HUMAN, PLANNER_ASKS } from "./session-of.ts";
import {
  buildPrograms,
  QUICK,
  SupervisedHome,
  temporaryDirectory,
  until,
  type Programs,
} from "./supervised-home.ts";

const directory = temporaryDirectory();
let programs: Programs;
beforeAll(async () => {
  programs = await buildPrograms(directory);
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

test("the four roles run, detached, until the session is complete", async () => {
  await using rig = new SupervisedHome(programs);
  const ended = rig.supervise();
  await until(() => rig.running().length === 4);
  const pids = ROLES.map((role) => present(rig.pidsOf(role)[0], "it runs"));
  expect(pids.map((pid) => readProcStat(pid)?.group)).toEqual(pids);
  expect(rig.records("role.spawn").map(({ role, pid }) => [role, pid])).toEqual(
    ROLES.map((role, index) => [role, pids[index]]),
  );
  expect(readFileSync(join(rig.home.logs, "tester.out"), "utf8")).toBe("");
  rig.sayAsBuilder(...done("complete"));
  expect(await ended).toBe(0);
  expect(rig.running()).toEqual([]);
  expect(rig.records("role.exit").map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  expect(rig.records("supervisor.end")).toMatchObject([{ code: 0 }]);
  expect(await rig.isLeaseHeld("supervisor")).toBe(false);
});

test("a stuck session ends with 5", async () => {
  await using rig = new SupervisedHome(programs);
  rig.sayAsBuilder(...done("stuck"));
  expect(await rig.supervise()).toBe(5);
});

test("R25: approving finished work starts no role", async () => {
  await using rig = new SupervisedHome(programs);
  rig.sayAsBuilder(...done("complete"));
  rig.sayAsHuman(HUMAN.approve);
  expect(await rig.supervise()).toBe(0);
  expect(rig.records("role.spawn")).toEqual([]);
});

test("a supervisor that ends removes locks that killed processes left behind", async () => {
  await using rig = new SupervisedHome(programs);
  const { progress, changes, humanLog, quarantine } = rig.home;
  const locks = [progress, changes, humanLog, quarantine].map((path) => `${path}.lock`);
  for (const lock of locks) {
    mkdirSync(lock);
    // Killed before it recorded its identity: only its age tells that it is abandoned.
    utimesSync(lock, 0, 0);
  }
  rig.sayAsBuilder(...done("complete"));
  expect(await rig.supervise()).toBe(0);
  expect(locks.filter((lock) => existsSync(lock))).toEqual([]);
});

test("after a stop the roles end by themselves, and the exit code is 0", async () => {
  await using rig = new SupervisedHome(programs);
  const ended = rig.supervise();
  await until(() => rig.running().length === 4);
  rig.sayAsHuman(HUMAN.stop);
  expect(await ended).toBe(0);
  expect(rig.records("note")).toEqual([]);
});

test("a second supervisor is refused with 6, and writes nothing", async () => {
  await using rig = new SupervisedHome(programs);
  void rig.supervise();
  await until(() => rig.running().length === 4);
  const before = readFileSync(rig.home.supervisorLog, "utf8");
  expect(await rig.supervise()).toBe(6);
  expect(readFileSync(rig.home.supervisorLog, "utf8")).toBe(before);
});

test("a role that is killed is started again", async () => {
  await using rig = new SupervisedHome(programs);
  void rig.supervise();
  await until(() => rig.running().length === 4);
  process.kill(present(rig.pidsOf("tester")[0], "it runs"), "SIGKILL");
  await until(() => rig.pidsOf("tester").length === 2 && rig.isRunning("tester"));
  expect(rig.records("role.exit")).toMatchObject([{ role: "tester", code: 137 }]);
});

test.each(["crash", "leave"])(
  "a role whose processes always %s is given up; a person can start it again",
  async (behaviour) => {
    await using rig = new SupervisedHome(programs);
    rig.behave("tester", behaviour);
    void rig.supervise();
    await until(() => rig.records("role.failed").length === 1);
    expect(rig.pidsOf("tester")).toHaveLength(5);
    expect(rig.records("role.failed")).toMatchObject([{ role: "tester" }]);
    await until(() => rig.running().length === 3);
    rig.behave("tester", "stay");
    const pid = rig.startByHand(rig.roleArgv("tester"));
    await until(() => rig.records("lease").length === 1);
    expect(rig.records("lease")).toMatchObject([{ role: "tester", pid }]);
    await until(() => rig.pidsOf("tester").length === 6);
    process.kill(pid, "SIGKILL");
    await until(() => rig.pidsOf("tester").length === 7 && rig.isRunning("tester"));
  },
);

test("a person's restart starts a role that was given up", async () => {
  await using rig = new SupervisedHome(programs);
  rig.behave("tester", "crash");
  void rig.supervise();
  await until(() => rig.records("role.failed").length === 1);
  rig.behave("tester", "stay");
  rig.sayAsHuman(HUMAN.restart);
  await until(() => rig.running().length === 4);
  const pid = present(rig.pidsOf("tester").at(-1), "it runs");
  expect(rig.records("lease")).toMatchObject([{ role: "tester", pid }]);
});

test("a person's restart replaces the running process, by force if necessary, and no other", async () => {
  await using rig = new SupervisedHome(programs);
  rig.behave("tester", "stubborn");
  const byHand = rig.startByHand(rig.roleArgv("tester"));
  await until(() => rig.isRunning("tester"));
  void rig.supervise();
  await until(() => rig.running().length === 4);
  const others = ROLES.slice(0, 3).map((role) => rig.pidsOf(role));
  rig.sayAsHuman(HUMAN.restart);
  await until(() => rig.pidsOf("tester").length === 2 && rig.isRunning("tester"));
  expect(identify(byHand)).toBeUndefined();
  expect(ROLES.slice(0, 3).map((role) => rig.pidsOf(role))).toEqual(others);
  expect(rig.records("role.exit")).toMatchObject([
    { role: "tester", reason: "its lease fell free, as it was asked to" },
  ]);
});

test("a role that is killed right after the end is started once more, and the session ends the same", async () => {
  await using rig = new SupervisedHome(programs);
  rig.behave("tester", "stubborn");
  const ended = rig.supervise();
  await until(() => rig.running().length === 4);
  rig.behave("tester", "stay");
  rig.sayAsBuilder(...done("complete"));
  await until(() => rig.running().length === 1);
  process.kill(present(rig.pidsOf("tester")[0], "it runs"), "SIGKILL");
  expect(await ended).toBe(0);
  expect(ROLES.map((role) => rig.pidsOf(role).length)).toEqual([1, 1, 1, 2]);
});

test("a builder in a crash loop stops all roles, and the exit code is 5", async () => {
  await using rig = new SupervisedHome(programs);
  rig.behave("builder", "crash");
  expect(await rig.supervise()).toBe(5);
  expect(rig.records("role.failed")).toMatchObject([{ role: "builder" }]);
  expect(rig.running()).toEqual([]);
});

test("a program that cannot be started is given up like one that crashes", async () => {
  await using rig = new SupervisedHome({ ...programs, role: "/nowhere" });
  rig.roleArgv = () => ["/nowhere/role"];
  expect(await rig.supervise()).toBe(5);
  expect(rig.records("role.exit")[0]?.reason).toContain("ENOENT");
});

test("a new supervisor starts a failed role again, before the others act on its failure", async () => {
  await using rig = new SupervisedHome(programs);
  rig.behave("builder", "crash");
  expect(await rig.supervise()).toBe(5);
  rig.behave("builder", "stay");
  const spawned = rig.records("role.spawn").length;
  void rig.supervise();
  await until(() => rig.running().length === 4);
  const pid = present(rig.pidsOf("builder").at(-1), "it runs");
  expect(rig.records("role.spawn")[spawned]).toMatchObject({ role: "builder", pid });
  expect(rig.records("lease")).toMatchObject([{ role: "builder", pid }]);
});

test("a role that was started by hand is left alone, and replaced when its process has ended", async () => {
  await using rig = new SupervisedHome(programs);
  const pid = rig.startByHand(rig.roleArgv("builder"));
  await until(() => rig.isRunning("builder"));
  void rig.supervise();
  await until(() => rig.running().length === 4);
  expect(rig.pidsOf("builder")).toEqual([pid]);
  process.kill(pid, "SIGKILL");
  await until(() => rig.pidsOf("builder").length === 2 && rig.isRunning("builder"));
  const [exit] = rig.records("role.exit");
  expect([exit?.role, exit?.code]).toEqual(["builder", undefined]);
});

test("the exit code of a rewritten branch ends the supervision with 5", async () => {
  await using rig = new SupervisedHome(programs);
  rig.behave("reviewer", "rewritten");
  expect(await rig.supervise()).toBe(5);
  expect(rig.pidsOf("reviewer")).toHaveLength(1);
  expect(rig.running()).toEqual([]);
});

test("a signal stops all roles, by force if necessary, and kills processes that engines left", async () => {
  await using rig = new SupervisedHome(programs);
  rig.behave("tester", "stubborn");
  rig.behave("builder", "engine");
  const ended = rig.supervise();
  await until(() => rig.running().length === 4 && rig.leftovers().length === 1);
  const byHand = rig.startByHand(["sleep", "1000"]);
  rig.signal();
  expect(await ended).toBe(130);
  expect(rig.running()).toEqual([]);
  expect(rig.leftovers()).toEqual([]);
  expect(identify(byHand)).toBeDefined();
  const [tester] = rig.pidsOf("tester");
  const notes = rig.records("note").map(({ text }) => text);
  expect(notes[0]).toMatch(/^stopping: waiting up to 0.4 s for planner .*, tester \(pid \d+\)$/);
  expect(notes[1]).toBe(`stopping: killing tester (pid ${tester ?? 0})`);
  expect(notes[2]).toBe("1 processes that engines had left were killed; none is left");
  expect(rig.records("supervisor.end")).toMatchObject([{ code: 130 }]);
});

test("a second signal does not wait", async () => {
  await using rig = new SupervisedHome(programs);
  for (const role of ROLES) rig.behave(role, "stubborn");
  const ended = rig.supervise({ timing: { ...QUICK, stopGraceMs: 600_000 } });
  await until(() => rig.running().length === 4);
  rig.signal();
  await until(() => rig.records("note").length === 1);
  rig.signal();
  expect(await ended).toBe(130);
  expect(rig.running()).toEqual([]);
});

test("a signal leaves processes alone that were started by hand", async () => {
  await using rig = new SupervisedHome(programs);
  rig.startByHand(rig.roleArgv("builder"));
  await until(() => rig.isRunning("builder"));
  const ended = rig.supervise();
  await until(() => rig.running().length === 4);
  rig.signal();
  expect(await ended).toBe(130);
  expect(rig.running()).toEqual(["builder"]);
  expect(rig.records("note")[0]?.text).toContain("leaving who was started by hand: builder (pid");
});

test("the death of the supervisor stops no role; the next one takes over its processes", async () => {
  await using rig = new SupervisedHome(programs);
  const first = rig.startByHand(rig.superviseArgv());
  await until(() => rig.running().length === 4);
  const pids = ROLES.map((role) => rig.pidsOf(role));
  process.kill(first, "SIGKILL");
  await until(async () => !(await rig.isLeaseHeld("supervisor")));
  expect(rig.running()).toHaveLength(4);
  const ended = rig.supervise();
  await until(() => rig.records("supervisor.start").length === 2);
  process.kill(present(rig.pidsOf("tester")[0], "it runs"), "SIGKILL");
  await until(() => rig.pidsOf("tester").length === 2 && rig.isRunning("tester"));
  expect(ROLES.slice(0, 3).map((role) => rig.pidsOf(role))).toEqual(pids.slice(0, 3));
  // The second one stops the first one's processes like its own.
  rig.signal();
  expect(await ended).toBe(130);
  expect(rig.running()).toEqual([]);
});

/** The lease, which `release` releases instead. */
function releasedBy(lease: Lease, release: () => Promise<void>): Lease {
  const { lost, wasAbandoned } = lease;
  const keep = () => lease.keep();
  return { lost, wasAbandoned, keep, release, [Symbol.asyncDispose]: release };
}

test("R14: a record that is appended between the release of the lease and the last reading is seen", async () => {
  await using rig = new SupervisedHome(programs);
  rig.sayAsBuilder(...done("complete"));
  const { locks } = rig.ports;
  const path = leasePath(rig.home, "supervisor");
  const held: boolean[] = [];
  const takeLease: typeof locks.takeLease = async (taken) => {
    const lease = await locks.takeLease(taken);
    if (!lease.ok || taken !== path || held.length > 0) return lease;
    const release = async () => {
      await lease.value.release();
      held.push(await locks.isLeaseHeld(path));
      rig.sayAsHuman(HUMAN.update);
    };
    return { ok: true, value: releasedBy(lease.value, release) };
  };
  const ended = rig.supervise({ ports: { ...rig.ports, locks: { ...locks, takeLease } } });
  await until(() => rig.running().length === 4);
  expect(held).toEqual([false]);
  expect(rig.records("supervisor.start")).toHaveLength(2);
  rig.sayAsBuilder(...done("complete", 1));
  expect(await ended).toBe(0);
});

test("R14: a record that is appended while the lease is still held is seen by the supervisor", async () => {
  await using rig = new SupervisedHome(programs);
  rig.sayAsBuilder(...done("complete"));
  const { locks } = rig.ports;
  let isSaid = false;
  const takeLease: typeof locks.takeLease = async (taken) => {
    // The supervisor sweeps each role under its lease, after its last reading and before its end.
    if (!isSaid && taken === leasePath(rig.home, "tester")) {
      isSaid = true;
      rig.sayAsHuman(HUMAN.update);
      expect(await locks.isLeaseHeld(leasePath(rig.home, "supervisor"))).toBe(true);
    }
    return locks.takeLease(taken);
  };
  void rig.supervise({ ports: { ...rig.ports, locks: { ...locks, takeLease } } });
  await until(() => rig.running().length === 4);
});

test("if another supervisor was faster, this one ends", async () => {
  await using rig = new SupervisedHome(programs);
  rig.sayAsBuilder(...done("complete"));
  const { locks } = rig.ports;
  const path = leasePath(rig.home, "supervisor");
  let takes = 0;
  const takeLease: typeof locks.takeLease = async (taken) => {
    if (taken === path) takes += 1;
    const lease = await locks.takeLease(taken);
    if (!lease.ok || taken !== path || takes > 1) return lease;
    const release = async () => {
      await lease.value.release();
      rig.sayAsHuman(HUMAN.update);
      rig.startByHand(rig.superviseArgv());
      await until(() => rig.isLeaseHeld("supervisor"));
    };
    return { ok: true, value: releasedBy(lease.value, release) };
  };
  expect(await rig.supervise({ ports: { ...rig.ports, locks: { ...locks, takeLease } } })).toBe(0);
  expect(takes).toBe(2);
  await until(() => rig.running().length === 4);
});

test("input that nobody can give ends the supervision with 4", async () => {
  await using rig = new SupervisedHome(programs);
  rig.sayAsPlanner(PLANNER_ASKS);
  expect(await rig.supervise({ noInput: true })).toBe(4);
  expect(rig.records("supervisor.end")).toMatchObject([
    { code: 4, reason: "input is needed and there is nobody to ask: Which database?" },
  ]);
  expect(rig.running()).toEqual([]);
});

test("if a person can be asked, an open question keeps the supervision going", async () => {
  await using rig = new SupervisedHome(programs);
  rig.sayAsPlanner(PLANNER_ASKS);
  const ended = rig.supervise();
  await until(() => rig.running().length === 4);
  rig.sayAsHuman(HUMAN.stop);
  expect(await ended).toBe(0);
});

test("while the session cannot be read no role is started, but a signal is obeyed", async () => {
  await using rig = new SupervisedHome(programs);
  let isBroken = false;
  const failure = GitFailure({ operation: "log", directory: "/", message: "broken" });
  const hub = {
    ...fakeHub,
    head: () => Promise.resolve(isBroken ? "c".repeat(40) : "b".repeat(40)),
    commits: (base: string, head: string) =>
      isBroken ? Promise.resolve(fail(failure)) : fakeHub.commits(base, head),
  };
  const ended = rig.supervise({ hub });
  await until(() => rig.running().length === 4);
  isBroken = true;
  process.kill(present(rig.pidsOf("tester")[0], "it runs"), "SIGKILL");
  await until(() => rig.records("note").some(({ text }) => text.includes("cannot be read")));
  expect(rig.pidsOf("tester")).toHaveLength(1);
  rig.signal();
  expect(await ended).toBe(130);
  expect(rig.running()).toEqual([]);
});

test("human.log and the supervisor's log are restored when they are cut or removed, also by the next supervisor", async () => {
  await using rig = new SupervisedHome(programs);
  const { humanLog, supervisorLog } = rig.home;
  rig.sayAsHuman(HUMAN.pause);
  const ended = rig.supervise();
  await until(() => rig.running().length === 4);
  const said = readFileSync(humanLog, "utf8");
  const written = readFileSync(supervisorLog, "utf8");
  writeFileSync(humanLog, "");
  rmSync(supervisorLog);
  await until(() => readFileSync(humanLog, "utf8") === said);
  rig.sayAsHuman(HUMAN.stop);
  expect(await ended).toBe(0);
  expect(readFileSync(supervisorLog, "utf8").startsWith(written)).toBe(true);
  const all = readFileSync(humanLog, "utf8");
  rmSync(humanLog);
  writeFileSync(supervisorLog, "forged\n");
  expect(await rig.supervise()).toBe(0);
  expect(readFileSync(humanLog, "utf8")).toBe(all);
  expect(readFileSync(supervisorLog, "utf8").startsWith(written)).toBe(true);
  const restored = rig.records("file.restored").map(({ file }) => file);
  const twice = ["logs/human.log", "logs/human.log", "logs/supervisor.log", "logs/supervisor.log"];
  expect(restored.sort()).toEqual(twice);
});

test("a failed role that is forged into the supervisor's log does not count", async () => {
  await using rig = new SupervisedHome(programs);
  const ended = rig.supervise();
  await until(() => rig.running().length === 4);
  const line = "2026-11-20T12:00:00.000Z role.failed role=tester reason=forged\n";
  appendFileSync(rig.home.supervisorLog, line);
  await until(() => !readFileSync(rig.home.supervisorLog, "utf8").includes("forged"));
  rig.sayAsHuman(HUMAN.stop);
  expect(await ended).toBe(0);
  expect(rig.records("role.failed")).toEqual([]);
});

const MOVED = { kind: "moved", time: "2026-11-20T12:00:00.000Z", to: "ssh:box", id: "a" } as const;

test("in a home whose session moved away it starts no role, and records nothing", async () => {
  await using rig = new SupervisedHome(programs);
  rig.sayAsHuman(MOVED);
  await expect(rig.supervise()).rejects.toMatchObject({ failure: { kind: "moved-away" } });
  expect(existsSync(rig.home.supervisorLog)).toBe(false);
  expect(ROLES.flatMap((role) => rig.livingOf(role))).toEqual([]);
});

test("when the session moves it ends the roles and itself, and neither records that nor starts one again", async () => {
  await using rig = new SupervisedHome(programs);
  const ended = rig.supervise();
  await until(() => rig.running().length === 4);
  const log = readFileSync(rig.home.supervisorLog, "utf8");
  rig.sayAsHuman(MOVED);
  await expect(ended).rejects.toMatchObject({ failure: { kind: "moved-away", to: "ssh:box" } });
  await until(() => rig.running().length === 0);
  expect(readFileSync(rig.home.supervisorLog, "utf8")).toBe(log);
  expect(ROLES.map((role) => rig.pidsOf(role).length)).toEqual([1, 1, 1, 1]);
});
