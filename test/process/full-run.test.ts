import { expect, test } from "vitest";
import { checkSession } from "../rig/check-session.ts";
import { homeIssues } from "../rig/home-issues.ts";
import { processSession } from "../rig/process-session.ts";
import { ONE_TASK, WHOLE_RUN } from "./scenarios.ts";
import { lastEndOf } from "../../src/session/state/stage.ts";

const VERIFY = `verify: [["test", "!", "-e", "broken"]]\n`;

test("start turns a request into a reviewed, tested branch and exits 0", async () => {
  await using session = processSession({ scenario: WHOLE_RUN, config: VERIFY });
  session.write("mine.txt", "not yet committed\n");
  const headBefore = session.git("rev-parse", "HEAD");
  const ended = await session.wisp("start", "request.md");
  expect(ended).toMatchObject({ code: 0 });
  const { history, broken } = checkSession(session.home());
  expect(broken).toBeUndefined();
  expect(await homeIssues(session.home())).toEqual([]);
  expect(lastEndOf(history.builder.fold)?.how).toBe("complete");
  expect(
    session
      .read("logs/milestones.log")
      .split("\n")
      .map((line) => line.split("|")[0]),
  ).toEqual(["One", "Two", ""]);
  const branch = session.git("for-each-ref", "--format=%(refname:short)", "refs/heads/wisp");
  expect(session.git("show", `${branch}:hello.txt`)).toBe("hello");
  expect(session.git("show", `${branch}:thanks.txt`)).toBe("thank you");
  expect(session.git("log", "--merges", "--format=%H", branch)).toBe("");
  // The user's checkout, index and other branches are never touched.
  expect(session.git("rev-parse", "HEAD")).toBe(headBefore);
  expect(session.git("status", "--porcelain")).toBe("?? mine.txt");
  // The supervisor releases its lease a moment before its process ends.
  await session.until("the end of all processes", () => session.leftovers().length === 0);
});

test("four agents started by hand, in any order and without a supervisor, finish a session", async () => {
  await using session = processSession({ scenario: WHOLE_RUN, config: VERIFY });
  await session.wisp("start", "request.md", "--no-up");
  const roles = ["tester", "builder", "reviewer", "planner"];
  const ended = await Promise.all(roles.map((role) => session.wisp("agent", role)));
  expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  const { history, broken } = checkSession(session.home());
  expect(broken).toBeUndefined();
  expect(await homeIssues(session.home())).toEqual([]);
  expect(lastEndOf(history.builder.fold)?.how).toBe("complete");
  expect(history.supervisor.records).toEqual([]);
});

test("two sessions that run at once in one repository do not interfere", async () => {
  await using session = processSession({ scenario: ONE_TASK });
  const ended = await Promise.all([
    session.wisp("start", "request.md", "--branch", "wisp/first"),
    session.wisp("start", "request.md", "--branch", "wisp/second"),
  ]);
  expect(ended.map(({ code }) => code)).toEqual([0, 0]);
  for (const id of ["first", "second"]) {
    const { history, broken } = checkSession(session.home(id));
    expect(broken).toBeUndefined();
    expect(lastEndOf(history.builder.fold)?.how).toBe("complete");
    expect(session.git("show", `wisp/${id}:hello.txt`)).toBe("hello");
  }
});

test("hostile names of milestones, tasks, files and branches are treated as text", async () => {
  const names = ["a|b \"c\" 'd' 🎉", "../../escape", "$(touch owned); `touch owned`"];
  const plan = names.map((name) => `## Milestone: ${name}\n\n- [ ] Do ${name}\n`).join("\n");
  await using session = processSession({
    scenario: String.raw`
      plan: (t) => t.plan(${JSON.stringify(plan)}),
      build(t) {
        t.put(Buffer.from(t.milestone).toString("hex") + " ü.txt", "done\n");
        t.commit(t.milestone);
        t.tick();
      },`,
  });
  const ended = await session.wisp("start", "request.md", "--branch", "a;touch${IFS}owned");
  expect(ended).toMatchObject({ code: 0 });
  const { history, broken } = checkSession(session.home());
  expect(broken).toBeUndefined();
  expect(history.builder.fold.milestones.map(({ name }) => name)).toEqual(names);
  expect(session.read("logs/milestones.log").split("\n")[0]).toMatch(/^a%7Cb "c" 'd' 🎉\|/);
  expect(session.git("status", "--porcelain")).toBe("");
});
