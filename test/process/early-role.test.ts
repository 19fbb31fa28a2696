import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Daemon } from "../../src/base/ports/processes.ts";
import { present } from "../../src/base/assert.ts";
import { createNodeProcesses } from "../../src/host/processes/node-processes.ts";
import { HAS_PROC } from "../../src/host/processes/process-identity.ts";
import { processSession, WISP, type ProcessSession } from "../rig/process-session.ts";
import { rolePid } from "../rig/role-pid.ts";

const PLANS = `plan: (t) => t.plan("## Milestone: One\\n\\n- [ ] Say hello\\n"),`;

/** The planner's process as a supervisor starts it early. */
function startPlanner({ root, repository, env }: ProcessSession): Daemon {
  const variables = Object.entries(env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  const started = createNodeProcesses().daemon({
    argv: [process.execPath, WISP, "agent", "planner", "--when-told"],
    ...{ cwd: repository, env: Object.fromEntries(variables), isGated: true },
    logPath: join(root, "planner.out"),
  });
  return present(started.ok ? started.value : undefined, "it starts");
}

test("a role that is not let through its gate takes no lease, writes nothing, says nothing and ends with 0", async () => {
  await using session = processSession({ scenario: PLANS });
  expect(await session.wisp("start", "request.md", "--no-up")).toMatchObject({ code: 0 });
  const { gate, ended } = startPlanner(session);
  gate?.close();
  expect(await ended).toBe(0);
  expect(readFileSync(join(session.root, "planner.out"), "utf8")).toBe("");
  expect(existsSync(join(session.home(), "locks"))).toBe(true);
  expect(existsSync(join(session.home(), "locks/planner.lock"))).toBe(false);
  expect(existsSync(join(session.home(), "logs/planner.log"))).toBe(false);
});

test("a role that is let through its gate takes its lease and plans", async () => {
  await using session = processSession({ scenario: PLANS });
  expect(await session.wisp("start", "request.md", "--no-up")).toMatchObject({ code: 0 });
  const { gate, ended, pid } = startPlanner(session);
  gate?.open();
  await session.until("the plan", () => {
    const log = join(session.home(), "logs/planner.log");
    return existsSync(log) && readFileSync(log, "utf8").includes(" plan.end ");
  });
  expect(rolePid(session, "planner")).toBe(pid);
  process.kill(pid, "SIGTERM");
  expect(await ended).toBe(130);
});

test.runIf(HAS_PROC)(
  "the planner of a new session is started by the time that its supervisor has its lease",
  async () => {
    await using session = processSession({ scenario: PLANS });
    const ended = await session.wisp("start", "request.md", "--detach");
    expect(ended).toMatchObject({ code: 0 });
    await session.until("the planner", () => rolePid(session, "planner") !== undefined);
    const log = () => readFileSync(join(session.home(), "logs/supervisor.log"), "utf8");
    await session.until("its record", () => log().includes("role.spawn role=planner"));
    // Its process is the one that waited: the word is on its command line.
    const pid = present(rolePid(session, "planner"), "it runs");
    expect(readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")).toContain("--when-told");
    expect(log()).toContain(`role.spawn role=planner pid=${pid}`);
    expect(await session.wisp("stop")).toMatchObject({ code: 0 });
  },
);
