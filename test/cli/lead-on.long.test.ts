import { appendFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { putLink, putPipe } from "../rig/odd-entries.ts";
import type { ProcessSession } from "../rig/process-session.ts";
import { atWork, idle, interrupted, seesTo, started, walk } from "../rig/walk-session.ts";

/*
 * Like `every-state.long.test.ts`, for unusual sessions: edited, revised, or with a damaged home.
 */

const ID = "a-request";
const REPAIR = `wisp fsck ${ID} --repair`;
const GOES_ON = ["STOPPED (interrupted)", `wisp up ${ID}`, "DONE (complete)"];

const ODD: readonly (readonly [string, (home: string) => void])[] = [
  ["a log is a symbolic link", (home) => putLink(join(home, "logs/builder.log"))],
  ["a log is a pipe", (home) => putPipe(join(home, "logs/human.log"))],
  ["the list of tasks is a symbolic link", (home) => putLink(join(home, "TASKS.md"))],
  [
    "the home is not there",
    (home) => {
      rmSync(home, { recursive: true });
    },
  ],
  [
    "session.json is not there",
    (home) => {
      rmSync(join(home, "session.json"));
    },
  ],
];

test.each(ODD)(
  "a session in which %s names the repair first, and then continues",
  async (_, damage) => {
    await using session = await interrupted();
    damage(realpathSync(session.home()));
    const met = await walk(session, { seesTo });
    expect(met.slice(1)).toEqual([REPAIR, ...GOES_ON]);
  },
);

test.each(["logs/turns", "plans", "logs"])(
  "a session whose %s was removed keeps its state, and continues without a repair",
  async (path) => {
    await using session = await interrupted();
    const before = await session.wisp("status");
    rmSync(join(realpathSync(session.home()), path), { recursive: true });
    const { stdout } = await session.wisp("status");
    expect(stdout.split("\n")[0]).toBe(before.stdout.split("\n")[0]);
    if (path === "logs")
      expect(stdout).toContain("logs/supervisor.log; wisp up a-request restores");
    expect(await walk(session, { seesTo })).toEqual(GOES_ON);
  },
);

const BY_HAND = "\n## Milestone: By hand\n\n- [ ] Leave a note\n";

function edit(session: ProcessSession): void {
  appendFileSync(join(session.home(), "TASKS.md"), BY_HAND);
}

const builtByHand = (session: ProcessSession) =>
  session.read("logs/milestones.log").includes("By hand|");

test("a stopped session continues with the edited TASKS.md", async () => {
  await using session = await atWork();
  const stopping = session.wisp("stop");
  await session.until("the stop", () => session.read("logs/human.log").includes(" stop"));
  seesTo(session);
  expect(await stopping).toMatchObject({ code: 0 });
  await idle(session);
  edit(session);
  expect(await walk(session)).toEqual(["STOPPED (stopped)", `wisp up ${ID}`, "DONE (complete)"]);
  expect(builtByHand(session)).toBe(true);
});

test("a session whose TASKS.md was edited while the builder ran first asks to adopt the edit", async () => {
  await using session = await atWork();
  edit(session);
  seesTo(session);
  await session.until("the end", () => session.read("logs/builder.log").includes(" done "));
  await idle(session);
  expect(await walk(session)).toEqual([
    "DONE (complete)",
    `wisp tasks ${ID} --adopt TASKS.md.1`,
    "STOPPED (reopened)",
    `wisp up ${ID}`,
    "DONE (complete)",
  ]);
  expect(builtByHand(session)).toBe(true);
});

const REVISES = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
  build(t) {
    const isItem = t.milestone.startsWith("RI-");
    if (isItem && t.prompt.includes("What for?") && !t.prompt.includes("8080")) return t.say({ status: "NEEDS_INPUT", question: "Which port?" });
    if (isItem && t.prompt.includes("Fail") && !t.has(process.env.HOME + "/go")) return;
    t.put("hello.txt", (isItem ? t.read("hello.txt") : "") + "hello\n");
    t.commit("Say hello");
    t.tick();
  },
`;

async function revised(problem: string, config = ""): Promise<ProcessSession> {
  const session = await started(REVISES, { config });
  const asked = ["review", ID, "--request-revision", problem, "--no-start"];
  expect(await session.wisp(...asked)).toMatchObject({ code: 0 });
  return session;
}

const REVISION = `${ID}/revision-1`;

test("a session with a revision that has not started names the command that starts it", async () => {
  await using session = await revised("Say more");
  expect((await session.wisp("list")).stdout).toContain(`${REVISION} [revision] [new] — 0/1`);
  expect((await session.wisp("status", REVISION)).stdout).toMatch(
    / {2}0\/1 milestones, 0\/1 tasks/u,
  );
  expect(await walk(session)).toEqual([
    "DONE (complete)",
    `wisp up ${REVISION}`,
    "DONE (complete)",
  ]);
  expect(await walk(session, { id: REVISION })).toEqual(["DONE (complete)"]);
});

test.each([
  ["session.json is not there", "session.json"],
  ["the home is not there", ""],
])(
  "a session names the repair of its revision if %s, and then continues the revision",
  async (_, path) => {
    await using session = await revised("What for?");
    await session.wisp("up", REVISION);
    await idle(session);
    rmSync(join(realpathSync(session.home(REVISION)), path), { recursive: true });
    const { stdout } = await session.wisp("status", ID);
    expect(stdout).toMatch(
      /^Revisions\n {2}a-request\/revision-1 is damaged \([a-z-]+\): wisp fsck/mu,
    );
    expect(await walk(session)).toEqual([
      "DONE (complete)",
      `wisp fsck ${REVISION} --repair`,
      "DONE (complete)",
      `wisp answer ${REVISION} builder-1 "<your answer>"`,
      "DONE (complete)",
    ]);
  },
);

test("a session whose revision asks a question names the command that answers it", async () => {
  await using session = await revised("What for?");
  await session.wisp("up", REVISION);
  await idle(session);
  const answered = [`wisp answer ${REVISION} builder-1 "<your answer>"`, "DONE (complete)"];
  expect(await walk(session)).toEqual(["DONE (complete)", ...answered]);
});

test("a session whose revision is stuck names the command that resumes the revision", async () => {
  await using session = await revised("Fail", "attempts: { build: 1, unit: 1 }\n");
  await session.wisp("up", REVISION);
  await idle(session);
  const met = await walk(session, { seesTo });
  expect(met).toEqual(["DONE (complete)", `wisp resume ${REVISION}`, "DONE (complete)"]);
});

test("a complete revision names the same next commands as its session", async () => {
  await using session = await revised("Say more");
  expect(await session.wisp("up", REVISION)).toMatchObject({ code: 0 });
  for (const id of [ID, REVISION]) expect(await walk(session, { id })).toEqual(["DONE (complete)"]);
  expect(await session.wisp("done", ID, "--no-push", "--yes")).toMatchObject({ code: 0 });
  expect(await walk(session)).toEqual(["TEARDOWN (taken)"]);
});

test("a paused session continues after a resume", async () => {
  await using session = await interrupted();
  const log = join(session.home(), "logs/human.log");
  writeFileSync(log, `${session.read("logs/human.log")}${new Date().toISOString()} pause\n`);
  expect(await walk(session, { seesTo })).toEqual([
    "STOPPED (interrupted)",
    `wisp resume ${ID}`,
    "DONE (complete)",
  ]);
});
