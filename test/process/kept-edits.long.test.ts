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
 * What a person writes into files of the home while a session runs is adopted, or kept and named.
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

/** The output of `wisp up` from here on; the turn continues once `up` watches. */
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
  // Tasks that were ticked after the person's edit were not built again.
  expect(session.git("log", "--format=%s", "wisp/a-request").match(/One, attempt/g)).toHaveLength(
    1,
  );
  expect(await homeIssues(session.home())).toEqual([]);
}

test("a milestone added to TASKS.md during a session is kept, named, and adopted by the commands that status shows", async () => {
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
    /a-request is complete[^]*wisp tasks a-request --adopt TASKS\.md\.1/,
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

test("stop, edit TASKS.md, resume: status says stopped only once the turn has ended, and the edit is built", async () => {
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

test("status names an edit that was made at rest until a command adopts it", async () => {
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

test("tasks --adopt refuses to run while the builder does, and says what to do first", async () => {
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
  // A file that is not a valid plan is reported with its line, and changes nothing.
  writeFileSync(own, "## Milestone: One\n\n- [ ] Say something else\n");
  const bad = await session.wisp("tasks", "--adopt", own);
  expect(bad).toMatchObject({ code: 2 });
  expect(bad.stderr).toContain("mine.md, line 3: the tasks of the completed milestone");
  writeFileSync(own, before + BY_HAND);
  await follow(session, [`wisp tasks --adopt ${own}`, "wisp up"]);
  await expectBuiltByHand(session);
});

/** Ways in which programs save ANOTHER to a path. */
const SAVES: readonly (readonly [string, (session: ProcessSession, path: string) => unknown])[] = [
  [
    "in one step, as most editors save",
    (session, path) => {
      const edited = join(session.root, "request.md");
      writeFileSync(edited, ANOTHER);
      renameSync(edited, path);
    },
  ],
  ["in place", (_, path) => writeFileSync(path, ANOTHER)],
  [
    "in place, by a program that writes after the file was restored",
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
  "a request that is edited %s is restored, the edit is kept, and the command that status shows applies it",
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

test("every text is kept when the request is saved in place 50 times while roles run", async () => {
  await using session = await inTheFirstTurn();
  const edits = join(session.home(), "edits");
  for (let round = 0; round < 50; round++) {
    const text = `Round ${String(round)}.\n`;
    writeFileSync(join(session.home(), "request.md"), text);
    await session.until(`round ${String(round)}`, () => session.read("request.md") === REQUEST);
    const kept = readdirSync(edits).map((name) => readFileSync(join(edits, name), "utf8"));
    expect(kept, `round ${String(round)}`).toContain(text);
    // As a person does who has dealt with the edit.
    for (const name of readdirSync(edits)) rmSync(join(edits, name));
  }
  letGo(session);
  expect(await session.wisp("up")).toMatchObject({ code: 0 });
});

test("an edit is never lost, wherever the builder is killed while it keeps and restores", async () => {
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
