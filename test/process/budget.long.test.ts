import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkSession } from "../rig/check-session.ts";
import { homeIssues } from "../rig/home-issues.ts";
import { processSession } from "../rig/process-session.ts";
import { ONE_TASK } from "./scenarios.ts";
import { lastEndOf } from "../../src/session/state/stage.ts";

test("a session that has used up its budget of turns exits with 4, and continues with the command that it names", async () => {
  const notify = `notify: [sh, -c, 'printf "%s\\n" "$1" >> "$WISP_TEST_ROOT/notices"', notify]`;
  const config = `budget: { turns: 2 }\n${notify}\n`;
  await using session = processSession({ scenario: ONE_TASK, config });
  const notices = () => readFileSync(join(session.root, "notices"), "utf8").trim().split("\n");
  const started = await session.wisp("start", "request.md");
  expect(started).toMatchObject({ code: 4 });
  const used = "the budget of the session is used up: 2 turns of 2 turns";
  const advice = "wisp resume --budget turns=4";
  expect(started.stdout).toContain(used);
  expect(started.stdout).toContain(advice);
  const told = `wisp: a-request waits: ${used}. To give more: ${advice}`;
  expect(notices()).toEqual([told]);
  const spent = await session.wisp("cost");
  expect(spent.stdout).toContain("budget: 2 turns of 2 turns, used up");
  expect(spent.stdout).toContain("2 turns with unknown cost");
  // With the same budget, up begins no turn.
  expect(await session.wisp("up")).toMatchObject({ code: 4 });
  expect(notices()).toEqual([told]);
  expect(JSON.parse((await session.wisp("cost", "--json")).stdout)).toMatchObject({
    total: { turns: 2 },
  });
  const resumed = await session.wisp("resume", "--budget", "turns=100");
  expect(resumed).toMatchObject({ code: 0 });
  expect(notices()).toHaveLength(2);
  const { history, broken } = checkSession(session.home());
  expect(broken).toBeUndefined();
  expect(await homeIssues(session.home())).toEqual([]);
  expect(lastEndOf(history.builder.fold)?.how).toBe("complete");
  expect(session.read("logs/human.log")).toMatch(/ budget of=session limits=.*100/u);
  await session.until("the end of all processes", () => session.leftovers().length === 0);
});

test("budgets on the command line override those in the settings, and an invalid one creates nothing", async () => {
  await using session = processSession({
    scenario: ONE_TASK,
    config: "budget: { turns: 2, usd: 9, milestone: { turns: 7 } }\n",
  });
  const bad = await session.wisp("start", "request.md", "--budget", "turns=many");
  expect(bad).toMatchObject({ code: 2 });
  expect(bad.stderr).toContain("--budget: turns: expected a whole number of turns, from 1");
  expect(session.git("for-each-ref", "refs/heads/wisp")).toBe("");
  const words = ["--budget", "turns=50,tokens=2M", "--milestone-budget", "duration=4h"];
  expect(await session.wisp("start", "request.md", "--no-up", ...words)).toMatchObject({
    code: 0,
  });
  expect(JSON.parse(session.read("session.json"))).toMatchObject({
    budget: {
      session: { turns: 50, usd: 9, tokens: 2_000_000 },
      milestone: { turns: 7, durationMs: 14_400_000 },
    },
  });
  const worse = await session.wisp("up", "--milestone-budget", "eur=5");
  expect(worse).toMatchObject({ code: 2 });
  expect(session.read("logs/human.log")).toBe("");
});
