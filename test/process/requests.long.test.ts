import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { homeIssues } from "../rig/home-issues.ts";
import { processSession } from "../rig/process-session.ts";
import {
  expectComplete,
  FILLER,
  listed,
  promptsOf,
  requestsReadIn,
  worksIn,
} from "./kept-prompts.ts";

/** A planner that writes this plan, and a builder that builds one milestone per turn. */
function scenarioOf(plan: string): string {
  return String.raw`
    plan: (t) => t.plan("${plan}"),
    replan: (t) => t.plan("${plan}"),
    build(t) {
      t.put(t.milestone + ".txt", "built\n");
      t.commit("Build " + t.milestone);
      t.tick();
    },`;
}

/*
 * Requests that are plans, and requests in prose, with the real binary and four processes.
 */

test("prompts name the path of an RFC of 2,000 lines instead of containing its text", async () => {
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

test("a request in the form of TASKS.md is the plan, literally, and its ticked tasks count as done", async () => {
  await using session = worksIn();
  const text = "# Notes\n\n## Milestone: One\n\n- [x] Say hello\n- [ ] Say goodbye\n";
  session.write("plan.md", text);
  expect(await session.wisp("start", "plan.md")).toMatchObject({ code: 0 });
  await expectComplete(session, ["One"]);
  expect(session.read("TASKS.md")).toBe(text.replace("[ ]", "[x]"));
});

test("a JSON task list of one session, with its `passes`, can be the request of another", async () => {
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

test("a request with a mistake in its stories creates nothing, and the error names the line", async () => {
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

/** Two stories with one id: invalid as a plan, but a planner can read it. */
const TWICE = "# PRD\n\n### US-001: A\n\n- [x] b\n\n### US-001: C\n\n- [ ] d\n";

test("--plan has the planner plan a request that is not quite a plan, as the refusal suggests", async () => {
  await using session = worksIn();
  session.write("prd.md", TWICE);
  const refused = await session.wisp("start", "prd.md");
  expect(refused).toMatchObject({ code: 2, stdout: "" });
  expect(refused.stderr).toContain("`--plan`");
  const ended = await session.wisp("start", "prd.md", "--plan");
  expect(ended).toMatchObject({ code: 0 });
  expect(ended.stderr).toContain("Read as prose: the planner makes the plan.");
  expect(ended.stderr).toContain("1 mark in it says that something is already done");
  await expectComplete(session, ["One", "Two"]);
  expect(session.read("request.md")).toBe(TWICE);
  expect(session.read("logs/human.log")).toBe("");
});

test("--plan has the planner plan even a valid plan, and the planner's headings are normalised", async () => {
  const plan = String.raw`# Milestone 01: One\n\n- [ ] Say hello\n\n# Milestone 2b-ii: Two\n\n- [ ] Say thanks\n`;
  await using session = processSession({ scenario: scenarioOf(plan) });
  const text = "## Milestone: Mine\n\n- [ ] Say hello\n";
  session.write("plan.md", text);
  const dry = await session.wisp("start", "plan.md", "--plan", "--dry-run", "--json");
  expect(JSON.parse(dry.stdout)).toMatchObject({ request: { kind: "prose" } });
  expect(await session.wisp("start", "plan.md", "--plan")).toMatchObject({ code: 0 });
  await expectComplete(session, ["One", "Two"]);
  expect(session.read("TASKS.md")).toBe(
    "## Milestone: One\n\n- [x] Say hello\n\n## Milestone: Two\n\n- [x] Say thanks\n",
  );
  expect(session.read("logs/planner.log").match(/ turn\.begin .*purpose=plan/g)).toHaveLength(1);
});

test("update --plan is recorded even if the text of the request is unchanged, once", async () => {
  const plan = String.raw`## Milestone: One\n\n- [ ] Say hello\n`;
  await using session = processSession({ scenario: scenarioOf(plan) });
  session.write("plan.md", "## Milestone: One\n\n- [ ] Say hello\n");
  expect(await session.wisp("start", "plan.md", "--no-up")).toMatchObject({ code: 0 });
  const same = await session.wisp("update", "plan.md", "--no-up");
  expect(same.stderr).toContain("is unchanged");
  session.write("prd.md", TWICE);
  const refused = await session.wisp("update", "prd.md", "--no-up");
  expect(refused).toMatchObject({ code: 2 });
  expect(refused.stderr).toContain("`--plan`");
  const planned = await session.wisp("update", "plan.md", "--plan", "--no-up");
  expect(planned.stderr).toContain("Read as prose: the planner makes the plan.");
  const again = await session.wisp("update", "plan.md", "--plan", "--no-up");
  expect(again.stderr).toContain("is unchanged");
  expect(session.read("logs/human.log").match(/ update v=1 sha256=\S+ as=prose$/gm)).toHaveLength(
    1,
  );
  expect(session.read("logs/human.log")).not.toContain("v=2");
  expect(await session.wisp("up")).toMatchObject({ code: 0 });
  // As a plan it would have been staged again without a turn.
  expect(session.read("logs/planner.log")).toMatch(/ turn\.begin .*purpose=(?:re)?plan/);
  expect(await homeIssues(session.home())).toEqual([]);
});
