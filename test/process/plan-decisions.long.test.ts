import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { WISP, type ProcessSession } from "../rig/process-session.ts";
import { asking, built, expectWhole, planOf } from "./asking-session.ts";

/*
 * What a person may decide about a plan, killed at every point, and what an engine may not.
 */

test("a rejection becomes part of the request, and its planner sees the rejected plan", async () => {
  await using session = asking();
  expect(await session.wisp("start", "request.md")).toMatchObject({ code: 4 });
  const first = await planOf(session);
  expect(await session.wisp("stop")).toMatchObject({ code: 0 });
  const rejected = await session.wisp("plan", "--reject", "Also greet");
  expect(rejected.code).toBe(0);
  expect(rejected.stderr).toContain("Rejected the plan.");
  expect(session.read("request.md")).toBe(
    "# A request\n\nDo the thing.\n\n## Wanted of the plan\n\nAlso greet\n",
  );
  expect(await session.wisp("resume")).toMatchObject({ code: 4 });
  const second = await planOf(session);
  expect(second.milestones.map(({ name }) => name)).toEqual(["One", "Also greet"]);
  const seen = readFileSync(join(session.root, "seen-2.txt"), "utf8");
  expect(seen).toBe(session.read(`plans/${first.sha256}.md`));
  expect(readFileSync(join(session.root, "seen-1.txt"), "utf8")).toBe("none");

  // What a person approved was the first plan: it is not in force, and its digest no longer helps.
  const stale = await session.wisp("plan", "--approve", "--digest", first.sha256);
  expect(stale.code).toBe(1);
  expect(stale.stderr).toContain("it is another plan");
  expect(await session.wisp("plan", "--approve")).toMatchObject({ code: 0 });
  expect(await session.wisp("up")).toMatchObject({ code: 0 });
  expect(built(session)).toEqual(["One", "Also greet"]);
  await expectWhole(session);
});

test("a plan that a person edits comes into force as edited, without another turn of the planner", async () => {
  // What an engine ticks in its own plan must not become a tick of the person who edits it.
  await using session = asking({ forges: `t.plan(plan.replace("[ ]", "[x]"));` });
  expect(await session.wisp("start", "request.md")).toMatchObject({ code: 4 });
  session.write("edit.sh", '#!/bin/sh\nsed -i "s/Milestone: One/Milestone: Mine/" "$1"\n');
  session.env["EDITOR"] = `sh ${join(session.repository, "edit.sh")}`;
  const edited = await session.wisp("plan", "--edit");
  expect(edited).toMatchObject({ code: 0 });
  expect(await session.wisp("up")).toMatchObject({ code: 0 });
  expect(built(session)).toEqual(["Mine"]);
  expect(session.git("show", "wisp/a-request:Mine.txt")).toBe("built");
  const turns = session.read("logs/planner.log").match(/ turn\.begin /gu);
  expect(turns).toHaveLength(1);
  await expectWhole(session);
});

test("an edit that is no plan records nothing, and the next edit begins with it", async () => {
  await using session = asking();
  expect(await session.wisp("start", "request.md")).toMatchObject({ code: 4 });
  session.env["EDITOR"] = `sh ${join(session.repository, "edit.sh")}`;
  session.write("edit.sh", '#!/bin/sh\necho "no plan" > "$1"\n');
  const bad = await session.wisp("plan", "--edit");
  expect(bad.code).toBe(2);
  expect(bad.stderr).toContain("of the edited plan");
  const [, kept = ""] = /your text is kept in (\S+)\.$/mu.exec(bad.stderr) ?? [];
  expect(readFileSync(kept, "utf8")).toBe("no plan\n");
  expect(session.read("logs/human.log")).toBe("");
  session.write("edit.sh", '#!/bin/sh\n: > "$1"\n');
  const emptied = await session.wisp("plan", "--edit");
  expect(emptied.code).toBe(1);
  expect(emptied.stderr).toContain(
    `The editor begins with your text that was refused, from ${kept}.`,
  );
  expect(emptied.stderr).toContain("The edited plan is empty. Nothing was recorded.");
  expect(session.read("logs/human.log")).toBe("");
  session.write("edit.sh", "#!/bin/sh\nexit 3\n");
  const failed = await session.wisp("plan", "--edit");
  expect(failed.code).toBe(1);
  expect(failed.stderr).toMatch(
    /The editor "sh" failed; its text was not used, and is kept in \S+\.md\.$/mu,
  );
  expect(session.read("logs/human.log")).toBe("");
  // The text that was refused is refused again if it stays, and is the beginning of one that is a plan.
  session.write("edit.sh", "#!/bin/sh\ntrue\n");
  expect(await session.wisp("plan", "--edit")).toMatchObject({ code: 2 });
  const plan = "## Milestone: Mine\n\n- [ ] Say hello\n";
  session.write("plan.md", plan);
  session.write("edit.sh", '#!/bin/sh\ngrep -qx "no plan" "$1" && cat plan.md > "$1"\n');
  expect(await session.wisp("stop")).toMatchObject({ code: 0 });
  expect(await session.wisp("plan", "--edit")).toMatchObject({ code: 0 });
  expect(existsSync(kept)).toBe(false);
  expect(session.read("logs/human.log")).toContain(" edit ");
});

test("an edit that leaves the plan as it is records nothing, and names the command that approves it", async () => {
  await using session = asking();
  expect(await session.wisp("start", "request.md")).toMatchObject({ code: 4 });
  session.env["EDITOR"] = "true";
  const left = await session.wisp("plan", "--edit");
  expect(left.code).toBe(0);
  expect(left.stderr).toContain("The plan is as it was. Nothing was recorded.");
  expect(left.stderr).toMatch(/^wisp plan a-request --approve --digest [0-9a-f]{12}$/mu);
  expect(session.read("logs/human.log")).toBe("");
});

test("an engine cannot approve a plan with the command", async () => {
  const builds = `if (t.milestone === "One") await t.until(() => t.logHas("human.log", " update "));`;
  const judges = String.raw`
    if (t.milestone === "One") {
      await t.until(() => t.logHas("planner.log", " plan.end unit=plan:b1:r1 "));
      const { spawnSync } = await import("node:child_process");
      const { writeFileSync } = await import("node:fs");
      const repository = t.home + "/../../..";
      const ran = spawnSync(process.execPath, [WISP, "plan", "--approve"], { cwd: repository, encoding: "utf8" });
      writeFileSync(repository + "/../said.txt", ran.stderr);
    }
  `;
  await using session = asking({ builds, judges: judges.replace("WISP", JSON.stringify(WISP)) });
  expect(await session.wisp("start", "request.md")).toMatchObject({ code: 4 });
  expect(await session.wisp("plan", "--approve")).toMatchObject({ code: 0 });
  session.write("request.md", "# A request\n\nDo the thing, and more.\n");
  expect(await session.wisp("update", "request.md")).toMatchObject({ code: 4 });
  const said = readFileSync(join(session.root, "said.txt"), "utf8");
  expect(said).toContain("only people may give commands to a session");
  expect(session.read("logs/human.log").match(/ plan\.approve /gu)).toHaveLength(1);
  expect(await planOf(session)).toMatchObject({ status: "waiting" });
});

test("a later plan that adds a milestone is asked for again", async () => {
  await using session = asking();
  expect(await session.wisp("start", "request.md")).toMatchObject({ code: 4 });
  expect(await session.wisp("plan", "--approve")).toMatchObject({ code: 0 });
  expect(await session.wisp("up")).toMatchObject({ code: 0 });
  session.write("request.md", "# A request\n\nDo the thing, and more.\n");
  expect(await session.wisp("update", "request.md")).toMatchObject({ code: 4 });
  expect(await planOf(session)).toMatchObject({
    status: "waiting",
    milestones: [
      { name: "One", state: "done" },
      { name: "Later", state: "new" },
    ],
    tasksLeft: 1,
    estimate: {},
  });
  expect(built(session)).toEqual(["One"]);
  expect(await session.wisp("plan", "--approve")).toMatchObject({ code: 0 });
  expect(await session.wisp("up")).toMatchObject({ code: 0 });
  expect(built(session)).toEqual(["One", "Later"]);
  await expectWhole(session);
});

test("below the limits, a plan comes into force without a person", async () => {
  await using session = asking({ plan: "{ ask: { tasks: 1 } }" });
  expect(await session.wisp("start", "request.md")).toMatchObject({ code: 0 });
  expect(built(session)).toEqual(["One"]);
  session.write("request.md", "# A request\n\nDo the thing, and more.\n");
  expect(await session.wisp("update", "request.md")).toMatchObject({ code: 4 });
});

/** A stopped session, in which only the person's command writes, with an editor that renames the milestone. */
async function stoppedAsking(): Promise<ProcessSession> {
  const session = asking();
  expect(await session.wisp("start", "request.md")).toMatchObject({ code: 4 });
  expect(await session.wisp("stop")).toMatchObject({ code: 0 });
  session.write("edit.sh", '#!/bin/sh\nsed -i "s/Milestone: One/Milestone: Mine/" "$1"\n');
  session.env["EDITOR"] = `sh ${join(session.repository, "edit.sh")}`;
  return session;
}

/** The points that a command passes, each as `name:n`. */
async function pointsOf(session: ProcessSession, words: readonly string[]) {
  const log = join(session.root, "points");
  session.env["WISP_FAILPOINT_LOG"] = log;
  expect(await session.wisp(...words)).toMatchObject({ code: 0 });
  Reflect.deleteProperty(session.env, "WISP_FAILPOINT_LOG");
  const passed = new Map<string, number>();
  return readFileSync(log, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((name) => {
      passed.set(name, (passed.get(name) ?? 0) + 1);
      return `${name}:${String(passed.get(name))}`;
    });
}

async function killAt(session: ProcessSession, point: string, words: readonly string[]) {
  session.env["WISP_FAILPOINT"] = point;
  const ended = await session.wisp(...words);
  Reflect.deleteProperty(session.env, "WISP_FAILPOINT");
  return ended;
}

const recordsOf = (session: ProcessSession) =>
  session.read("logs/human.log").split("\n").filter(Boolean).length;

const DECISIONS = [
  { decision: ["--approve"], names: ["One"] },
  { decision: ["--reject", "Also greet"], names: ["One", "Also greet"] },
  { decision: ["--edit"], names: ["Mine"] },
];

test.each(DECISIONS)("$decision killed at any point decides once", async ({ decision, names }) => {
  const words = ["plan", ...decision];
  await using whole = await stoppedAsking();
  const points = await pointsOf(whole, words);
  const recordAt = points.indexOf("append.before:1") + 1;
  expect(recordAt).toBeGreaterThan(0);
  await using session = await stoppedAsking();
  const before = recordsOf(session);
  // Nothing is decided before the record, so one session passes through these kills, until a command that finds done
  // what an earlier one did has reached its record.
  for (const point of points.slice(0, recordAt)) {
    if (recordsOf(session) > before) break;
    const { code } = await killAt(session, point, words);
    if (code !== null) break;
    expect(recordsOf(session)).toBeLessThanOrEqual(before + 1);
  }
  // What follows the record is the same for every decision.
  const after = points.slice(recordAt);
  for (const point of decision[0] === "--approve" ? after : after.slice(0, 2)) {
    await using other = await stoppedAsking();
    const killed = await killAt(other, point, words);
    // It is decided: the repeated command finds nothing to decide about.
    const repeated = await other.wisp(...words);
    const seen = { point, killed: killed.code, repeated: repeated.code, records: recordsOf(other) };
    expect(seen).toEqual({ point, killed: null, repeated: 1, records: before + 1 });
  }
  const isDecided = recordsOf(session) > before;
  expect(await session.wisp(...words)).toMatchObject({ code: isDecided ? 1 : 0 });
  expect(recordsOf(session)).toBe(before + 1);
  const continued = await session.wisp("resume");
  if (decision[0] === "--reject") {
    expect(continued.code).toBe(4);
    expect(await session.wisp("plan", "--approve")).toMatchObject({ code: 0 });
    expect(await session.wisp("up")).toMatchObject({ code: 0 });
  } else expect(continued.code).toBe(0);
  expect(built(session)).toEqual(names);
  await expectWhole(session);
});
