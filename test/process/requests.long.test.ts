import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { homeIssues } from "../rig/home-issues.ts";
import {
  expectComplete,
  FILLER,
  listed,
  promptsOf,
  requestsReadIn,
  worksIn,
} from "./kept-prompts.ts";

/*
 * Requests that are plans, and prose; the real binary with four processes.
 */

test("an RFC of 2,000 lines is planned, and named in every prompt instead of pasted", async () => {
  await using session = worksIn();
  const lines = Array.from({ length: 2_000 }, (_, line) => `${FILLER} (${String(line)})`);
  session.write("rfc.md", `# RFC: Long\n\n${lines.join("\n")}\n`);
  expect(await session.wisp("start", "rfc.md")).toMatchObject({ code: 0 });
  await expectComplete(session, ["One", "Two"]);
  const prompts = promptsOf(session);
  expect(prompts.length).toBeGreaterThan(5);
  for (const prompt of prompts) {
    expect(prompt).not.toContain(FILLER);
    expect(prompt.length).toBeLessThan(10_000);
  }
  const request = readFileSync(join(session.repository, "rfc.md"), "utf8");
  expect(new Set(requestsReadIn(session))).toEqual(new Set([request]));
});

test("a TASKS.md is the plan to the letter, and what is ticked in it is done", async () => {
  await using session = worksIn();
  const text = "# Notes\n\n## Milestone: One\n\n- [x] Say hello\n- [ ] Say goodbye\n";
  session.write("plan.md", text);
  expect(await session.wisp("start", "plan.md")).toMatchObject({ code: 0 });
  await expectComplete(session, ["One"]);
  expect(session.read("TASKS.md")).toBe(text.replace("[ ]", "[x]"));
});

test("the task list of one session, with what passes in it, is the request of another", async () => {
  await using session = worksIn();
  const list = [
    {
      category: "setup",
      description: "Create the package",
      steps: ["with a licence"],
      passes: true,
    },
    { category: "feature", description: "Say hello", steps: [], passes: false },
  ];
  session.write("tasks.json", JSON.stringify(list));
  expect(await session.wisp("start", "tasks.json", "--no-up")).toMatchObject({ code: 0 });
  const before = await listed(session);
  expect(before).toEqual([
    { ...list[0], milestone: "Setup" },
    { ...list[1], milestone: "Tasks" },
  ]);
  expect(await session.wisp("up")).toMatchObject({ code: 0 });
  await expectComplete(session, ["Setup", "Tasks"]);
  expect(session.read("logs/builder.log").match(/ turn\.begin .*purpose=build/g)).toHaveLength(1);
  expect((await listed(session, "wisp/tasks")).map(({ passes }) => passes)).toEqual([true, true]);
  writeFileSync(join(session.repository, "again.json"), JSON.stringify(before));
  const again = await session.wisp("start", "again.json", "--no-up", "--branch", "topic/again");
  expect(again).toMatchObject({ code: 0 });
  expect(await listed(session, "topic/again")).toEqual(before);
});

test("a request with a mistake in its stories makes nothing, and says where", async () => {
  await using session = worksIn();
  session.write("prd.md", "# PRD\n\n### US-001: A\n\n- [ ] b\n\n### US-001: C\n\n- [ ] d\n");
  const ended = await session.wisp("start", "prd.md");
  expect(ended).toMatchObject({ code: 2, stdout: "" });
  expect(ended.stderr).toContain("prd.md, line 7: the story US-001 is already at line 3");
  expect(existsSync(join(session.repository, ".wisp", "sessions"))).toBe(false);
  expect(session.git("branch", "--list", "wisp/*")).toBe("");
});

test("two sessions of one repository run at the same time, and each has a branch of its own", async () => {
  await using session = worksIn();
  session.write("second.md", "# Another request\n\nDo another thing.\n");
  const [one, other] = await Promise.all([
    session.wisp("start", "request.md"),
    session.wisp("start", "second.md"),
  ]);
  expect([one.code, other.code]).toEqual([0, 0]);
  const { stdout } = await session.wisp("list", "--json");
  expect(JSON.parse(stdout)).toMatchObject({
    schema: "wisp.list/1",
    sessions: [{ state: "DONE" }, { state: "DONE" }],
  });
  for (const name of ["a-request", "another-request"]) {
    expect(session.git("log", "--format=%s", `main..wisp/${name}`).split("\n")).toHaveLength(2);
    expect(await homeIssues(session.home(name))).toEqual([]);
  }
});
