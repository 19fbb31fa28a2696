import { expect, test } from "vitest";
import { z } from "zod";
import { connect } from "../rig/mcp-connection.ts";
import type { ProcessSession } from "../rig/process-session.ts";
import { BUILDS, PLAN, started } from "../rig/walk-session.ts";
import { ONE_TASK } from "./scenarios.ts";

const ID = "a-request";
const BRANCH = `wisp/${ID}`;
const Led = z.object({ next: z.array(z.string()) });

async function nextOf(session: ProcessSession, ...words: readonly string[]) {
  return Led.parse(JSON.parse((await session.wisp(...words, "--json")).stdout)).next;
}

test.each<readonly [string, string, readonly string[], readonly [string, string]]>([
  [
    "is stuck with --no-fix",
    `${PLAN} build(t) { ${BUILDS} },
    "review-milestone": (t) => t.needsWork("Correctness", "hello.txt", "It is not loud"),`,
    ["--no-fix"],
    [`wisp resume ${ID} --fix`, `ask the user to run: wisp resume ${ID} --fix`],
  ],
  [
    "asks",
    `${PLAN} build: (t) => t.say({ status: "NEEDS_INPUT", question: "Which port?" }),`,
    [],
    [`wisp answer ${ID} builder-1 "<your answer>"`, "answer_question"],
  ],
])(
  "status, review and the MCP server name the same next step for a session that %s",
  async (_, scenario, args, [command, tool]) => {
    await using session = await started(scenario, { args });
    const next = await nextOf(session, "status");
    expect(next[0]).toBe(command);
    expect(await nextOf(session, "review", "--stat")).toEqual(next);
    expect((await session.wisp("review", "--stat")).stdout).toContain(`\nnext: ${command}`);
    await using connection = await connect(session);
    const { text } = await connection.call("work_status");
    expect(text).toContain(`\nNext: ${tool}`);
    expect((await connection.call("review_changes")).text).toContain(`next: ${tool}`);
  },
);

test("a shipped session says when it was shipped and where it is, is not shipped twice, and names next steps that work", async () => {
  await using session = await started(ONE_TASK);
  const end = session.git("rev-parse", BRANCH);
  expect(await session.wisp("done", "--no-push")).toMatchObject({ code: 0 });
  const says = `its work is on ${BRANCH} at ${end.slice(0, 10)}, not pushed`;
  const next = [`git merge ${BRANCH}`, `wisp revise ${ID}`, "wisp list"];
  for (const words of [["status"], ["review", "--stat"]]) {
    const { stdout } = await session.wisp(...words);
    expect(stdout).toMatch(/it was shipped on \d{4}-\d\d-\d\d \d\d:\d\d UTC; /u);
    expect(stdout).toContain(says);
    expect(stdout).not.toContain("wisp done");
    expect(await nextOf(session, ...words)).toEqual(next);
  }
  expect((await session.wisp("review", "--approve")).stdout).not.toContain("wisp done");
  const record = session.read("logs/human.log");
  for (const [words, left] of [
    [["--dry-run"], "nothing is left to do."],
    [[], "nothing was left to do."],
  ] as const) {
    const again = await session.wisp("done", ...words);
    expect(again).toMatchObject({ code: 0 });
    expect(again.stdout).toMatch(
      /^a-request was already shipped, on .* UTC; nothing was verified: /u,
    );
    expect(again.stdout).toContain(left);
    expect(again.stdout).not.toMatch(/can be shipped|is done|## What was done/u);
  }
  expect(session.read("logs/human.log")).toBe(record);
  await using connection = await connect(session);
  const { text } = await connection.call("work_status");
  expect(text).toContain(`Next: nothing has to be done: its work was shipped; `);
  expect(text).not.toContain("wisp done");

  session.git("merge", "-q", BRANCH);
  expect(session.git("rev-parse", "main")).toBe(end);
  expect(await nextOf(session, "status")).toEqual(next.slice(1));
  expect(await session.wisp("list")).toMatchObject({ code: 0 });
});

test("a session that was shipped locally can be pushed later, but not once more after its remote branch is gone", async () => {
  await using session = await started(ONE_TASK);
  session.git("init", "-q", "--bare", "../remote.git");
  session.git("remote", "add", "origin", "../remote.git");
  expect(await session.wisp("done", "--no-push")).toMatchObject({ code: 0 });
  const preview = await session.wisp("done", "--no-pr", "--dry-run");
  expect(preview.stdout).toContain("Left to do: the push to origin. Nothing has been done yet.");
  const pushed = await session.wisp("done", "--no-pr");
  expect(pushed.stdout).toContain("Done now: the push to origin.");
  expect((await session.wisp("status")).stdout).toContain(", pushed to origin\n");
  expect(await nextOf(session, "status")).toEqual([`wisp revise ${ID}`, "wisp list"]);
  session.git("push", "-q", "origin", `:refs/heads/${BRANCH}`);
  const again = await session.wisp("done", "--no-pr");
  expect(again.stdout).toContain("nothing was left to do.");
  expect(session.git("ls-remote", "origin")).toBe("");
});

test("without an id, commands mean a shipped session itself, not a revision that was shipped with it", async () => {
  await using session = await started(`${PLAN}
    build(t) { t.put(t.milestone.startsWith("RI-") ? "more.txt" : "hello.txt", "hello\\n"); t.commit("Say it"); t.tick(); },`);
  const request = ["review", ID, "--request-revision", "Say more", "--no-start"];
  const revision = (number: number) => `${ID}/revision-${String(number)}`;
  const meant = async () => /^\S+/u.exec((await session.wisp("status")).stdout)?.[0];
  expect(await session.wisp(...request)).toMatchObject({ code: 0 });
  expect(await session.wisp("up", revision(1))).toMatchObject({ code: 0 });
  expect(await session.wisp("done", "--no-push")).toMatchObject({ code: 0 });
  expect(await meant()).toBe(ID);
  expect(await nextOf(session, "status", revision(1))).toEqual([`wisp status ${ID}`]);
  // A new revision of the shipped session is meant until it ends.
  expect(await session.wisp(...request)).toMatchObject({ code: 0 });
  expect(await meant()).toBe(revision(2));
  expect(await nextOf(session, "status", ID)).toEqual([
    `wisp up ${revision(2)}`,
    `wisp abandon ${revision(2)}`,
  ]);
  expect(await session.wisp("abandon", revision(2), "--yes")).toMatchObject({ code: 0 });
  expect(await nextOf(session, "status", revision(2))).toEqual([`wisp status ${ID}`]);
});

test.each([
  ["abandoned", ["abandon", ID, "--yes"]],
  ["rejected", ["review", ID, "--reject", "--yes"]],
])(
  "a session that was %s names its commits and the command that brings them back",
  async (_, words) => {
    await using session = await started(ONE_TASK);
    const end = session.git("rev-parse", BRANCH);
    expect(await session.wisp(...words)).toMatchObject({ code: 0 });
    const ref = `refs/wisp/rescue/${ID}/abandoned`;
    const next = [`git log ${ref}`, `git branch ${BRANCH} ${ref}`, "wisp list"];
    expect(await nextOf(session, "status")).toEqual(next);
    expect(await nextOf(session, "review", "--stat")).toEqual(next);
    expect(session.git("log", "--format=%H", ref)).toContain(end);
    session.git("branch", BRANCH, ref);
    expect(await nextOf(session, "status")).toEqual(["wisp list"]);
    await using connection = await connect(session);
    expect((await connection.call("work_status")).text).toContain("Next: nothing has to be done: ");
  },
);
