import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SessionJson } from "../../src/fs-protocol/home/session-json.ts";
import { encodeUnit } from "../../src/fs-protocol/records/unit-key.ts";
import { checkSession } from "../rig/check-session.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";

const PARENT = "a-request";
const BRANCH = "wisp/a-request";

const item = (id: string, title: string) =>
  `### ${id}: ${title}\n\n**Description:** It says too little; make it say more.\n\n**Acceptance Criteria:**\n\n- [ ] ${title}\n\n`;

const PLAN = `${item("RI-001", "Say it louder")}${item("RI-002", "Say it again")}`;

/** Each item of a revision adds a line to the file; prompts are saved. */
const SCENARIO = `
  plan: (t) => t.plan("## Milestone: One\\n\\n- [ ] Say hello\\n"),
  build(t) {
    const isItem = t.milestone.startsWith("RI-");
    t.put("hello.txt", (isItem ? t.read("hello.txt") : "") + t.milestone + "\\n");
    if (!isItem) t.commit("Say hello");
    t.put("../asked-build.md", t.prompt);
    t.tick();
  },
  revise(t) {
    t.put("../../asked-revise-" + t.attempt + "-" + t.ask + ".md", t.prompt);
    t.put("../../asked-diff", t.read("../revise/changes.diff"));
    t.put("../../asked-request", t.read("../revise/request.md"));
    t.print("A draft: <revision-plan>nothing</revision-plan>");
    t.print("<revision-plan>\\n" + ${JSON.stringify(PLAN)} + "</revision-plan>");
    t.say({ status: "DONE", summary: "two items" });
  },
`;

async function completeSession(scenario = SCENARIO): Promise<ProcessSession> {
  const session = processSession({ scenario });
  expect(await session.wisp("start", "request.md")).toMatchObject({ code: 0 });
  return session;
}

function sessionJson(session: ProcessSession, id: string): SessionJson {
  return SessionJson.parse(JSON.parse(session.read("session.json", id)));
}

test("US-005, US-006, US-008, US-009: a session can be revised twice on its branch, listed, shown, checked and shipped", async () => {
  await using session = await completeSession();
  const { state } = sessionJson(session, PARENT);
  const before = session.git("rev-parse", BRANCH);
  session.write(`.wisp/sessions/${PARENT}/.stuck-hint.md`, "Look at the volume.\n");
  const first = await session.wisp("revise", PARENT, "--problem", "It is too quiet", "--yes");
  expect(first).toMatchObject({ code: 0 });
  expect(first.stderr).not.toContain("Warning");
  expect(first.stdout).toContain(`${PARENT}/revision-1 is complete`);

  // US-005: a session of its own, with its parent's branch and clones.
  const child = `${PARENT}/revision-1`;
  const { parent, branch, base } = sessionJson(session, child);
  expect({ branch, base }).toEqual({ branch: BRANCH, base: before });
  expect(parent).toMatchObject({ id: PARENT, revision: 1, asked: ["It is too quiet"], state });
  expect(session.read("PROGRESS.txt", child)).toMatch(
    /^## Codebase Patterns\n\(none yet\)\n\n---\n/u,
  );
  expect(session.read("request.md", child)).toContain("### RI-001: Say it louder");
  expect(session.read("request.md", child)).toContain("> # A request\n>\n> Do the thing.");
  expect(existsSync(join(session.home(child), "logs", "builder.log"))).toBe(true);
  expect(existsSync(join(state, "revision-1", "builder", "clone"))).toBe(false);

  // US-003: the prompt for the plan names all files about the work.
  const asked = readFileSync(join(state, "asked-revise-1-1.md"), "utf8");
  expect(asked).toContain("1. It is too quiet");
  for (const file of ["request.md", "PROGRESS.txt", "TASKS.md"]) {
    expect(asked).toContain(join(state, "planner", "revise", file));
  }

  expect(readFileSync(join(state, "asked-request"), "utf8")).toBe(
    session.read("request.md", PARENT),
  );
  expect(asked).toContain("> Look at the volume.");
  rmSync(join(session.home(PARENT), ".stuck-hint.md"));
  expect(readFileSync(join(state, "asked-diff"), "utf8")).toContain("+++ b/hello.txt");

  // US-006: one item per turn, in order, with the original request and commits that name the revision.
  const build = readFileSync(join(state, "builder", "asked-build.md"), "utf8");
  expect(build).toContain(join(state, "revision-1", "builder", "turn", "original-request.md"));
  const subjects = session.git("log", "--reverse", "--format=%s", `${before}..${BRANCH}`);
  expect(subjects).toBe("[Revision] Say it louder\n[Revision] Say it again");
  expect(checkSession(session.home(child)).broken).toBeUndefined();

  // US-008, US-009.
  const revisions = () => session.read("logs/revisions.log", PARENT);
  expect(revisions()).toMatch(/^1\|[^|]+\|2\|revision-1\n$/u);
  const list = await session.wisp("list");
  const [row, below] = list.stdout.split("\n");
  expect(row).toMatch(/^a-request .*\[1 revision\]$/u);
  expect(below).toMatch(
    /^ {2}a-request\/revision-1 \[revision\] \[completed\] — 2\/2, nothing was verified /u,
  );
  const shown = await session.wisp("status", PARENT);
  expect(shown.stdout).toContain("Revisions\n  a-request/revision-1 [completed] — 2/2");
  expect(shown.stdout).toContain("[1 revision]");
  const own = await session.wisp("status", child);
  expect(own.stdout).toContain("revision 1 of a-request");
  expect(own.stdout).toContain('[x] "RI-001: Say it louder" 1/1');
  const json = await session.wisp("status", PARENT, "--json");
  expect(JSON.parse(json.stdout)).toMatchObject({
    revised: 1,
    revisions: [{ session: child, revision: 1, stage: "complete", items: { done: 2, of: 2 } }],
  });

  // The second revision: without an id, revise means the parent of the newest one.
  session.write("feedback.md", "# Again\n\n- Still too quiet\n- Not polite\n");
  const second = await session.wisp("revise", "--file", "feedback.md", "--yes", "--plain");
  expect(second).toMatchObject({ code: 0 });
  expect(sessionJson(session, `${PARENT}/revision-2`).parent?.asked).toEqual([
    "Still too quiet",
    "Not polite",
  ]);
  const again = readFileSync(join(state, "asked-revise-1-1.md"), "utf8");
  expect(again).toContain(join(state, "planner", "revise", "revision-1.md"));
  expect(revisions().match(/^[12]\|/gmu)).toEqual(["1|", "2|"]);
  expect((await session.wisp("list")).stdout).toContain("[2 revisions]");
  for (const id of [PARENT, child, `${PARENT}/revision-2`]) {
    expect((await session.wisp("fsck", id)).stdout).toContain("in order");
  }

  // A revision can be neither revised nor updated, and is shipped with its parent.
  const nested = await session.wisp("revise", child, "--problem", "x", "--yes");
  expect(nested).toMatchObject({ code: 2 });
  expect(nested.stderr).toContain(`wisp revise ${PARENT}`);
  const update = await session.wisp("update", "request.md", "--branch", child);
  expect(update).toMatchObject({ code: 2 });
  const done = await session.wisp("done", "--no-push", "--json");
  expect(done).toMatchObject({ code: 0 });
  expect(JSON.parse(done.stdout)).toMatchObject({
    session: PARENT,
    head: session.git("rev-parse", BRANCH),
    revisions: 2,
  });
  expect(done.stdout).toContain("- Revision 2, 2 items");
  expect(existsSync(join(state, "builder", "clone"))).toBe(false);
});

/** The second milestone waits for a person; the plan depends on the problem's text. */
const PENDING = `
  plan: (t) => t.plan("## Milestone: One\\n\\n- [ ] Say hello\\n\\n## Milestone: Two\\n\\n- [ ] Say bye\\n"),
  build(t) {
    if (t.milestone === "Two") return t.say({ status: "NEEDS_INPUT", question: "Which bye?" });
    t.put("hello.txt", "hello\\n");
    t.commit("Say hello");
    t.tick();
  },
  revise(t) {
    if (t.prompt.includes("SILENCE")) return t.print("I would rather not.");
    if (t.prompt.includes("RIDDLE")) return t.say({ status: "NEEDS_INPUT", question: "Which one?" });
    const isTold = t.prompt.includes("could not be taken: RI-001 has no");
    const text = ${JSON.stringify(PLAN)};
    const plan = isTold ? text : text.replace(/[*][*]Description.*/, "");
    t.print("<revision-plan>" + plan + "</revision-plan>");
  },
`;

const STALLED = `${SCENARIO.replace(
  "build(t) {",
  `build(t) {
    if (t.milestone.startsWith("RI-001") && !t.has(process.env.HOME + "/../mended")) return;`,
)}
  "stuck-hint"(t) { t.print("The volume is locked."); },
`;

test("US-007: an item without progress gets a hint after 2 attempts, is never set aside, and pauses its revision after 4", async () => {
  await using session = await completeSession(STALLED);
  const child = `${PARENT}/revision-1`;
  const revised = await session.wisp("revise", PARENT, "--problem", "It is too quiet", "--yes");
  expect(revised.code).toBe(5);
  const { history, broken } = checkSession(session.home(child));
  expect(broken).toBeUndefined();
  const units = history.builder.records.flatMap((record) =>
    record.kind === "build.end" || record.kind === "hint.end" ? [record.unit] : [],
  );
  const name = "RI-001: Say it louder";
  const build = (attempt: number) => encodeUnit({ kind: "build", milestone: name, attempt });
  const hint = encodeUnit({ kind: "hint", milestone: name, attempts: 2 });
  expect(units).toEqual([build(1), build(2), hint, build(3), build(4)]);
  const status = await session.wisp("status", child);
  expect(status.stdout).toContain('paused after 4 attempts at milestone "RI-001: Say it louder"');
  expect((await session.wisp("up", PARENT)).stderr).toContain(`wisp resume ${child}`);

  writeFileSync(join(session.root, "mended"), "");
  expect(await session.wisp("resume", child)).toMatchObject({ code: 0 });
  const asked = readFileSync(
    join(sessionJson(session, PARENT).state, "builder", "asked-build.md"),
    "utf8",
  );
  expect(asked).toContain("RI-002");
  expect(session.read("logs/revisions.log", PARENT)).toMatch(/^1\|[^|]+\|2\|revision-1\n$/u);
});

test("US-001, US-003: revise says what to do if it refuses; an unfinished revision must be resumed or abandoned first", async () => {
  await using session = processSession({ scenario: PENDING });
  expect(await session.wisp("start", "request.md")).toMatchObject({ code: 4 });
  const human = () => session.read("logs/human.log", PARENT);
  const head = session.git("rev-parse", BRANCH);
  const state = sessionJson(session, PARENT).state;

  // Without a terminal no command waits for an answer.
  expect(await session.wisp("revise", "nobody", "--problem", "x")).toMatchObject({ code: 3 });
  const mute = await session.wisp("revise", PARENT);
  expect(mute).toMatchObject({ code: 4 });
  expect(mute.stderr).toContain(`wisp revise ${PARENT} --problem "what is wrong" --yes`);
  const unsure = await session.wisp("revise", BRANCH, "--problem", "x");
  expect(unsure).toMatchObject({ code: 4 });
  expect(unsure.stderr).toContain("wisp revise a-request --problem x --yes");
  expect(await session.wisp("revise", "--file", "none.md", "--yes")).toMatchObject({ code: 2 });
  const dry = await session.wisp("revise", "--problem", "x", "--dry-run");
  expect(dry).toMatchObject({ code: 0 });
  expect(dry.stderr).toContain("Nothing was done");

  // If the engine writes no plan twice, or asks a question, nothing is created.
  const silent = await session.wisp("revise", PARENT, "--problem", "SILENCE", "--yes");
  expect(silent).toMatchObject({ code: 1 });
  expect(silent.stderr).toContain("there is no plan between");
  expect(silent.stderr).toContain("asking again");
  const asks = await session.wisp("revise", PARENT, "--problem", "RIDDLE", "--yes");
  expect(asks.code).toBe(4);
  expect(asks.stderr).toContain(
    "The planner has a question, and there is nobody to answer: Which one?",
  );
  expect(existsSync(join(session.home(PARENT), "revision-1"))).toBe(false);
  expect(human()).not.toContain("revise");

  // After an invalid plan the engine is asked once more, with the reason; there is a warning about pending stories.
  const words = ["--problem", "It is too quiet", "--yes", "--no-start", "--json"];
  const made = await session.wisp("revise", PARENT, ...words);
  expect(made).toMatchObject({ code: 0 });
  expect(made.stderr).toContain("Warning: 1 story still pending");
  const child = `${PARENT}/revision-1`;
  expect(JSON.parse(made.stdout)).toMatchObject({
    ...{ schema: "wisp.revise/1", session: child, parent: PARENT, revision: 1 },
    ...{ problems: ["It is too quiet"], isStarted: false },
    items: [{ id: "RI-001" }, { id: "RI-002" }],
  });
  expect(human()).toMatch(/ revise revision=1\n$/u);

  // Until it has ended, there can be no other revision, and its parent cannot continue.
  for (const [command, ...rest] of [
    ["revise", PARENT, "--problem", "y", "--yes"],
    ["up", PARENT],
    ["resume", PARENT],
  ]) {
    const refused = await session.wisp(command ?? "", ...rest);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain(`wisp resume ${child}`);
    expect(refused.stderr).toContain(`wisp abandon ${child}`);
  }
  const shown = await session.wisp("status", PARENT);
  expect(shown.stdout).toContain(`${child} [new] — 0/2`);
  expect(shown.stdout).toContain(`wisp up ${child}`);

  // When it is abandoned, its parent keeps branch and clones, and a clone's uncommitted work is saved under a
  // reference.
  const clone = join(state, "planner", "clone");

  writeFileSync(join(clone, "loose.txt"), "loose\n");
  const gone = await session.wisp("abandon", child, "--yes");
  expect(gone).toMatchObject({ code: 0 });
  expect(session.git("rev-parse", BRANCH)).toBe(head);
  expect(existsSync(join(clone, "loose.txt"))).toBe(false);
  const [rescue = ""] = session
    .git("for-each-ref", "--format=%(refname)", "refs/wisp/rescue")
    .split("\n");
  expect(session.git("show", `${rescue}:loose.txt`)).toBe("loose");
  expect(existsSync(join(state, "builder", "clone"))).toBe(true);

  // The next revision has the next number; abandoning the parent abandons it, too.
  const next = await session.wisp("revise", PARENT, ...words);
  expect(JSON.parse(next.stdout)).toMatchObject({ session: `${PARENT}/revision-2` });
  expect(await session.wisp("abandon", PARENT, "--yes")).toMatchObject({ code: 0 });
  expect(session.read("logs/human.log", `${PARENT}/revision-2`)).toContain(" abandon");
  expect(session.git("for-each-ref", `refs/heads/${BRANCH}`)).toBe("");
  const closed = await session.wisp("revise", PARENT, "--problem", "z", "--yes");
  expect(closed).toMatchObject({ code: 1 });
  expect(closed.stderr).toContain("was abandoned");
  expect((await session.wisp("list")).stdout).toContain("[revision] [abandoned] — 0/2");
});
