import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { json } from "./session-states.ts";
import { WispRig } from "./wisp-rig.ts";

let rig: WispRig;
beforeAll(async () => {
  rig = await WispRig.create();
});
afterAll(() => rig[Symbol.asyncDispose]());

const TIME = "2026-11-20T12:00:00.000Z";
const SHA = "1".repeat(40);
/** No process is started while this stop is in force. */
const STOPPED = `${TIME} stop`;

function item(id: string, more: object = {}) {
  return {
    id,
    level: "blocking",
    reviewer: "correctness",
    category: "Correctness",
    brief: `It is wrong in ${id}`,
    issue: "parse() drops the last field.",
    suggestion: "Push it.",
    ...more,
  };
}

const found = (...items: readonly object[]) =>
  `${TIME} review.end unit=review:A:${SHA} m=A outcome=reviewed findings=${json(items)}`;
const bugs = (...items: readonly object[]) =>
  `${TIME} test.end unit=test:A:${SHA} m=A outcome=tested bugs=${json(items)} commits=-`;
const fixed = (id: string) =>
  `${TIME} fix.end unit=fix:${id}:1 id=${id} attempt=1 outcome=fixed sha=${SHA} by=correctness brief=x files=[]`;
const judged = (id: string, verdict: string, reason = "") =>
  `${TIME} verify.end unit=verify:${id}:${SHA}:1 ${reason}id=${id} attempt=1 sha=${SHA} verdict=${verdict}`;

let count = 0;

/** A session without processes, with these lines in its logs; `sub` is a directory of its repository. */
async function session(lines: Readonly<Record<string, readonly string[]>> = {}) {
  count += 1;
  const cwd = await rig.repository(`repository-${String(count)}`, {
    "agent.sh": "#!/bin/sh\nexit 0\n",
    ".wisp/config.yaml": "engine: { command: [./agent.sh] }\n",
    "request.md": "# Say hello\n",
    "src/parse.js": "one\ntwo\nthree\n",
  });
  await rig.run(["start", "request.md", "--no-up"], { cwd });
  const log = (name: string) => join(cwd, ".wisp/current/logs", `${name}.log`);
  for (const [name, texts] of Object.entries({ human: [STOPPED], ...lines })) {
    await appendFile(log(name), texts.map((text) => `${text}\n`).join(""));
  }
  const wisp = (...words: readonly string[]) => rig.run(["findings", ...words], { cwd });
  const human = () => readFile(log("human"), "utf8");
  return { cwd, wisp, human };
}

test("lists findings, open ones first; --open omits the others", async () => {
  const { wisp } = await session({
    builder: [fixed("COR-000001")],
    reviewer: [
      found(
        item("COR-000001"),
        item("SIM-000002", { level: "warning" }),
        item("SEC-000003", { file: "src/parse.js", line: 2 }),
      ),
      judged("COR-000001", "closed"),
    ],
  });
  const all = await wisp();
  expect(all.stdout).toBe(
    [
      "SEC-000003  open    blocking  It is wrong in SEC-000003 (src/parse.js:2)",
      "SIM-000002  open    warning   It is wrong in SIM-000002",
      "COR-000001  closed  blocking  It is wrong in COR-000001",
      "",
    ].join("\n"),
  );
  expect(all.stderr).toContain("3 findings, 2 open, 1 of them blocking");
  const open = await wisp("say-hello", "--open");
  expect(open.stdout).not.toContain("COR-000001");
  expect([all.code, open.code]).toEqual([0, 0]);
});

test('does not repeat "nothing to change" as a reason, and keeps any other reason', async () => {
  const unchanged = (attempt: number, reason: string) =>
    `${TIME} fix.end unit=fix:COR-000001:${String(attempt)} id=COR-000001 attempt=${String(attempt)} outcome=nochange sha=${SHA} by=correctness brief=x files=[] reason="${reason}"`;
  const { wisp } = await session({
    builder: [unchanged(1, "Nothing to change."), unchanged(2, "It is a word.")],
    reviewer: [found(item("COR-000001"))],
  });
  const { stdout } = await wisp("show", "COR-000001");
  expect(stdout).toContain("  1. nothing to change\n  2. nothing to change: It is a word.\n");
});

test("says that a session has no findings", async () => {
  const { wisp } = await session();
  expect(await wisp()).toMatchObject({ code: 0, stdout: "No findings.\n" });
  const empty = await wisp("--json");
  expect(JSON.parse(empty.stdout)).toEqual({
    schema: "wisp.findings/1",
    session: "say-hello",
    findings: [],
  });
});

test("shows a finding with its fixes and their verdicts, as text and as JSON", async () => {
  const reason = `reason=${json("Still dropped.").replaceAll("\\", "").slice(1, -1)} `;
  const { wisp } = await session({
    builder: [fixed("COR-000001")],
    reviewer: [
      found(item("COR-000001", { file: "src/parse.js", line: 2 })),
      judged("COR-000001", "reopened", reason),
    ],
  });
  const shown = await wisp("show", "cor-000001");
  expect(shown.stdout).toContain("COR-000001  open  It is wrong in COR-000001");
  expect(shown.stdout).toContain("Where:\n  src/parse.js:2");
  expect(shown.stdout).toContain("Fixes:\n  1. fixed in 1111111111; not accepted");
  expect(shown.stdout).toContain("Not accepted because:\n  Still dropped.");
  const asJson = await wisp("show", "COR-000001", "--json");
  expect(JSON.parse(asJson.stdout)).toMatchObject({
    id: "COR-000001",
    kind: "finding",
    state: "open",
    isOpen: true,
    isBlocking: true,
    fixes: [{ attempt: 1, outcome: "fixed", sha: SHA, verdict: "reopened" }],
    refusal: "Still dropped.",
  });
});

test("an unknown finding is refused with a list of the existing ones", async () => {
  const { wisp } = await session({ reviewer: [found(item("COR-000001"))] });
  const shown = await wisp("show", "COR-999999");
  expect(shown).toMatchObject({ code: 2, stdout: "" });
  expect(shown.stderr).toContain("Its findings and bugs: COR-000001");
});

test("a dismissal is recorded once, with its reason", async () => {
  const { wisp, human } = await session({ reviewer: [found(item("COR-000001"))] });
  const first = await wisp("dismiss", "COR-000001", "--why", "it is meant so");
  const second = await wisp("dismiss", "cor-000001", "--why", "again");
  expect((await human()).match(/ dismiss .*/g)).toEqual([
    ' dismiss id=COR-000001 why="it is meant so"',
  ]);
  expect(first.stderr).toContain("Dismissed COR-000001.");
  expect(second.stderr).toContain("COR-000001 was already dismissed.");
  expect([first.code, second.code]).toEqual([0, 0]);
});

test("a dismissal needs a reason", async () => {
  const { wisp, human } = await session({ reviewer: [found(item("COR-000001"))] });
  const missing = await wisp("dismiss", "COR-000001");
  const empty = await wisp("dismiss", "COR-000001", "--why", " ");
  expect([missing.code, empty.code]).toEqual([2, 2]);
  expect(await human()).not.toContain("dismiss");
});

test("a bug can be dismissed like a finding, and is shown with the reason; a closed finding cannot", async () => {
  const { wisp, human } = await session({
    builder: [fixed("COR-000001")],
    reviewer: [found(item("COR-000001")), judged("COR-000001", "closed")],
    tester: [bugs(item("BUG-000002", { reviewer: "tester" }))],
  });
  const closed = await wisp("dismiss", "COR-000001", "--why", "no");
  expect(closed.code).toBe(1);
  expect(closed.stderr).toContain("is already closed");
  expect(await human()).not.toContain("dismiss");
  const bug = await wisp("dismiss", "bug-000002", "--why", "its command is wrong");
  expect(bug).toMatchObject({ code: 0 });
  expect(bug.stderr).toContain("Dismissed BUG-000002.");
  expect(await human()).toMatch(/ dismiss id=BUG-000002 why="its command is wrong"\n$/u);
});

test("a bug whose dismissal the tester adopted is shown as dismissed, with the person's reason", async () => {
  const why = "its command is wrong";
  const { wisp } = await session({
    tester: [
      bugs(item("BUG-000002", { reviewer: "tester" })),
      `${TIME} adopt.end human=0 dismiss=BUG-000002 why="${why}"`,
    ],
    human: [`${TIME} dismiss id=BUG-000002 why="${why}"`],
  });
  const shown = await wisp("show", "BUG-000002");
  expect(shown.stdout).toContain("BUG-000002  dismissed  ");
  expect(shown.stdout).toContain("Dismissed because:\n  its command is wrong");
});

test("a person's finding is recorded with its file and line", async () => {
  const { wisp, human } = await session();
  const added = await wisp("add", "src/parse.js:2", "a tab is a separator, too");
  expect(added).toMatchObject({ code: 0 });
  expect(added.stdout).toMatch(/^HUM-[0-9a-f]{6}\n$/);
  expect(await human()).toContain(
    `add finding=${json({
      id: added.stdout.trim(),
      level: "blocking",
      reviewer: "human",
      category: "Human",
      brief: "a tab is a separator, too",
      file: "src/parse.js",
      line: 2,
      issue: "a tab is a separator, too",
      suggestion: "",
    })}`,
  );
});

test("the same finding is added once; a different text at the same line is a new finding", async () => {
  const { wisp, human } = await session();
  const first = await wisp("add", "src/parse.js:2", "one");
  const again = await wisp("add", "src/parse.js:2", "one");
  const other = await wisp("add", "src/parse.js:2", "two", "--level", "warning");
  expect(again.stdout).toBe(first.stdout);
  expect(again.stderr).toContain("Already on record");
  expect(other.stdout).not.toBe(first.stdout);
  expect((await human()).match(/ add /g)).toHaveLength(2);
});

test("a path is resolved from the current directory or from the root of the repository", async () => {
  const { cwd } = await session();
  const here = join(cwd, "src");
  const near = await rig.run(["findings", "add", "parse.js:1", "near"], { cwd: here });
  const far = await rig.run(["findings", "add", "src/parse.js", "far"], { cwd: here });
  expect([near.code, far.code]).toEqual([0, 0]);
});

test.each([
  ["src/gone.js:1", "There is no file src/gone.js"],
  ["src/parse.js:4", "There is no line 4 in src/parse.js, which has 3 lines"],
  ["../outside.js:1", "There is no file ../outside.js"],
  ["src", "There is no file src"],
])("refuses a finding about %s, which is not on the branch", async (place, words) => {
  const { wisp, human } = await session();
  const added = await wisp("add", place, "text");
  expect(added).toMatchObject({ code: 2, stdout: "" });
  expect(added.stderr).toContain(words);
  expect(await human()).not.toContain(" add ");
});
