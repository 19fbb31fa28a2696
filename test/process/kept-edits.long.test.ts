import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { homeIssues } from "../rig/home-issues.ts";
import { processSession, WISP, type ProcessSession } from "../rig/process-session.ts";

/*
 * What a person types into files of the home while a session runs is adopted, or kept and named.
 */

/** The first turn waits until the file `go` lies beside the repository. */
const SCENARIO = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n- [ ] Say goodbye\n"),
  async build(t) {
    const { existsSync } = await import("node:fs");
    t.put(t.milestone + t.attempt + ".txt", t.milestone + "\n");
    t.commit(t.milestone + ", attempt " + t.attempt);
    t.tick();
    await t.until(() => existsSync(process.env.HOME + "/../go"));
  },
`;
const BY_HAND = "\n## Milestone: By hand\n\n- [ ] Leave a note\n";

async function inTheFirstTurn(): Promise<ProcessSession> {
  const session = processSession({ scenario: SCENARIO });
  expect(await session.wisp("start", "request.md", "--detach")).toMatchObject({ code: 0 });
  await session.until("the first turn", () =>
    session.read("logs/builder.log").includes(" turn.begin "),
  );
  return session;
}

function letGo(session: ProcessSession): void {
  writeFileSync(join(session.root, "go"), "");
}

/** What `wisp up` says of all that happens from here on: the turn goes on once it looks. */
async function watched(session: ProcessSession) {
  const { repository: cwd, env } = session;
  const child = spawn(process.execPath, [WISP, "up"], { cwd, env });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (piece) => (stdout += String(piece)));
  child.stderr.on("data", (piece) => (stderr += String(piece)));
  const closed = once(child, "close");
  await session.until("the view of it", () => stderr.includes("a-request is running"));
  letGo(session);
  const [code] = z
    .tuple([z.number()])
    .rest(z.unknown())
    .parse(await closed);
  return { code, stdout };
}

const Status = z.object({
  state: z.string(),
  finishing: z.array(z.string()),
  roles: z.array(z.object({ role: z.string(), says: z.string() })),
  edits: z.array(z.object({ file: z.string(), copy: z.string(), commands: z.array(z.string()) })),
  milestones: z.array(z.object({ name: z.string(), isFinished: z.boolean() })),
  next: z.array(z.string()),
});

async function statusOf(session: ProcessSession) {
  const { stdout } = await session.wisp("status", "--json");
  return Status.parse(JSON.parse(stdout));
}

async function follow(session: ProcessSession, commands: readonly string[]): Promise<void> {
  for (const command of commands) {
    const [wisp, ...args] = command.split(" ");
    expect(wisp).toBe("wisp");
    const ran = await session.wisp(...args);
    expect(ran, `${command}: ${ran.stderr}`).toMatchObject({ code: 0 });
  }
}

async function expectBuiltByHand(session: ProcessSession): Promise<void> {
  const { milestones, edits } = await statusOf(session);
  expect(milestones).toMatchObject([
    { name: "One", isFinished: true },
    { name: "By hand", isFinished: true },
  ]);
  expect(edits).toEqual([]);
  expect(session.git("log", "--format=%s", "wisp/a-request")).toContain("By hand, attempt 1");
  // What was ticked after the person wrote was not done again.
  expect(session.git("log", "--format=%s", "wisp/a-request").match(/One, attempt/g)).toHaveLength(
    1,
  );
  expect(await homeIssues(session.home())).toEqual([]);
}

test("a milestone typed into TASKS.md while a session runs is kept, named, and adopted by what status says", async () => {
  await using session = await inTheFirstTurn();
  const tasks = join(session.home(), "TASKS.md");
  appendFileSync(tasks, BY_HAND);
  const typed = readFileSync(tasks, "utf8");
  const ended = await watched(session);
  expect(ended).toMatchObject({ code: 0 });
  // While it runs, and at its end.
  expect(ended.stdout).toMatch(
    /restored TASKS\.md: .* kept as edits\/TASKS\.md\.1: see wisp status/,
  );
  expect(ended.stdout).toMatch(
    /a-request is complete\.[^]*wisp tasks a-request --adopt TASKS\.md\.1/,
  );
  expect(session.read("logs/builder.log")).toMatch(
    / file\.restored file=TASKS\.md found=grown copy=edits\/TASKS\.md\.1\n/,
  );

  const { edits, next } = await statusOf(session);
  expect(edits).toMatchObject([{ file: "TASKS.md" }]);
  const [edit] = edits;
  expect(readFileSync(edit?.copy ?? "", "utf8")).toBe(typed);
  expect(next[0]).toBe("wisp tasks a-request --adopt TASKS.md.1");
  const said = (await session.wisp("status")).stdout;
  expect(said).toContain("the edit is not part of the plan");
  expect((await session.wisp("done", "--dry-run")).stdout).toMatch(
    /edited +TASKS\.md was edited while a builder was at work: the edit is not part of the plan; kept as /,
  );
  expect(said).toContain(edit?.copy);

  await follow(session, edit?.commands ?? []);
  await expectBuiltByHand(session);
});

test("stop, edit the task list, resume: nobody says stopped while the engine works, and what is typed then is built", async () => {
  await using session = await inTheFirstTurn();
  const stopped = await session.wisp("stop");
  expect(stopped.stderr).toContain("the builder finishes its turn first");
  const during = await statusOf(session);
  expect(during).toMatchObject({ state: "RUNNING", finishing: ["builder"] });
  expect(during.roles.find(({ role }) => role === "builder")?.says).toBe(
    'stopping: finishing its turn at building "One"',
  );
  expect((await session.wisp("list")).stdout).toMatch(/RUNNING.*stopping: builder/);
  appendFileSync(join(session.home(), "TASKS.md"), BY_HAND);
  letGo(session);
  await session.until("the end of all processes", () => session.leftovers().length === 0);
  const after = await statusOf(session);
  expect(after).toMatchObject({ state: "STOPPED", finishing: [] });
  expect(after.roles.find(({ role }) => role === "builder")?.says).toBe("stopped, as you asked");
  expect(existsSync(after.edits[0]?.copy ?? "")).toBe(true);
  await follow(session, after.edits[0]?.commands ?? []);
  await expectBuiltByHand(session);
});

test("an edit made while nobody works is named by status until a command adopts it", async () => {
  await using session = await inTheFirstTurn();
  letGo(session);
  expect(await session.wisp("up")).toMatchObject({ code: 0 });
  expect((await statusOf(session)).edits).toEqual([]);
  appendFileSync(join(session.home(), "TASKS.md"), BY_HAND);
  const { edits, next } = await statusOf(session);
  expect(edits).toMatchObject([{ file: "TASKS.md", commands: ["wisp up a-request"] }]);
  expect(next[0]).toBe("wisp up a-request");
  expect((await session.wisp("status")).stdout).toContain("the next wisp up adopts it");
  await follow(session, next.slice(0, 1));
  await expectBuiltByHand(session);
});

test("while its builder is at work nothing is adopted, and the command says what to do first", async () => {
  await using session = await inTheFirstTurn();
  const own = join(session.root, "mine.md");
  writeFileSync(own, session.read("TASKS.md") + BY_HAND);
  const before = session.read("TASKS.md");
  const refused = await session.wisp("tasks", "--adopt", own);
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain("wisp stop a-request");
  expect(session.read("TASKS.md")).toBe(before);
  expect(session.read("logs/human.log")).toBe("");

  await follow(session, ["wisp stop"]);
  letGo(session);
  await session.until("the end of all processes", () => session.leftovers().length === 0);
  // A plan of the person's own that is none is told with its line, and changes nothing.
  writeFileSync(own, "## Milestone: One\n\n- [ ] Say something else\n");
  const bad = await session.wisp("tasks", "--adopt", own);
  expect(bad).toMatchObject({ code: 2 });
  expect(bad.stderr).toContain("mine.md, line 3: the tasks of the completed milestone");
  writeFileSync(own, before + BY_HAND);
  await follow(session, [`wisp tasks --adopt ${own}`, "wisp up"]);
  await expectBuiltByHand(session);
});

/** How programs save: each gets the path and what the file is to hold, and is done when it has said so. */
const SAVES: readonly (readonly [string, (session: ProcessSession, path: string) => unknown])[] = [
  [
    "in one step, as most editors save",
    (session, path) => {
      const edited = join(session.root, "request.md");
      writeFileSync(edited, ANOTHER);
      renameSync(edited, path);
    },
  ],
  ["in its place", (_, path) => writeFileSync(path, ANOTHER)],
  [
    "in its place, by a program that writes after the file was put back",
    async (session, path) => {
      const open = openSync(path, "w");
      await session.until("the request as it was", () => session.read("request.md") === REQUEST);
      writeSync(open, ANOTHER);
      closeSync(open);
    },
  ],
];
const REQUEST = "# A request\n\nDo the thing.\n";
const ANOTHER = "# Another\n\nDo it twice.\n";

test.each(SAVES)(
  "a request that is edited %s is put back, kept, and updated by what status says",
  async (_how, save) => {
    await using session = await inTheFirstTurn();
    await save(session, join(session.home(), "request.md"));
    letGo(session);
    expect(await session.wisp("up")).toMatchObject({ code: 0 });
    expect(session.read("request.md")).toBe(REQUEST);
    const { edits } = await statusOf(session);
    expect(edits).toMatchObject([{ file: "request.md" }]);
    const [update = ""] = edits[0]?.commands ?? [];
    expect(await session.wisp(...update.split(" ").slice(1), "--no-up")).toMatchObject({ code: 0 });
    expect(session.read("request.md")).toBe(ANOTHER);
    expect((await statusOf(session)).edits).toEqual([]);
  },
);

test("fifty times in a row the request is saved in its place while roles work, and all that was typed is kept", async () => {
  await using session = await inTheFirstTurn();
  const edits = join(session.home(), "edits");
  for (let round = 0; round < 50; round++) {
    const text = `Round ${String(round)}.\n`;
    writeFileSync(join(session.home(), "request.md"), text);
    await session.until(`round ${String(round)}`, () => session.read("request.md") === REQUEST);
    const kept = readdirSync(edits).map((name) => readFileSync(join(edits, name), "utf8"));
    expect(kept, `round ${String(round)}`).toContain(text);
    // As a person who has seen to it.
    for (const name of readdirSync(edits)) rmSync(join(edits, name));
  }
  letGo(session);
  expect(await session.wisp("up")).toMatchObject({ code: 0 });
});

test("killed at any moment of keeping and putting back, what was typed is in one of the two places", async () => {
  await using session = await inTheFirstTurn();
  await follow(session, ["wisp stop"]);
  letGo(session);
  await session.until("the end of all processes", () => session.leftovers().length === 0);
  const tasks = join(session.home(), "TASKS.md");
  const human = join(session.home(), "logs", "human.log");
  appendFileSync(human, `${new Date(0).toISOString()} resume\n`);
  const own = session.read("TASKS.md");
  appendFileSync(tasks, BY_HAND);
  const typed = readFileSync(tasks, "utf8");
  const isThere = () =>
    session.read("TASKS.md") === typed || session.read("edits/TASKS.md.1") === typed;
  for (const point of ["link.before:1", "link.after:1"]) {
    await killedAt(session, point, "agent", "builder");
    expect(session.read("TASKS.md")).toBe(typed);
  }
  for (let nth = 1; session.read("TASKS.md") === typed; nth++) {
    for (const side of ["before", "after"]) {
      if (session.read("TASKS.md") !== typed) break;
      await killedAt(session, `rename.${side}:${String(nth)}`, "agent", "builder");
      expect(isThere()).toBe(true);
    }
  }
  expect(session.read("TASKS.md")).toBe(own);
  const { edits } = await statusOf(session);
  expect(edits.map(({ copy }) => readFileSync(copy, "utf8"))).toEqual([typed]);
  await follow(session, edits[0]?.commands ?? []);
  await expectBuiltByHand(session);
});

/** Runs a command of wisp that kills itself at a failpoint. */
function killedAt(session: ProcessSession, point: string, ...args: readonly string[]) {
  return new Promise<void>((resolve) => {
    const env = { ...session.env, WISP_FAILPOINT: point };
    const options = { cwd: session.repository, env };
    const child = execFile(process.execPath, [WISP, ...args], options, () => {
      expect(child.signalCode).toBe("SIGKILL");
      resolve();
    });
    child.stdin?.end();
  });
}
