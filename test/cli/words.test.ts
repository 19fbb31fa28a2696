import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { json } from "./session-states.ts";
import { WispRig } from "./wisp-rig.ts";

let rig: WispRig;
beforeAll(async () => {
  rig = await WispRig.create();
});
afterAll(() => rig[Symbol.asyncDispose]());

let count = 0;

/** A session without processes, with these lines in its logs. */
async function session(lines: Readonly<Record<string, readonly string[]>> = {}) {
  count += 1;
  const cwd = await rig.repository(`repository-${String(count)}`, {
    "agent.sh": "#!/bin/sh\nexit 0\n",
    ".wisp/config.yaml": "engine: { command: [./agent.sh] }\n",
    "request.md": "# Say hello\n",
  });
  await rig.run(["start", "request.md", "--no-up"], { cwd });
  const log = (name: string) => join(cwd, ".wisp/current/logs", `${name}.log`);
  for (const [name, texts] of Object.entries(lines)) {
    await appendFile(log(name), texts.map((text) => `${text}\n`).join(""));
  }
  const wisp = (...words: readonly string[]) => rig.run(words, { cwd });
  return { cwd, log, wisp, human: () => readFile(log("human"), "utf8") };
}

const at = (second: number) => `2026-11-20T12:00:${String(second).padStart(2, "0")}.000Z`;
const asks = (seq: number, ask: string) =>
  `${at(seq)} plan.end unit=plan:b0:r0 seq=${String(seq)} boundary=0 request=0 outcome=needs_input question=planner-${String(seq)} ask=${json(ask).slice(1, -1).replaceAll("\\", "")}`;
const stopped = `${at(0)} stop`;

test("records a stop once, however often it is requested", async () => {
  const { wisp, human } = await session();
  const first = await wisp("stop");
  const second = await wisp("stop", "say-hello");
  expect((await human()).match(/ stop\n/g)).toHaveLength(1);
  expect(first.stderr).toContain("Stopping say-hello;");
  expect(second.stderr).toContain("say-hello was already asked to stop;");
  expect([first.code, second.code, first.stdout]).toEqual([0, 0, ""]);
});

test("an answer to the only open question needs no id", async () => {
  const { wisp, human } = await session({ planner: [asks(1, "Which port?")], human: [stopped] });
  const { code, stderr } = await wisp("answer", "say-hello", "Port 8080");
  expect(await human()).toContain('answer question=planner-1 text="Port 8080"');
  expect(stderr).toContain("Answered planner-1 of the planner.");
  expect(stderr).toContain("say-hello is stopped. To continue: wisp up say-hello");
  expect(code).toBe(0);
});

test("an answer with an id goes to that question, and its words need no quotes", async () => {
  const { wisp, human } = await session({
    planner: [asks(1, "Which port?"), asks(2, "Which host?")],
    human: [stopped],
  });
  expect((await wisp("answer", "say-hello", "planner-2", "the", "local", "one")).code).toBe(0);
  expect(await human()).toContain('answer question=planner-2 text="the local one"');
});

test("stores an answer without control characters", async () => {
  const { wisp, human } = await session({ planner: [asks(1, "Which port?")], human: [stopped] });
  await wisp("answer", "say-hello", "planner-1", "a\u001b[2Jb\u202e");
  expect(await human()).toContain("text=ab\n");
});

test("refuses an invalid answer and records nothing", async () => {
  const none = await session({ human: [stopped] });
  const two = await session({
    planner: [asks(1, "Which port?"), asks(2, "Which host?")],
    human: [stopped],
  });
  const before = await two.human();
  const cases = [
    [none, ["hello"], 1, "has no open question"],
    [two, ["hello"], 2, "has no open question 'hello'"],
    [two, [], 4, 'wisp answer say-hello planner-2 "<your answer>"'],
    [two, ["planner-1"], 4, "planner-1: Which port?"],
    [two, ["planner-1", " "], 4, "An answer is needed"],
    [two, ["planner-1", "x".repeat(1_001)], 2, "there is room for 1000"],
  ] as const;
  for (const [{ wisp }, words, code, message] of cases) {
    const ended = await wisp("answer", "say-hello", ...words);
    expect(ended.stderr).toContain(message);
    expect(ended.code).toBe(code);
  }
  expect(await two.human()).toBe(before);
});

test("refuses a second answer to a question", async () => {
  const { wisp } = await session({
    planner: [asks(1, "Which port?")],
    human: [stopped, `${at(2)} answer question=planner-1 text=80`],
  });
  const { code, stderr } = await wisp("answer", "say-hello", "planner-1", "8080");
  expect(stderr).toContain("is already answered");
  expect(code).toBe(1);
});

test("logs of all roles are sorted by time, each line with the name of its writer", async () => {
  const { wisp } = await session({
    planner: [`${at(1)} note text=one`, `${at(4)} note text=four`],
    tester: [`${at(2)} note text=two`],
    human: [`${at(3)} stop`],
  });
  const { code, stdout } = await wisp("logs");
  expect(stdout.split("\n")).toEqual([
    `planner    | ${at(1)} note text=one`,
    `tester     | ${at(2)} note text=two`,
    `human      | ${at(3)} stop`,
    `planner    | ${at(4)} note text=four`,
    "",
  ]);
  expect(code).toBe(0);
});

test("--no-prefix prints the lines of a role's log as they are in the file", async () => {
  const { wisp, log } = await session({ planner: [`${at(1)} note text="one  two"`, "no record"] });
  const { stdout } = await wisp("logs", "planner", "--no-prefix");
  expect(stdout).toBe(await readFile(log("planner"), "utf8"));
});

test("cleans control characters from a foreign line of a log", async () => {
  const { wisp } = await session({ planner: ["a\u001b[2Jb\rc\u202e"] });
  expect((await wisp("logs", "planner")).stdout).toBe("planner    | ab c\n");
});

test("-f prints the existing lines and then new ones", async () => {
  const { cwd, log } = await session({ planner: [`${at(1)} note text=one`] });
  const following = rig.start(["logs", "planner", "-f", "--no-prefix"], { cwd });
  await following.says("text=one");
  await appendFile(log("planner"), `${at(2)} note text=two\n`);
  await following.says("text=two");
  following.child.kill("SIGINT");
  expect((await following.ended).stdout).toBe(await readFile(log("planner"), "utf8"));
});

test("exits without an error if the reader of the logs closes the pipe", async () => {
  const notes = Array.from({ length: 5_000 }, () => `${at(1)} note text=${"x".repeat(200)}`);
  const { cwd } = await session({ planner: notes });
  const reading = rig.start(["logs"], { cwd });
  await reading.says("text=x");
  reading.child.stdout?.destroy();
  expect(await reading.ended).toMatchObject({ code: 0, stderr: "" });
});
