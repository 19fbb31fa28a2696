import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import { WHOLE_RUN } from "./scenarios.ts";

/*
 * `wisp log` and `wisp why` after a session with a finding, a bug and tests of the tester. Both only read.
 */

let session: ProcessSession;
let branch: string;

beforeAll(async () => {
  session = processSession({
    scenario: WHOLE_RUN,
    config: `verify: [["test", "!", "-e", "broken"]]\n`,
    files: { "old.txt": "old\n" },
  });
  await session.wisp("start", "request.md");
  branch = session.git("for-each-ref", "--format=%(refname:short)", "refs/heads/wisp");
});

afterAll(() => session[Symbol.asyncDispose]());

const Event = z.object({
  schema: z.literal("wisp.event/1"),
  time: z.string(),
  role: z.string(),
  kind: z.string(),
  fields: z.record(z.string(), z.unknown()),
  text: z.string().nullable(),
});

function commitOf(subject: string): string {
  const line = session.git("log", "--format=%H %s", branch).split("\n");
  return line.find((one) => one.endsWith(` ${subject}`))?.split(" ")[0] ?? "";
}

function itemOf(file: string, prefix: string): string {
  return new RegExp(`^OPEN (${prefix}-[0-9a-f]+) `, "mu").exec(session.read(file))?.[1] ?? "";
}

test("log tells the events of all roles in words, oldest first", async () => {
  const { code, stdout, stderr } = await session.wisp("log");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const lines = stdout.trimEnd().split("\n");
  for (const line of lines) {
    expect(line).toMatch(
      /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d (?:planner |builder |reviewer|tester {2}|wisp {4}) \| \S/u,
    );
  }
  const order = [
    "planned 2 milestones",
    'finished "One"',
    'finished "Two"',
    "complete at",
    "ends:",
  ];
  const places = order.map((text) => lines.findIndex((line) => line.includes(text)));
  expect(places).toEqual([...places].sort((one, other) => one - other));
  expect(places).not.toContain(-1);
});

test("log -n and --since choose the last events, and -f ends because nothing is running", async () => {
  const all = (await session.wisp("log")).stdout.trimEnd().split("\n");
  const last = (await session.wisp("log", "-f", "--lines", "3")).stdout.trimEnd().split("\n");
  expect(last).toEqual(all.slice(-3));
  expect((await session.wisp("log", "-n", "0")).stdout).toBe("");
  expect((await session.wisp("log", "--since", "1d")).stdout.trimEnd().split("\n")).toEqual(all);
  expect((await session.wisp("log", "--since", "1ms")).stdout).toBe("");
  const wrong = await session.wisp("log", "--since", "yesterday");
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain("--since takes a duration such as 30m, 2h or 1d");
});

test("log --json prints an object per record, with its fields and text", async () => {
  const { stdout } = await session.wisp("log", "--json");
  const events = stdout
    .trimEnd()
    .split("\n")
    .map((line) => Event.parse(JSON.parse(line)));
  const done = events.find(({ kind }) => kind === "done");
  expect(done).toMatchObject({ role: "builder", fields: { how: "complete" } });
  expect(done?.text).toMatch(/^complete at /u);
  expect(events.map(({ kind }) => kind)).toContain("turn.begin");
});

test("why explains a commit by a full or a short name, or by a revision", async () => {
  const sha = commitOf("Say hello");
  const { code, stdout } = await session.wisp("why", sha);
  expect(code).toBe(0);
  expect(stdout).toContain("Say hello\n");
  expect(stdout).toContain('Made by the builder, building "One"');
  expect(stdout).toMatch(
    /^ {4}\.wisp\/sessions\/\S+\/logs\/turns\/\S+-builder-build_One_1\.out$/mu,
  );
  expect(stdout).toContain('task 1 of "One": Say hello');
  expect(stdout).toContain('reviewed milestone "One"');
  expect(stdout).toMatch(/COR-[0-9a-f]+ closed, blocking: It says hullo/u);
  expect((await session.wisp("why", sha.slice(0, 8))).stdout).toBe(stdout);
  const commits = session.git("rev-list", "--reverse", `main..${branch}`).split("\n");
  expect(commits[0]).toBe(sha);
  const first = `${branch}~${String(commits.length - 1)}`;
  expect((await session.wisp("why", first)).stdout).toBe(stdout);
});

test("why explains a line by the commit that last changed it, and says who made one that no turn made", async () => {
  const fixed = await session.wisp("why", "hello.txt:1");
  expect(fixed.stdout).toContain("hello.txt:1  hello\n");
  expect(fixed.stdout).toMatch(/Made by the builder, fixing COR-[0-9a-f]+/u);
  const old = await session.wisp("why", "old.txt:1");
  expect(old.code).toBe(0);
  expect(old.stdout).toContain(
    "Test wrote it, and no turn of the session is on record as having made it. The session began at it.",
  );
  const missing = await session.wisp("why", "hello.txt:99");
  expect(missing.code).toBe(2);
  expect(missing.stderr).toContain("There is no line 99 in hello.txt");
});

test("why explains a finding and a bug, from their opening to their end", async () => {
  const finding = (await session.wisp("why", itemOf("REVIEWS.md", "COR"))).stdout;
  expect(finding).toMatch(/^Finding COR-[0-9a-f]+ {2}closed {2}It says hullo$/mu);
  expect(finding).toMatch(/builder {2}\| fixed COR-[0-9a-f]+ in [0-9a-f]{10}: It says hullo/u);
  expect(finding).toMatch(/reviewer \| closed COR-[0-9a-f]+: the fix [0-9a-f]{10} holds/u);
  const bug = (await session.wisp("why", itemOf("BUGS.md", "BUG"))).stdout;
  expect(bug).toMatch(/^Bug BUG-[0-9a-f]+ {2}closed {2}It is too short$/mu);
  expect(bug).toContain("grep -q you thanks.txt");
});

test("why explains a milestone, for people and as an object", async () => {
  const { stdout } = await session.wisp("why", "Two");
  expect(stdout).toMatch(/^Milestone "Two"\nIts range is [0-9a-f]{10}\.\.[0-9a-f]{10}\.$/mu);
  expect(stdout).toContain("[x] Say thanks");
  const json = await session.wisp("why", "two", "--json");
  expect(JSON.parse(json.stdout)).toMatchObject({
    ...{ schema: "wisp.why/1", kind: "milestone", unread: [] },
    story: { name: "Two", range: { name: "Two" } },
  });
});

test("why lists what an ambiguous word may mean, and takes one of these commands", async () => {
  session.git("branch", "One", "main");
  const both = await session.wisp("why", "One");
  session.git("branch", "-D", "One");
  const main = session.git("rev-parse", "main");
  expect(both).toMatchObject({ code: 2, stdout: "" });
  expect(both.stderr).toContain(`wisp why One --as milestone\n  wisp why ${main} --as commit\n`);
  expect((await session.wisp("why", "One", "--as", "milestone")).stdout).toContain(
    'Milestone "One"',
  );
});

test("why says that no record names a word, however hostile the word is", async () => {
  for (const word of [
    "nonsense",
    "--output=x",
    "COR-ffffff",
    "a\u001b[31m\nb",
    "..",
    ":/",
    "x:0",
  ]) {
    const { code, stdout, stderr } = await session.wisp("why", "--", word);
    expect({ word, code, stdout }).toEqual({ word, code: 1, stdout: "" });
    expect(stderr).toContain("and git knows no commit of that name.");
    expect(stderr).not.toContain("\u001b");
  }
});

test("a damaged log is read as far as possible, and both commands say what is missing", async () => {
  const log = join(session.home(), "logs", "tester.log");
  appendFileSync(log, "nonsense\n2026-11-20T12:00");
  const told = await session.wisp("log", "-n", "1");
  expect(told).toMatchObject({ code: 0 });
  expect(told.stderr).toMatch(/logs\/tester\.log: the line at byte \d+ is not a record: /u);
  expect(told.stderr).toMatch(/logs\/tester\.log: the line at byte \d+ has no end: /u);
  const json = (await session.wisp("log", "--json")).stdout;
  expect(json).toContain('{"schema":"wisp.unread/1","problem":"logs/tester.log: ');
  const { stdout } = await session.wisp("why", "Two");
  expect(stdout).toContain("The record has gaps, so there may be more than is told here\n");
});
