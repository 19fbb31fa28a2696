import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkSession } from "../rig/check-session.ts";
import { homeIssues } from "../rig/home-issues.ts";
import { processSession, type Ended, type ProcessSession } from "../rig/process-session.ts";
import { lastEndOf } from "../../src/session/state/stage.ts";

/*
 * US-006 and US-007, for a request of three stories: one follows its hint after it was set aside, one is built at
 * once, and one needs a person. One session reaches each stage.
 */

const STORIES = ["US-001: Open", "US-002: Greet", "US-003: Leave"];

const REQUEST = STORIES.map(
  (name) => `### ${name}\n\n**Acceptance Criteria:**\n\n- [ ] It is done\n`,
).join("\n");

const SCENARIO = String.raw`
  build(t) {
    const isTold = t.prompt.includes("TAKE-THE-WINDOW");
    const isMended = t.has(process.env.HOME + "/../mended");
    const mayWork =
      t.milestone.startsWith("US-001") ? t.attempt === 4 && isTold
      : t.milestone.startsWith("US-003") ? isMended
      : true;
    if (!mayWork) return;
    t.put(t.milestone.slice(0, 6) + ".txt", "done\n");
    t.commit("Do " + t.milestone.slice(0, 6));
    t.tick();
  },
  "stuck-hint"(t) {
    t.put("tried.txt", "tried\n");
    t.commit("Try it");
    const outputs = t.prompt.match(/\/\S+\/attempt-\d\.out/g) ?? [];
    const seen = ["noprogress", "Change nothing"].every((word) => t.prompt.includes(word)) &&
      outputs.length > 0 && outputs.every((path) => t.has(path));
    t.print(seen ? "The door is locked:\u001b[2J TAKE-THE-WINDOW\n" : "The prompt lacks something.\n");
  },`;

let session: ProcessSession;
let first: Ended;

beforeAll(async () => {
  session = processSession({
    scenario: SCENARIO,
    config: "stuck: { stories: { hint: 2, skip: 3, pause: 4 } }\n",
    files: { "prd.md": REQUEST },
  });
  first = await session.wisp("start", "prd.md", "--plain");
});

afterAll(async () => {
  await session[Symbol.asyncDispose]();
});

const ends = () =>
  checkSession(session.home()).history.builder.records.flatMap((record) => {
    if (record.kind === "hint.end") return [`${record.unit} ${record.outcome}`];
    return record.kind === "build.end" ? [`${record.unit} ${record.outcome}`] : [];
  });

test("a story without progress gets a hint, is set aside, and is tried again; at last the session pauses", () => {
  expect(first).toMatchObject({ code: 5 });
  expect(ends().map((end) => end.replace(/%3A%20\w+/, ""))).toEqual([
    "build:US-001:1 noprogress",
    "build:US-001:2 noprogress",
    "hint:US-001:2 hint",
    "build:US-001:3 noprogress",
    "build:US-002:1 milestone",
    "build:US-003:1 noprogress",
    "build:US-003:2 noprogress",
    "hint:US-003:2 hint",
    "build:US-003:3 noprogress",
    "build:US-001:4 milestone",
    "build:US-003:4 noprogress",
  ]);
  const { history, broken } = checkSession(session.home());
  expect(broken).toBeUndefined();
  expect(history.builder.fold.milestones.map(({ name }) => name)).toEqual([
    "US-002: Greet",
    "US-001: Open",
  ]);
});

test("changes of a hint's turn are on no branch, and its output is in .stuck-hint.md, cleaned", async () => {
  const branch = session.git("for-each-ref", "--format=%(refname)", "refs/heads/wisp");
  expect(session.git("ls-tree", "--name-only", branch, "tried.txt")).toBe("");
  expect(session.read(".stuck-hint.md")).toBe(
    '# Stuck hint\n\nMilestone "US-003: Leave", after 2 attempts in a row without progress.\n\n' +
      "The door is locked: TAKE-THE-WINDOW\n",
  );
  expect(await homeIssues(session.home())).toEqual([]);
  rmSync(join(session.home(), ".stuck-hint.md"));
  const repaired = await session.wisp("fsck", "--repair");
  expect(repaired.stdout).toContain("It was not the newest hint of logs/builder.log.");
  expect(session.read(".stuck-hint.md")).toContain("TAKE-THE-WINDOW");
});

test("the output and the status name each stage, and what to do", async () => {
  const said = first.stdout + first.stderr;
  expect(said).toContain('stuck hint for "US-001: Open" after 2 attempts');
  expect(said).toContain('"US-001: Open" is set aside after 3 attempts: "US-002: Greet" is built');
  expect(said).toContain('paused after 4 attempts at milestone "US-003: Leave"');
  expect(said).toContain("wisp resume");
  const { stdout } = await session.wisp("status");
  expect(stdout).toContain('"US-003: Leave" 0/1  4 attempts without progress');
  expect(stdout).toContain('stuck hint for "US-003: Leave" after 2 attempts');
  expect(stdout).toContain(".stuck-hint.md");
});

test("resume resets the counts, and the session completes once the obstacle is gone", async () => {
  writeFileSync(join(session.root, "mended"), "");
  expect(await session.wisp("resume", "--plain")).toMatchObject({ code: 0 });
  const { history, broken } = checkSession(session.home());
  expect(broken).toBeUndefined();
  expect(lastEndOf(history.builder.fold)?.how).toBe("complete");
  expect(ends().at(-1)).toMatch(/^build:US-003.*:5 milestone$/);
  expect(history.builder.fold.hints.size).toBe(0);
  expect(session.read(".stuck-hint.md")).toContain("TAKE-THE-WINDOW");
});
