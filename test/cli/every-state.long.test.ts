import { expect, test } from "vitest";
import { z } from "zod";
import {
  BUILDS,
  interrupted,
  IS_SEEN_TO,
  look,
  PLAN,
  seesTo,
  started,
  walk,
} from "../rig/walk-session.ts";
import { ONE_TASK } from "../process/scenarios.ts";

/*
 * In every state, `wisp status` names the next command, and following it leads to the end. Unusual states are in
 * `lead-on.long.test.ts` and `lead-on-world.long.test.ts`.
 */

const Ended = z.object({
  end: z.object({ reason: z.string() }),
  milestones: z.array(z.object({ isReviewed: z.boolean(), isTested: z.boolean() })),
});

test("a session that has not started leads to its end", async () => {
  await using session = await started(ONE_TASK, { args: ["--no-up"] });
  expect(await walk(session)).toEqual(["START (new)", "wisp up a-request", "DONE (complete)"]);
});

test.each([
  ["asks", "NEEDS_INPUT", { status: "NEEDS_INPUT", question: "Which port?" }],
  ["blocked", "BLOCKED", { status: "BLOCKED", error: "There is no database." }],
])("a session that %s continues after an answer", async (stage, state, word) => {
  await using session = await started(`${PLAN}
    build(t) {
      if (!t.prompt.includes("8080")) return t.say(${JSON.stringify(word)});
      ${BUILDS}
    },`);
  const { stdout } = await session.wisp("status");
  const role = "the builder";
  const says = stage === "asks" ? `${role} asks` : `${role} cannot continue`;
  expect(stdout).toContain(`a-request  ${state} (${says})`);
  expect(stdout.toLowerCase()).toContain(
    `${says} (builder-1): ${Object.values(word)[1] ?? ""}`.toLowerCase(),
  );
  expect((await session.wisp("list")).stdout).toContain(`${state} (${says})`);
  expect(await walk(session)).toEqual([
    `${state} (${stage})`,
    'wisp answer a-request builder-1 "<your answer>"',
    "DONE (complete)",
  ]);
});

test("a session whose budget is used up names the command that raises it", async () => {
  await using session = await started(ONE_TASK, { config: "budget: { turns: 2 }\n" });
  const { stdout } = await session.wisp("status");
  expect(stdout).toContain("waiting: the budget of the session is used up: 2 turns of 2 turns.");
  expect(stdout).not.toMatch(/\basks\b/u);
  expect(await walk(session)).toEqual([
    "BLOCKED (held)",
    "wisp resume a-request --budget turns=4",
    "BLOCKED (held)",
    "wisp resume a-request --budget turns=8",
    "DONE (complete)",
  ]);
});

const STUCK: readonly (readonly [string, string, RegExp])[] = [
  [
    "no progress",
    `${PLAN} build(t) { if (!${IS_SEEN_TO}) return t.say({ status: "DONE", summary: "I could not find the module" }); ${BUILDS} },`,
    /The builder says: I could not find the module\. /u,
  ],
  [
    "a planner that gave up",
    `plan(t) { if (!${IS_SEEN_TO}) return 3; t.plan("## Milestone: One\\n\\n- [ ] Say hello\\n"); }, build(t) { ${BUILDS} },`,
    /^the planner gave up: there is no plan\. exited with code 3\. /u,
  ],
  [
    "a reviewer that gave up",
    `${PLAN} build(t) { ${BUILDS} }, "review-milestone"(t) { if (${IS_SEEN_TO}) return t.allPass(); t.print("no quota left"); return 1; },`,
    /^The reviewer gave up on the review of milestone "One": .*exited with code 1: no quota left.*\. See logs\/reviewer\.log/u,
  ],
  [
    "a tester that gave up",
    `${PLAN} build(t) { ${BUILDS} }, test(t) { if (${IS_SEEN_TO}) return t.passed(); t.print("hm"); },`,
    /^The tester gave up on the test of milestone "One": its output could not be read/u,
  ],
];

test.each(STUCK)(
  "a session that is stuck because of %s continues once that is resolved",
  async (_, scenario, says) => {
    const config = "attempts: { build: 1, unit: 1 }\n";
    await using session = await started(scenario, { config });
    const { end, milestones } = Ended.parse(
      JSON.parse((await session.wisp("status", "--json")).stdout),
    );
    expect(end.reason).toMatch(says);
    expect(end.reason).not.toMatch(/[^.] See |mOne/u);
    expect(milestones.filter((one) => one.isReviewed && one.isTested)).toEqual([]);
    expect(await walk(session, { seesTo })).toEqual([
      "BLOCKED (stuck)",
      "wisp resume a-request",
      "DONE (complete)",
    ]);
  },
);

test("a session with a bug that cannot be fixed is retried, and then waits for a person to dismiss the bug", async () => {
  await using session = await started(
    `${PLAN} build(t) { ${BUILDS} },
    test: (t) => t.needsWork("Bug", "hello.txt", "It is not loud", "grep -q HELLO hello.txt"),
    fix: (t) => t.put("tried-" + t.attempt + ".txt", "in vain\\n"),`,
    { config: "attempts: { fix: 1 }\n" },
  );
  const met = await walk(session);
  expect(met.map((text) => text.replace(/BUG-\w+/u, "BUG"))).toEqual([
    "BLOCKED (stuck)",
    "wisp resume a-request",
    "BLOCKED (stuck)",
    'wisp findings dismiss BUG --session a-request --why "<your reason>"',
    "DONE (complete)",
  ]);
});

test("a session with --no-fix leaves findings to a person, and fixes them after resume --fix", async () => {
  const found = `${PLAN} build(t) { ${BUILDS} },
    "review-milestone": (t) => t.needsWork("Correctness", "hello.txt", "It is not loud"),
    test: (t) => t.needsWork("Bug", "hello.txt", "It is not HELLO", "grep -q HELLO hello.txt"),
    fix: (t) => t.put("hello.txt", "HELLO\\n"),`;
  await using session = await started(found, { args: ["--no-fix"] });
  const { stdout } = await session.wisp("status");
  expect(stdout).toContain("With --no-fix 2 findings are left to you: ");
  expect(session.read("logs/builder.log")).not.toContain(" fix.end ");
  expect(await walk(session)).toEqual([
    "BLOCKED (stuck)",
    "wisp resume a-request --fix",
    "DONE (complete)",
  ]);
  expect(session.read("logs/human.log").match(/ resume fix=all/gu)).toHaveLength(1);
});

test("with --no-fix, a finding that a person fixed is closed by the reviewer that opened it", async () => {
  const found = `${PLAN} build(t) { ${BUILDS} },
    "review-milestone": (t) => t.needsWork("Correctness", "hello.txt", "It is not loud"),
    fix() {},
    "verify-fix": (t) => t.passed(),`;
  await using session = await started(found, { args: ["--no-fix"] });
  session.git("checkout", "-q", "wisp/a-request");
  session.write("hello.txt", "HELLO\n");
  session.git("commit", "-qam", "Say it loud");
  session.git("checkout", "-q", "main");
  expect(await session.wisp("resume", "--fix")).toMatchObject({ code: 0 });
  expect(session.read("logs/builder.log")).toContain("outcome=nochange");
});

test("a stopped session continues", async () => {
  await using session = await started(ONE_TASK, { args: ["--no-up"] });
  expect(await session.wisp("stop")).toMatchObject({ code: 0 });
  expect(await walk(session)).toEqual([
    "STOPPED (stopped)",
    "wisp up a-request",
    "DONE (complete)",
  ]);
});

test("an interrupted session is not shown as running, and continues", async () => {
  await using session = await interrupted();
  const { stdout } = await session.wisp("status");
  expect(stdout).toContain("a-request  STOPPED (interrupted)");
  expect(stdout).toContain("nothing is running");
  expect(stdout).not.toContain("at most");
  expect(await walk(session, { seesTo })).toEqual([
    "STOPPED (interrupted)",
    "wisp up a-request",
    "DONE (complete)",
  ]);
});

test("a session whose branch was deleted names the command that restores it, and continues", async () => {
  await using session = await interrupted();
  session.git("branch", "-D", "wisp/a-request");
  const met = await walk(session, { seesTo });
  expect(met[0]).toBe("BLOCKED (failed)");
  expect(met[1]).toMatch(/^git -C \. branch --force wisp\/a-request [0-9a-f]{40}$/u);
  expect(met.slice(2)).toEqual(["STOPPED (interrupted)", "wisp up a-request", "DONE (complete)"]);
});

test("a commit made after the end is reviewed before the session is complete again", async () => {
  await using session = await started(ONE_TASK);
  const tree = session.git("rev-parse", "HEAD^{tree}");
  const mine = session.git("commit-tree", tree, "-p", "wisp/a-request", "-m", "By hand");
  session.git("update-ref", "refs/heads/wisp/a-request", mine);
  expect(await walk(session)).toEqual([
    "DONE (complete)",
    "wisp resume a-request",
    "DONE (complete)",
  ]);
});

test("finished work whose branch was deleted cannot be approved until it is restored", async () => {
  await using session = await started(ONE_TASK);
  session.git("branch", "-D", "wisp/a-request");
  for (const words of [["--approve"], ["--approve", "--dry-run"]]) {
    const refused = await session.wisp("review", ...words);
    expect(refused.code).toBe(5);
    expect(refused.stderr).toContain("branch --force wisp/a-request");
  }
  expect((await session.wisp("review", "--stat")).stdout).not.toContain("--approve");
  const met = await walk(session);
  expect(met[1]).toMatch(/^git -C \. branch --force wisp\/a-request [0-9a-f]{40}$/u);
  expect([met[0], ...met.slice(2)]).toEqual(["DONE (complete)", "DONE (complete)"]);
  expect(await session.wisp("review", "--approve")).toMatchObject({ code: 0 });
});

test("finished work can be approved and then shipped, and list and status agree before and after", async () => {
  await using session = await started(ONE_TASK);
  expect((await look(session, "a-request")).next).toEqual([
    "wisp review a-request",
    "wisp done a-request",
    "wisp revise a-request",
  ]);
  expect((await session.wisp("list")).stdout).toContain("DONE (complete");
  expect((await session.wisp("status")).stdout).toContain("DONE (complete");
  expect(await session.wisp("review", "--approve")).toMatchObject({ code: 0 });
  expect(await walk(session)).toEqual(["DONE (approved)"]);
  expect(await session.wisp("done", "a-request")).toMatchObject({ code: 0 });
  expect((await session.wisp("list")).stdout).toContain("TEARDOWN (shipped");
  const { stdout } = await session.wisp("status", "a-request");
  expect(stdout).toContain("a-request  TEARDOWN (shipped");
  expect(stdout).toContain("its work is on wisp/a-request at ");
  expect(stdout).toContain(", not pushed");
});

test.each([
  ["rejected", ["review", "a-request", "--reject", "--yes"]],
  ["abandoned", ["abandon", "a-request", "--yes"]],
])(
  "work that was %s says where its branch is kept, and names no next command",
  async (stage, words) => {
    await using session = await started(ONE_TASK);
    expect(await session.wisp(...words)).toMatchObject({ code: 0 });
    expect(await walk(session)).toEqual([`TEARDOWN (${stage})`]);
    const { stdout } = await session.wisp("status", "a-request");
    const ref = "refs/wisp/rescue/a-request/abandoned";
    expect(stdout).toContain(`its branch is kept as ${ref}`);
    expect(session.git("rev-parse", "--verify", ref)).toMatch(/^[0-9a-f]{40}$/u);
  },
);
