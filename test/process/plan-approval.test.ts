import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { asking, built, expectWhole, planOf } from "./asking-session.ts";

/*
 * With `plan: ask`, nothing is built before a person has approved the very bytes of the plan.
 */

test("nothing is built before the plan is approved, and then all of it", async () => {
  await using session = asking();
  const started = await session.wisp("start", "request.md");
  expect(started.code).toBe(4);
  expect(started.stdout).toContain("wisp plan a-request");
  expect(session.read("logs/builder.log")).not.toContain("plan.adopt");
  expect(session.read("TASKS.md")).toBe("");

  const { sha256, ...plan } = await planOf(session);
  expect(plan).toMatchObject({ status: "waiting", tasksLeft: 1, milestones: [{ name: "One" }] });
  expect(
    createHash("sha256")
      .update(session.read(`plans/${sha256}.md`))
      .digest("hex"),
  ).toBe(sha256);
  const shown = await session.wisp("plan");
  expect(shown.stdout).toContain(`--approve --digest ${sha256.slice(0, 12)}`);
  expect(shown.stdout).toMatch(/cost +unknown: no earlier session/);
  const { stdout: status } = await session.wisp("status", "--json");
  expect(JSON.parse(status)).toMatchObject({
    state: "NEEDS_INPUT",
    stage: "approval",
    waitingPlan: { sha256, milestones: 1, tasks: 1 },
    next: [
      "wisp plan a-request",
      `wisp plan a-request --approve --digest ${sha256.slice(0, 12)}`,
      'wisp plan a-request --reject "<what to change>"',
    ],
  });
  // Nobody is there to approve it: another start changes nothing.
  expect(await session.wisp("up")).toMatchObject({ code: 4 });

  const stale = await session.wisp("plan", "--approve", "--digest", "0123456789ab");
  expect(stale.code).toBe(1);
  expect(stale.stderr).toContain("it is another plan");
  const dry = await session.wisp("plan", "--approve", "--dry-run");
  expect(dry.stderr).toContain("Would approve the plan of a-request.");
  expect(session.read("logs/human.log")).toBe("");

  expect(await session.wisp("stop")).toMatchObject({ code: 0 });
  const approved = await session.wisp("plan", "--approve", "--digest", sha256.slice(0, 12));
  expect(approved.code).toBe(0);
  expect(approved.stderr).toContain("Approved the plan.");
  expect(session.read("logs/human.log")).toContain(` plan.approve plan=${sha256}\n`);
  const again = await session.wisp("plan", "--approve");
  expect(again.code).toBe(1);
  expect(again.stderr).toContain("is waiting for your approval");
  expect(await session.wisp("resume")).toMatchObject({ code: 0 });
  expect(built(session)).toEqual(["One"]);
  expect(await planOf(session)).toMatchObject({ status: "in-force", sha256, tasksLeft: 0 });
  await expectWhole(session);
});

test("an engine cannot approve its plan with a record that it forges", async () => {
  const forges = String.raw`
    const { createHash } = await import("node:crypto");
    const sha = createHash("sha256").update(plan).digest("hex");
    const record = "2026-01-01T00:00:00.000Z plan.approve plan=" + sha + "\n";
    appendFileSync(t.home + "/logs/human.log", record);
  `;
  await using session = asking({ forges });
  expect(await session.wisp("start", "request.md")).toMatchObject({ code: 4 });
  const { sha256, status } = await planOf(session);
  expect(status).toBe("waiting");
  // It names this very plan, but it is older, so that nobody can have looked at the plan.
  expect(session.read("logs/human.log")).toContain(` plan.approve plan=${sha256}\n`);
  expect(session.read("logs/builder.log")).not.toContain("plan.adopt");
  expect(await session.wisp("plan", "--approve")).toMatchObject({ code: 0 });
  expect(await session.wisp("up")).toMatchObject({ code: 0 });
  expect(built(session)).toEqual(["One"]);
});
