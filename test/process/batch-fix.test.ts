import { afterAll, beforeAll, expect, test } from "vitest";
import { checkSession } from "../rig/check-session.ts";
import { homeIssues } from "../rig/home-issues.ts";
import { processSession, type Ended, type ProcessSession } from "../rig/process-session.ts";

/*
 * FR-006: findings that share a fix turn. Three files with two findings each, and batches of two: in the first batch
 * both are closed at once; in the second, one is closed and one reopened; the third breaks verify.
 */

const CASSETTE = String.raw`version: 1
turns:
  - on: { purpose: plan }
    do:
      - plan: |
          ## Milestone: One

          - [ ] Write it all
  - on: { purpose: build }
    do:
      - write: { path: first.txt, content: "hullo one\nhullo two\n" }
      - write: { path: second.txt, content: "hullo three\nhullo four\n" }
      - write: { path: third.txt, content: "hullo five\nhullo six\n" }
      - commit: Write it all
      - tick: 1
  - on: { purpose: review-milestone }
    do:
      - print: |
          ### Verdict: NEEDS_WORK

          ### Findings

          1. **X-1**: Correctness - The first word is wrong
             - File: first.txt:1
             - Issue: It says hullo.
             - Suggestion: Say hello.
          2. **X-2**: Correctness - The third word is wrong
             - File: second.txt:1
             - Issue: It says hullo.
             - Suggestion: Say hello.
          3. **X-3**: Correctness - The fifth word is wrong
             - File: third.txt:1
             - Issue: It says hullo.
             - Suggestion: Say hello.
          4. **X-4**: Correctness - The second word is wrong
             - File: first.txt:2
             - Issue: It says hullo.
             - Suggestion: Say hello.
          5. **X-5**: Correctness - The fourth word is wrong
             - File: second.txt:2
             - Issue: It says hullo.
             - Suggestion: Say hello.
          6. **X-6**: Correctness - The sixth word is wrong
             - File: third.txt:2
             - Issue: It says hullo.
             - Suggestion: Say hello.
  - on: { purpose: fix, unit: "fix:*+*:1", prompt: "File: first.txt:2" }
    do:
      - write: { path: first.txt, content: "hello one\nhello two\n" }
  - on: { purpose: fix, unit: "fix:*+*:1", prompt: "File: second.txt:2" }
    do:
      - write: { path: second.txt, content: "hello three\nhallo four\n" }
      - print: '{"status":"DONE","summary":"Both say hello now."}'
  - on: { purpose: fix, unit: "fix:*:2", finding: "COR-??????", prompt: "not accepted: It says hallo" }
    do:
      - write: { path: second.txt, content: "hello three\nhello four\n" }
  - on: { purpose: fix, unit: "fix:*+*:1", prompt: "File: third.txt:2" }
    do:
      - write: { path: third.txt, content: "hello five\nhello six\n" }
      - write: { path: broken, content: "yes\n" }
  - on: { purpose: fix, unit: "fix:*:2", finding: "COR-??????", prompt: "File: third.txt:1" }
    do:
      - patch: { path: third.txt, find: hullo five, replace: hello five }
  - on: { purpose: fix, unit: "fix:*:2", finding: "COR-??????", prompt: "File: third.txt:2" }
    do:
      - patch: { path: third.txt, find: hullo six, replace: hello six }
  - on: { purpose: verify-fix, unit: "verify:*:1", prompt: "File: second.txt:2" }
    do:
      - print: |
          ### Verdict: NEEDS_WORK

          ### Findings

          1. **X-1**: Correctness - The fourth word is wrong
             - File: second.txt:2
             - Issue: It says hallo.
             - Suggestion: Say hello.
defaults:
  replan: []
  review-commit: [print: "### Verdict: PASSED\n\n### Findings\n\nNone"]
  verify-fix: [print: "### Verdict: PASSED\n\n### Findings\n\nNone"]
  test: [print: "### Verdict: PASSED\n\n### Findings\n\nNone"]
  final-test: [print: "### Verdict: PASSED\n\n### Findings\n\nNone"]
`;

let session: ProcessSession;
let ended: Ended;
let checked: ReturnType<typeof checkSession>;

beforeAll(async () => {
  session = processSession({
    engine: "replay",
    config: `verify: [["test", "!", "-e", "broken"]]\nreview: { fixBatch: 2 }\n`,
    files: { ".wisp/cassette.yaml": CASSETTE },
  });
  ended = await session.wisp("start", "request.md");
  checked = checkSession(session.home());
});

afterAll(async () => {
  await session[Symbol.asyncDispose]();
});

/** The id of the finding at a place. */
function idAt(file: string, line: number): string {
  const items = [...checked.history.reviewer.fold.items.values()];
  return items.find((item) => item.file === file && item.line === line)?.id ?? "none";
}

function bothIn(file: string): string {
  return `${idAt(file, 1)}+${idAt(file, 2)}`;
}

function outcomesOf(file: string, line: number): readonly string[] {
  const fixes = checked.history.builder.fold.fixes.get(idAt(file, line)) ?? [];
  return fixes.map(({ unit, attempt, outcome }) => `${unit} ${String(attempt)} ${outcome}`);
}

test("a session whose findings are fixed in batches ends complete, and no invariant is broken", async () => {
  expect(ended).toMatchObject({ code: 0 });
  expect(checked.broken).toBeUndefined();
  expect(await homeIssues(session.home())).toEqual([]);
  expect(checked.history.reviewer.fold.open.size).toBe(0);
});

test("FR-006, FR-011: two findings are fixed by one commit, whose subject joins their ids", () => {
  const branch = session.git("for-each-ref", "--format=%(refname)", "refs/heads/wisp");
  const subjects = session.git("log", "--reverse", "--format=%s", branch, "^main").split("\n");
  const fix = (ids: string, brief: string) => `fix(review): correctness - ${ids} - ${brief}`;
  expect(subjects).toEqual([
    "Write it all",
    fix(bothIn("first.txt"), "The first word is wrong; The second word is wrong"),
    fix(bothIn("second.txt"), "The third word is wrong; The fourth word is wrong"),
    fix(idAt("third.txt", 1), "The fifth word is wrong"),
    fix(idAt("third.txt", 2), "The sixth word is wrong"),
    fix(idAt("second.txt", 2), "The fourth word is wrong"),
  ]);
});

test("each finding of a batch has an attempt, an entry and a verdict of its own", () => {
  const unit = `fix:${bothIn("first.txt")}:1`;
  expect(outcomesOf("first.txt", 1)).toEqual([`${unit} 1 fixed`]);
  expect(outcomesOf("first.txt", 2)).toEqual([`${unit} 1 fixed`]);
  const progress = session.read("PROGRESS.txt");
  for (const line of [1, 2]) {
    const id = idAt("first.txt", line);
    const entries = progress.split(/^---$/m).filter((text) => text.includes(`correctness/${id}\n`));
    const [fixed, accepted] = entries;
    expect(entries).toHaveLength(2);
    expect(accepted).toContain("[Review Fix Accepted]");
    expect(fixed).toContain("### Files changed\n- first.txt\n\n### Attempts\n1 of 3");
    expect(session.read("REVIEWS.md")).toMatch(new RegExp(`^CLOSED ${id} attempt 1 `, "m"));
  }
});

test("if only one finding of a batch is reopened, it is fixed alone, and the prompt contains the reason", () => {
  const unit = `fix:${bothIn("second.txt")}:1`;
  expect(outcomesOf("second.txt", 1)).toEqual([`${unit} 1 fixed`]);
  expect(session.read("logs/builder.log")).toContain('reason="Both say hello now."');
  const alone = `fix:${idAt("second.txt", 2)}:2`;
  expect(outcomesOf("second.txt", 2)).toEqual([`${unit} 1 fixed`, `${alone} 2 fixed`]);
  const reviews = session.read("REVIEWS.md");
  expect(reviews).toMatch(new RegExp(`^CLOSED ${idAt("second.txt", 1)} attempt 1 `, "m"));
  expect(reviews).toMatch(new RegExp(`^REOPENED ${idAt("second.txt", 2)} attempt 1 `, "m"));
  expect(reviews).toMatch(new RegExp(`^CLOSED ${idAt("second.txt", 2)} attempt 2 `, "m"));
});

test("a batch that makes verify worse is not published, counts as an attempt at each finding, and is retried one by one", () => {
  const unit = `fix:${bothIn("third.txt")}:1`;
  for (const line of [1, 2]) {
    const alone = `fix:${idAt("third.txt", line)}:2`;
    expect(outcomesOf("third.txt", line)).toEqual([`${unit} 1 failed`, `${alone} 2 fixed`]);
  }
  const branch = session.git("for-each-ref", "--format=%(refname)", "refs/heads/wisp");
  expect(session.git("log", "--format=%H", branch, "--", "broken")).toBe("");
});

test("the output names all findings of a batch", () => {
  expect(ended.stdout).toContain(`begins fixing ${bothIn("first.txt")}`);
  expect(ended.stdout).toContain(`fixed ${bothIn("first.txt")} in `);
});
