import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { WispRig, type Ended } from "./wisp-rig.ts";

/*
 * Whole sessions in real processes; the engine plays a recording of a few turns.
 */

let rig: WispRig;
beforeAll(async () => {
  rig = await WispRig.create();
});
afterAll(() => rig[Symbol.asyncDispose]());

const PLAN = String.raw`[plan: "## Milestone: Hello\n\n- [ ] Say hello\n"]`;
const DEFAULTS = `
defaults:
  build: [write: { path: hello.txt, content: "hello\\n" }, commit: Say hello, tick: 1]
  review-commit: [print: "### Verdict: PASSED"]
  review-milestone: [print: "### Verdict: PASSED"]
  test: [print: "### Verdict: PASSED"]
  final-test: [print: "### Verdict: PASSED"]
  plan: ${PLAN}
`;
const ASKS = `version: 1
turns:
  - on: { purpose: plan, prompt: Port 8080 }
    do: ${PLAN}
  - on: { purpose: plan }
    do: [print: '{"status":"NEEDS_INPUT","question":"Which port?"}']
${DEFAULTS}`;
const IDLE = `version: 1
turns:
  - on: { purpose: build }
    do: [print: "I did nothing"]
${DEFAULTS}`;
/** The builder does half of its milestone, and then nothing more. */
const PAUSES = `version: 1
turns:
  - on: { purpose: plan }
    do: ${String.raw`[plan: "## Milestone: Hello\n\n- [ ] Say hello\n- [ ] Say it again\n"]`}
  - on: { purpose: build, attempt: 1 }
    do: [write: { path: hello.txt, content: "hello\\n" }, commit: Say hello, tick: 1]
  - on: { purpose: build }
    do: [hang: polite]
${DEFAULTS}`;
const hangs = (how: string) => `version: 1
turns:
  - on: { purpose: plan }
    do: [print: "thinking", hang: ${how}]
${DEFAULTS}`;
const WORKS = `version: 1\nturns: []\n${DEFAULTS}`;

let count = 0;

function repository(cassette: string): Promise<string> {
  count += 1;
  return rig.repository(`repository-${String(count)}`, {
    ".wisp/config.yaml": "engine: replay\nverify: false\n",
    ".wisp/cassette.yaml": cassette,
    "request.md": "# Say hello\n",
  });
}

const Status = z.object({
  phase: z.string(),
  isSupervised: z.boolean(),
  roles: z.array(z.object({ role: z.string(), isRunning: z.boolean(), state: z.string() })),
});

async function statusOf(cwd: string): Promise<z.infer<typeof Status>> {
  const { stdout } = await rig.run(["status", "--json"], { cwd });
  return Status.parse(JSON.parse(stdout));
}

/** Neither the supervisor nor any role of the session is running. */
async function expectNobody(cwd: string): Promise<void> {
  const { isSupervised, roles } = await statusOf(cwd);
  expect(isSupervised || roles.some(({ isRunning }) => isRunning)).toBe(false);
}

/** The pid of the holder of the supervisor's lease. */
async function supervisorPid(cwd: string): Promise<number> {
  const text = await readFile(join(cwd, ".wisp/current/locks/supervisor.lock.json"), "utf8");
  return z.object({ pid: z.number() }).parse(JSON.parse(text)).pid;
}

const summary = ({ stdout }: Ended) => stdout.slice(stdout.lastIndexOf("\n\n"));

test("start shows a session to its end, and up shows the end again", async () => {
  const cwd = await repository(WORKS);
  const started = await rig.run(["start", "request.md"], { cwd });
  expect(started.stdout).toContain('builder  | finished "Hello": 1 task done, 1 commit\n');
  expect(summary(started)).toContain("say-hello is complete");
  expect(started.code).toBe(0);
  expect(await rig.git(cwd, "show", "wisp/say-hello:hello.txt")).toBe("hello");
  await expectNobody(cwd);
  const again = await rig.run(["up"], { cwd });
  expect(again.stdout).toBe(summary(started).slice(1));
  expect(again.code).toBe(0);
  const agent = await rig.run(["agent", "builder"], { cwd });
  expect(agent).toMatchObject({ code: 0, stdout: "" });
  expect(agent.stderr.split("\n")).toEqual([
    "Starting the builder of say-hello. To see what it does: wisp logs builder say-hello --follow",
    "The builder of say-hello has ended: the session has ended, and nothing is left for it to do.",
    "",
  ]);
  const stopped = await rig.run(["stop"], { cwd });
  expect(stopped.stderr).toContain(
    "is complete (DONE): everything is in order. There is nothing to stop.",
  );
  expect(stopped.code).toBe(1);
});

test("a question without anybody to answer exits with 4, and its answer continues the session", async () => {
  const cwd = await repository(ASKS);
  const asked = await rig.run(["start", "request.md"], { cwd });
  expect(asked.stdout).toContain("planner  | asks (planner-1): Which port?");
  expect(summary(asked)).toContain('wisp answer say-hello planner-1 "<your answer>"');
  expect(asked.code).toBe(4);
  await expectNobody(cwd);
  const answered = await rig.run(["answer", "say-hello", "Port 8080"], { cwd });
  expect(answered.stderr).toContain("The session continues.");
  expect(answered.code).toBe(0);
  const ended = await rig.run(["up"], { cwd });
  expect(summary(ended)).toContain("say-hello is complete");
  expect(ended.code).toBe(0);
});

test("a stuck session says why and exits with 5; resume tries it again", async () => {
  const cwd = await repository(IDLE);
  const stuck = await rig.run(["start", "request.md"], { cwd });
  expect(summary(stuck)).toContain("say-hello is stuck:");
  expect(summary(stuck)).toContain("wisp resume say-hello");
  expect(stuck.code).toBe(5);
  const again = await rig.run(["up"], { cwd });
  expect(again.stdout).not.toContain(" | ");
  expect(again.code).toBe(5);
  const retried = await rig.run(["resume"], { cwd });
  expect(retried.stdout).toContain('builder  | no progress in "Hello"');
  expect(retried.code).toBe(5);
});

test("Ctrl-C interrupts the engines, ends all processes and exits with 130; up continues", async () => {
  const cwd = await repository(hangs("polite"));
  const viewer = rig.start(["start", "request.md"], { cwd });
  await viewer.says("planner  | begins the plan");
  viewer.child.kill("SIGINT");
  const ended = await viewer.ended;
  expect(ended.stderr).toContain("Stopping: interrupting the engines");
  expect(ended.code).toBe(130);
  await expectNobody(cwd);
  const next = rig.start(["up"], { cwd });
  await next.says("begins the plan");
  next.child.kill("SIGINT");
  expect((await next.ended).code).toBe(130);
});

test("a second Ctrl-C does not wait for an engine that does not end", async () => {
  const cwd = await repository(hangs("stubborn"));
  const viewer = rig.start(["start", "request.md"], { cwd });
  await viewer.says("planner  | begins the plan");
  viewer.child.kill("SIGINT");
  await viewer.says("Stopping: interrupting the engines");
  viewer.child.kill("SIGINT");
  await viewer.says("Stopping immediately.");
  expect((await viewer.ended).code).toBe(130);
  await expectNobody(cwd);
});

test("closing the window does not stop a session; stop does, after the work in progress", async () => {
  const cwd = await repository(hangs("polite"));
  const viewer = rig.start(["start", "request.md"], { cwd });
  await viewer.says("planner  | begins the plan");
  viewer.child.kill("SIGHUP");
  await viewer.ended;
  const { isSupervised, roles } = await statusOf(cwd);
  expect(isSupervised).toBe(true);
  expect(roles[0]).toEqual({ role: "planner", isRunning: true, state: "works" });
  const stopped = await rig.run(["stop"], { cwd });
  expect(stopped.stderr).toContain("the planner finishes its turn first");
  process.kill(await supervisorPid(cwd), "SIGTERM");
  const up = rig.start(["up"], { cwd });
  await up.says("you      | asked to resume");
  up.child.kill("SIGINT");
  expect((await up.ended).code).toBe(130);
  await expectNobody(cwd);
});

test("a detached session keeps running, and two `up` at once share one supervisor", async () => {
  const cwd = await repository(WORKS);
  const started = await rig.run(["start", "request.md", "--detach"], { cwd });
  expect(started.stderr).toContain("To watch it: wisp up say-hello");
  expect([started.code, started.stdout]).toEqual([0, ""]);
  const [one, other] = await Promise.all([rig.run(["up"], { cwd }), rig.run(["up"], { cwd })]);
  expect([one.code, other.code]).toEqual([0, 0]);
  const log = await readFile(join(cwd, ".wisp/current/logs/supervisor.log"), "utf8");
  expect(log.match(/ supervisor\.start /g)).toHaveLength(1);
});

test("`up` replaces a supervisor that was killed, and the roles keep working", async () => {
  const cwd = await repository(hangs("polite"));
  const viewer = rig.start(["start", "request.md"], { cwd });
  await viewer.says("planner  | begins the plan");
  process.kill(await supervisorPid(cwd), "SIGKILL");
  await viewer.says("the supervisor is gone; starting another one");
  expect((await statusOf(cwd)).roles[0]).toMatchObject({ isRunning: true, state: "works" });
  // Ctrl-C before the new supervisor runs is kept for it.
  viewer.child.kill("SIGINT");
  expect((await viewer.ended).code).toBe(130);
  await expectNobody(cwd);
});

test("a second process of a role names the first one and exits with 6", async () => {
  const cwd = await repository(hangs("polite"));
  const viewer = rig.start(["start", "request.md"], { cwd });
  await viewer.says("planner  | begins the plan");
  const second = await rig.run(["agent", "planner"], { cwd });
  expect(second.stderr).toMatch(/Another planner is at work on this session: process \d+, since/);
  expect(second.code).toBe(6);
  viewer.child.kill("SIGINT");
  await viewer.ended;
});

test("a branch that is rewritten during a session ends it with 5 and names the command that restores it", async () => {
  const cwd = await repository(PAUSES);
  const viewer = rig.start(["start", "request.md"], { cwd });
  await viewer.says('"Hello" is not finished yet');
  viewer.child.kill("SIGINT");
  await viewer.ended;
  const built = await rig.git(cwd, "rev-parse", "wisp/say-hello");
  await rig.git(cwd, "branch", "--delete", "--force", "wisp/say-hello");
  const agent = await rig.run(["agent", "builder"], { cwd });
  expect(agent.stderr).toContain("The branch 'wisp/say-hello' was rewritten or deleted");
  expect(agent.stderr).toContain(`branch --force wisp/say-hello ${built}`);
  expect(agent.code).toBe(5);
  const up = await rig.run(["up"], { cwd });
  expect(up.stderr).toContain(`branch --force wisp/say-hello ${built}`);
  expect(up.code).toBe(5);
  await expectNobody(cwd);
});

test("prints plain text with NO_COLOR or to a pipe, and a colour for each role with FORCE_COLOR", async () => {
  const cwd = await repository(WORKS);
  await rig.run(["start", "request.md", "--no-up"], { cwd });
  const plain = await rig.run(["status"], { cwd });
  const forced = await rig.run(["status"], { cwd, env: { FORCE_COLOR: "1" } });
  const refused = await rig.run(["status"], { cwd, env: { FORCE_COLOR: "1", NO_COLOR: "1" } });
  const flag = await rig.run(["status", "--no-color"], { cwd, env: { FORCE_COLOR: "1" } });
  expect(plain.stdout).not.toContain("\u001b[");
  expect(forced.stdout).toContain("\u001b[36mbuilder");
  expect([refused.stdout, flag.stdout]).toEqual([plain.stdout, plain.stdout]);
});
