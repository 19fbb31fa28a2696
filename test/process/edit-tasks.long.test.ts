import { execFile } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkSession } from "../rig/check-session.ts";
import { homeIssues } from "../rig/home-issues.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import { lastEndOf } from "../../src/session/state/stage.ts";

/*
 * A person edits TASKS.md while the session is stopped.
 */

const WISP = join(import.meta.dirname, "../../dist/wisp.js");

/** The first turn of milestone One waits until it is allowed to end; each task has a commit of its own. */
const SCENARIO = String.raw`
  plan: (t) => t.plan("# Notes\n\n## Milestone: One\n\n- [ ] Say hello\n- [ ] Say goodbye\n\n## Milestone: Two\n\n- [ ] Say thanks\n"),
  async build(t) {
    const root = process.env.HOME + "/..";
    const count = t.attempt === 1 && t.milestone === "One" ? 1 : Infinity;
    t.put(t.milestone + t.attempt + ".txt", t.milestone + "\n");
    t.commit(t.milestone + ", attempt " + t.attempt);
    t.tick(count);
    if (count === 1) {
      const { existsSync } = await import("node:fs");
      await t.until(() => existsSync(root + "/go"));
    }
  },
`;

/** A session that a person stopped after the first of the two tasks of its first milestone. */
async function stoppedSession(): Promise<ProcessSession> {
  const session = processSession({ scenario: SCENARIO });
  expect(await session.wisp("start", "request.md", "--detach")).toMatchObject({ code: 0 });
  await session.until("the first turn", () =>
    session.read("logs/builder.log").includes(" turn.begin "),
  );
  expect(await session.wisp("stop")).toMatchObject({ code: 0 });
  writeFileSync(join(session.root, "go"), "");
  await session.until("the end of all processes", () => session.leftovers().length === 0);
  expect(session.read("TASKS.md")).toContain("- [x] Say hello\n- [ ] Say goodbye\n");
  return session;
}

function edit(session: ProcessSession, change: (text: string) => string): string {
  const path = join(session.home(), "TASKS.md");
  const text = change(readFileSync(path, "utf8"));
  writeFileSync(path, text);
  return text;
}

/** Adds a task to the milestone in progress, drops the one that has not begun, and adds another. */
function extend(text: string): string {
  return text
    .replace("- [ ] Say goodbye\n", "- [ ] Wave\n- [ ] Say goodbye\n")
    .replace("## Milestone: Two\n\n- [ ] Say thanks\n", "## Milestone: Three\n\n- [ ] Leave\n");
}

function adoptions(session: ProcessSession): readonly string[] {
  const log = session.read("logs/builder.log").split("\n");
  return log.filter((line) => / plan\.adopt human=/.test(line));
}

async function expectComplete(session: ProcessSession): Promise<void> {
  const { history, broken } = checkSession(session.home());
  expect(broken).toBeUndefined();
  expect(await homeIssues(session.home())).toEqual([]);
  expect(lastEndOf(history.builder.fold)?.how).toBe("complete");
  expect(history.builder.fold.milestones.map(({ name }) => name)).toEqual(["One", "Three"]);
  expect(adoptions(session)).toHaveLength(1);
  expect(session.read("TASKS.md")).toBe(
    "# Notes\n\n## Milestone: One\n\n- [x] Say hello\n- [x] Wave\n- [x] Say goodbye\n\n" +
      "## Milestone: Three\n\n- [x] Leave\n",
  );
}

test("seed 004, stop-edit-resume: the session continues with the tasks that a person added to TASKS.md, and without those that they removed", async () => {
  await using session = await stoppedSession();
  edit(session, extend);
  const ended = await session.wisp("up");
  expect(ended).toMatchObject({ code: 0 });
  expect(ended.stderr).toContain("TASKS.md was edited: 2 milestones, 4 tasks.");
  await expectComplete(session);
  // Nothing was built twice, and the planner had no further turn.
  expect(session.read("logs/builder.log").match(/ build\.end /g)).toHaveLength(3);
  expect(session.read("logs/planner.log").match(/ turn\.begin /g)).toHaveLength(1);
});

test("a malformed edit is reported with its line, prevents a start, and is left unchanged", async () => {
  await using session = await stoppedSession();
  const plan = session.read("TASKS.md");
  const text = edit(session, (before) => before.replace("Milestone: Two", "Milestone:"));
  const logs = session.read("logs/human.log");
  const ended = await session.wisp("resume");
  expect(ended).toMatchObject({ code: 2 });
  expect(ended.stderr).toContain("TASKS.md, line 8: the milestone has no name");
  expect(ended.stderr).toContain("Nothing was started");
  expect(session.read("TASKS.md")).toBe(text);
  expect(session.read("logs/human.log")).toBe(logs);
  expect(session.leftovers()).toEqual([]);
  const fsck = await session.wisp("fsck", "--repair");
  expect(fsck.stdout + fsck.stderr).toContain("It was edited");
  expect(session.read("TASKS.md")).toBe(text);
  // With TASKS.md removed, the session continues with the plan in force.
  rmSync(join(session.home(), "TASKS.md"));
  expect(await session.wisp("up")).toMatchObject({ code: 0 });
  expect(session.read("TASKS.md")).toBe(plan.replaceAll("[ ]", "[x]"));
  expect(adoptions(session)).toEqual([]);
});

test("an edit is adopted once, wherever the person's command or the builder is killed", async () => {
  await using session = await stoppedSession();
  const text = edit(session, extend);
  for (const point of ["link.before:1", "append.before:1", "append.after:1"]) {
    await killedAt(session, point, "up", "--detach");
    expect(session.read("TASKS.md")).toBe(text);
    // The lock on human.log that the killed process left behind.
    rmSync(join(session.home(), "logs", "human.log.lock"), { recursive: true, force: true });
  }
  expect(session.read("logs/human.log").match(/ edit /g)).toHaveLength(1);
  // The stop is still in force: it is lifted only after the edit is on record.
  expect(await session.wisp("agent", "planner")).toMatchObject({ code: 0 });
  writeFileSync(join(session.home(), "logs", "human.log"), resumed(session));
  // Before and after each of the builder's appends, until it has adopted the edit.
  for (let nth = 1; adoptions(session).length === 0; nth++) {
    expect(session.read("TASKS.md")).toBe(text);
    await killedAt(session, `append.before:${String(nth)}`, "agent", "builder");
    await killedAt(session, `append.after:${String(nth)}`, "agent", "builder");
  }
  expect(adoptions(session)).toHaveLength(1);
  expect(await session.wisp("up")).toMatchObject({ code: 0 });
  await expectComplete(session);
  expect(session.read("logs/human.log").match(/ edit /g)).toHaveLength(1);
});

function resumed(session: ProcessSession): string {
  return `${session.read("logs/human.log")}${new Date(0).toISOString()} resume\n`;
}

/** Runs a command of wisp that kills itself at a failpoint. */
function killedAt(session: ProcessSession, point: string, ...args: readonly string[]) {
  return new Promise<void>((resolve) => {
    const env = { ...session.env, WISP_FAILPOINT: point };
    const child = execFile(
      process.execPath,
      [WISP, ...args],
      { cwd: session.repository, env },
      () => {
        expect(child.signalCode, `at ${point}`).toBe("SIGKILL");
        resolve();
      },
    );
    child.stdin?.end();
  });
}
