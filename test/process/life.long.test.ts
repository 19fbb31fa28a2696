import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { present } from "../../src/base/assert.ts";
import { ROLES, type Role } from "../../src/base/role.ts";
import { identify } from "../../src/host/processes/process-identity.ts";
import { engineProcessesBelow } from "../rig/marked-processes.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import { ONE_TASK } from "./scenarios.ts";
import { ownEnvironment } from "../rig/own-environment.ts";

/*
 * The life of real processes: which may run, what happens when one is killed, and that an engine leaves none behind.
 */

const WISP = join(import.meta.dirname, "../../dist/wisp.js");

/**
 * The planner's first turn never ends, and starts processes that leave its process group in two ways. It writes their
 * pids, as it sees them, to `left.txt` beside the repository.
 */
const HANGS_ONCE = String.raw`
  async plan(t) {
    const { spawnSync } = await import("node:child_process");
    const { existsSync } = await import("node:fs");
    const root = process.env.HOME + "/..";
    if (existsSync(root + "/left.txt")) {
      t.plan("## Milestone: One\n\n- [ ] Say hello\n");
      return;
    }
    const line = "echo $$ >> " + root + "/pids; exec sleep 1000";
    const script =
      'setsid sh -c "' + line.replaceAll("$", "\\$") + '" & ' +
      '(sh -c "' + line.replaceAll("$", "\\$") + '" &) ; ' +
      "while [ $(wc -l < " + root + "/pids) -lt 2 ]; do sleep 0.01; done; " +
      "echo " + process.pid + " >> " + root + "/pids; mv " + root + "/pids " + root + "/left.txt";
    require_("touch", [root + "/pids"]);
    require_("sh", ["-c", script]);
    await new Promise(() => setInterval(() => undefined, 1000));
    function require_(command, args) {
      const { status } = spawnSync(command, args, { stdio: "ignore" });
      if (status !== 0) throw new Error(command + " failed");
    }
  },
`;
const SCENARIO = `${HANGS_ONCE}${ONE_TASK.slice(ONE_TASK.indexOf("build("))}`;

/** The pids of those that are alive, as seen from outside: in a pid namespace they differ. */
function leftPids({ root }: ProcessSession): readonly number[] {
  const said = saidPids(root);
  return engineProcessesBelow(root)
    .map(({ pid }) => pid)
    .filter((pid) => said.includes(innermostPid(pid)));
}

function saidPids(root: string): readonly number[] {
  try {
    return readFileSync(join(root, "left.txt"), "utf8").trim().split("\n").map(Number);
  } catch {
    return [];
  }
}

/** The pid of a process in its own pid namespace; NaN when it has ended. */
function innermostPid(pid: number): number {
  try {
    const status = readFileSync(`/proc/${String(pid)}/status`, "utf8");
    return Number(/^NSpid:.*\s(\d+)$/m.exec(status)?.[1]);
  } catch {
    return Number.NaN;
  }
}

function holderOf(session: ProcessSession, holder: Role | "supervisor"): number {
  const [, pid] = /"pid":(\d+)/.exec(session.read(`locks/${holder}.lock.json`)) ?? [];
  return Number(present(pid, "somebody holds the lease"));
}

/** Runs a session in the background until the planner's engine hangs; its processes are alive. */
async function hangingSession(): Promise<ProcessSession> {
  const session = processSession({ scenario: SCENARIO });
  expect(await session.wisp("start", "request.md", "--detach")).toMatchObject({ code: 0 });
  await session.until("the engine", () => leftPids(session).length === 3);
  return session;
}

function alive(pids: readonly number[]): readonly number[] {
  return pids.filter((pid) => identify(pid) !== undefined);
}

test("the supervisor restarts a killed role at once, and the role ends the processes that its engine left", async () => {
  await using session = await hangingSession();
  const left = leftPids(session);
  expect(alive(left)).toEqual(left);
  process.kill(holderOf(session, "planner"), "SIGKILL");
  await session.until("the plan", () => session.read("logs/planner.log").includes("outcome=plan"));
  expect(alive(left)).toEqual([]);
  const log = session.read("logs/supervisor.log").split("\n");
  const at = log.findIndex((line) => line.includes("role.exit role=planner"));
  expect(log[at + 1]).toContain("role.spawn role=planner");
  const [endedMs = 0, startedMs = NaN] = log
    .slice(at, at + 2)
    .map((line) => Date.parse(line.slice(0, 24)));
  expect(startedMs - endedMs).toBeLessThan(500);
  await session.until("the end", () => session.read("logs/builder.log").includes(" done "));
});

test("restart interrupts the engine, and a new process runs the unit again", async () => {
  await using session = await hangingSession();
  const left = leftPids(session);
  const planner = holderOf(session, "planner");
  const restarted = await session.wisp("restart", "planner");
  expect(restarted).toMatchObject({ code: 0 });
  expect(restarted.stderr).toContain("Restarting the planner.");
  await session.until("the plan", () => session.read("logs/planner.log").includes("outcome=plan"));
  expect(identify(planner)).toBeUndefined();
  expect(alive(left)).toEqual([]);
  const planned = session.read("logs/planner.log");
  expect(planned.match(/ unit\.begin unit=plan:b0:r0 /g)).toHaveLength(2);
  expect(planned).toContain("role.end reason=interrupted");
  expect(session.read("logs/supervisor.log")).not.toContain("not started again");
  await session.until("the end", () => session.read("logs/builder.log").includes(" done "));
  const over = await session.wisp("restart", "planner");
  expect(over.stderr).toContain("There is nothing to restart.");
});

test("roles survive the supervisor's death, status reports it, and the next up takes them over", async () => {
  await using session = await hangingSession();
  const planner = holderOf(session, "planner");
  process.kill(holderOf(session, "supervisor"), "SIGKILL");
  await session.until("the end of the supervisor", () => {
    return alive([holderOf(session, "supervisor")]).length === 0;
  });
  const orphaned = await session.wisp("status");
  expect(orphaned.stdout).toContain("no supervisor is running");
  expect(orphaned.stdout).toMatch(/planner .*\(unsupervised\)/);
  expect(alive(leftPids(session))).toHaveLength(3);
  expect(await session.wisp("up", "--detach")).toMatchObject({ code: 0 });
  expect((await session.wisp("status")).stdout).not.toContain("supervise");
  expect(holderOf(session, "planner")).toBe(planner);
  process.kill(planner, "SIGKILL");
  await session.until("the end", () => session.read("logs/builder.log").includes(" done "));
});

test("without a supervisor, restart interrupts the role and says that nothing will start it again", async () => {
  await using session = processSession({ scenario: SCENARIO });
  await session.wisp("start", "request.md", "--no-up");
  const none = await session.wisp("restart", "planner");
  expect(none).toMatchObject({ code: 1 });
  expect(none.stderr).toMatch(
    /^\S+ has no supervisor, and its planner is not running\.\nTo start the session: wisp up/,
  );
  const agent = session.spawn("agent", "planner");
  await session.until("the engine", () => leftPids(session).length === 3);
  const alone = await session.wisp("restart", "planner");
  expect(alone).toMatchObject({ code: 1 });
  expect(alone.stderr).toContain("has no supervisor to start it again");
  await session.until("the end of the role", () => agent.exitCode !== null);
  expect(agent.exitCode).toBe(130);
  expect(alive(leftPids(session))).toEqual([]);
});

test("a suspended role keeps its lease: a second process exits with 6 and names the holder", async () => {
  await using session = await hangingSession();
  const planner = holderOf(session, "planner");
  process.kill(planner, "SIGSTOP");
  const second = await session.wisp("agent", "planner");
  expect(second).toMatchObject({ code: 6 });
  expect(second.stderr).toContain(`process ${String(planner)}, since `);
  expect((await session.wisp("status")).stdout).toMatch(/planner +is working on/);
  process.kill(planner, "SIGCONT");
});

test("agents work without a terminal, with a minimal environment, and with a stdin that never closes", async () => {
  await using session = processSession({ scenario: ONE_TASK });
  await session.wisp("start", "request.md", "--no-up");
  const { HOME = "", WISP_TEST_ROOT = "" } = session.env;
  // As cron starts them.
  const shell = { PATH: "/usr/bin:/bin", SHELL: "/bin/sh" };
  const env = ownEnvironment({ ...shell, HOME, WISP_TEST_ROOT });
  const agents = ROLES.map((role) =>
    spawn("setsid", ["--wait", process.execPath, WISP, "agent", role], {
      cwd: session.repository,
      env,
      stdio: ["pipe", "ignore", "ignore"],
    }),
  );
  const codes = agents.map(
    (child) => new Promise((resolve) => child.once("exit", (code) => resolve(code))),
  );
  expect(await Promise.all(codes)).toEqual([0, 0, 0, 0]);
  for (const child of agents) child.stdin.destroy();
  expect(session.read("logs/builder.done")).toMatch(/^complete\|/m);
});
