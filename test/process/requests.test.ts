import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { checkSession } from "../rig/check-session.ts";
import { homeIssues } from "../rig/home-issues.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";

/*
 * Requests that are plans, and prose; the real binary with four processes.
 */

/** Does everything, one file and one commit a turn; each prompt is kept. */
const WORKS = String.raw`
  plan(t) {
    keep(t);
    t.plan("## Milestone: One\n\n- [ ] Say hello\n\n## Milestone: Two\n\n- [ ] Say thanks\n");
  },
  build(t) {
    keep(t);
    t.put(encodeURIComponent(t.milestone) + ".txt", t.milestone + "\n");
    t.commit("Build " + t.milestone.slice(0, 20));
    t.tick();
  },
  "review-commit": looked,
  "review-milestone": looked,
  test: looked,
  "final-test": looked,
};

function looked(t) {
  keep(t);
  t.passed();
}

function keep(t) {
  const name = [t.purpose, t.unit].join(" ").replace(/[^a-z0-9]+/gi, "-");
  t.put(process.env.WISP_TEST_ROOT + "/prompts/" + name, t.prompt);
}

const nothing = {
`;

const FILLER = "This sentence stands for all that a long request explains.";

/** Twelve stories, one with more criteria than a planner would put into a milestone; two of them done. */
function twelveStories(): string {
  const stories = Array.from({ length: 12 }, (_, index) => {
    const id = `US-${String(index + 1).padStart(3, "0")}`;
    const criteria = Array.from({ length: index === 4 ? 7 : 2 }, (_none, number) => {
      const box = index === 0 && number === 0 ? "x" : " ";
      return `- [${box}] Criterion ${String(number + 1)} of ${id}`;
    });
    return `### ${id}: Story ${String(index + 1)}\n\n**Description:** As a user, I want ${id}.\n\n${FILLER} ${FILLER}\n\n**Acceptance Criteria:**\n\n${criteria.join("\n")}\n`;
  });
  return `# PRD: Twelve stories\n\n${FILLER}\n\n## User Stories\n\n${stories.join("\n")}`;
}

function worksIn(config = ""): ProcessSession {
  const session = processSession({ scenario: WORKS, config });
  mkdirSync(join(session.root, "prompts"));
  return session;
}

/** Prompts as the engines were given them: the agent's own record of each turn. */
function promptsOf(session: ProcessSession): readonly string[] {
  const directory = join(session.root, "prompts");
  return readdirSync(directory).map((name) => readFileSync(join(directory, name), "utf8"));
}

async function expectComplete(session: ProcessSession, names: readonly string[]): Promise<void> {
  const { history, broken } = checkSession(session.home());
  expect(broken).toBeUndefined();
  expect(await homeIssues(session.home())).toEqual([]);
  expect(history.builder.fold.done?.how).toBe("complete");
  expect(history.builder.fold.milestones.map(({ name }) => name)).toEqual(names);
}

const Listed = z.array(
  z.object({
    category: z.string().optional(),
    description: z.string(),
    steps: z.array(z.string()),
    passes: z.boolean(),
    milestone: z.string(),
  }),
);

async function listed(session: ProcessSession, name?: string): Promise<z.infer<typeof Listed>> {
  const words = name === undefined ? [] : [name];
  const { code, stdout } = await session.wisp("tasks", ...words, "--json");
  expect(code).toBe(0);
  return Listed.parse(JSON.parse(stdout));
}

test("twelve stories are built as they stand, without a turn of a planner, and never pasted", async () => {
  await using session = worksIn("drain: { reviewer: 5s }");
  const text = twelveStories();
  session.write("prd.md", text);
  const ended = await session.wisp("start", "prd.md");
  expect(ended.stderr).toContain("The request is the plan (stories): 12 milestones, 29 tasks.");
  expect(ended.stderr).toContain('wisp: "US-005: Story 5" has 7 tasks, more than 5');
  expect(ended).toMatchObject({ code: 0 });
  const names = Array.from({ length: 12 }, (_, index) => {
    const id = `US-${String(index + 1).padStart(3, "0")}`;
    return `${id}: Story ${String(index + 1)}`;
  });
  await expectComplete(session, names);
  expect(session.read("logs/planner.log")).not.toContain(" turn.begin ");
  expect(session.read("logs/builder.log").match(/ plan\.adopt human=0 /g)).toHaveLength(1);
  expect((await listed(session)).every(({ passes }) => passes)).toBe(true);
  const sizes = promptsOf(session).map((prompt) => prompt.length);
  expect(sizes.length).toBeGreaterThan(24);
  expect(promptsOf(session).filter((prompt) => prompt.includes(FILLER))).toEqual([]);
  expect(Math.max(...sizes)).toBeLessThan(text.length);
}, 180_000);

test("an RFC of 2,000 lines is planned, and named in every prompt instead of pasted", async () => {
  await using session = worksIn();
  const lines = Array.from({ length: 2_000 }, (_, line) => `${FILLER} (${String(line)})`);
  session.write("rfc.md", `# RFC: Long\n\n${lines.join("\n")}\n`);
  expect(await session.wisp("start", "rfc.md")).toMatchObject({ code: 0 });
  await expectComplete(session, ["One", "Two"]);
  const prompts = promptsOf(session);
  expect(prompts.length).toBeGreaterThan(5);
  for (const prompt of prompts) {
    expect(prompt).toContain(join("sessions", "rfc-long", "request.md"));
    expect(prompt).not.toContain(FILLER);
    expect(prompt.length).toBeLessThan(10_000);
  }
}, 120_000);

test("a TASKS.md is the plan to the letter, and what is ticked in it is done", async () => {
  await using session = worksIn();
  const text = "# Notes\n\n## Milestone: One\n\n- [x] Say hello\n- [ ] Say goodbye\n";
  session.write("plan.md", text);
  expect(await session.wisp("start", "plan.md")).toMatchObject({ code: 0 });
  await expectComplete(session, ["One"]);
  expect(session.read("TASKS.md")).toBe(text.replace("[ ]", "[x]"));
}, 120_000);

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
}, 120_000);

test("a request with a mistake in its stories makes nothing, and says where", async () => {
  await using session = worksIn();
  session.write("prd.md", "# PRD\n\n### US-001: A\n\n- [ ] b\n\n### US-001: C\n\n- [ ] d\n");
  const ended = await session.wisp("start", "prd.md");
  expect(ended).toMatchObject({ code: 2, stdout: "" });
  expect(ended.stderr).toContain("prd.md, line 7: the story US-001 is already at line 3");
  expect(existsSync(join(session.repository, ".wisp", "sessions"))).toBe(false);
  expect(session.git("branch", "--list", "wisp/*")).toBe("");
}, 60_000);

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
}, 120_000);
