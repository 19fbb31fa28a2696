import { afterAll, beforeAll, expect, test } from "vitest";
import type { CassetteStep } from "../../src/engines/replay/cassette-schema.ts";
import { decodeFindingsBlocks } from "../../src/fs-protocol/findings/findings-block.ts";
import { checkSession } from "../rig/check-session.ts";
import { homeIssues } from "../rig/home-issues.ts";
import type { Ended, ProcessSession } from "../rig/process-session.ts";
import {
  holds,
  isInProgress,
  needsWork,
  on,
  oneTask,
  PASSED,
  put,
  replaySession,
} from "../rig/replay-session.ts";
import { lastEndOf } from "../../src/session/state/stage.ts";

/*
 * Seed 002, requirement by requirement, on one session whose findings end in every possible way: fixed by the first
 * attempt, by the third, never, mistaken, not fixed at all, and with a fix that breaks verify.
 */

const FOUND = [
  { file: "first.js", brief: "The first is wrong" },
  { file: "third.js", brief: "The third is wrong" },
  { file: "never.js", brief: "The fourth is wrong" },
  { file: "mistaken.js", brief: "It seems wrong" },
  { file: "breaks.js", brief: "It is hard to mend" },
  { file: "stands.js", brief: "Nobody touches it" },
  { file: "plain.js", brief: "It could be nicer", level: "suggestion" },
];

const MISTAKEN = JSON.stringify({ status: "DONE", summary: "It is meant to be so." });

function tried(file: string, attempt: number): CassetteStep {
  return put(file, `const it = 'try ${attempt}';\n`);
}

/** A fix that reads its finding from PROGRESS.txt, and fails if it is not there. */
function fixing(file: string, step: CassetteStep, ...others: readonly CassetteStep[]) {
  const conditions = { purpose: "fix", attempt: 1, prompt: `   - File: ${file}:1` } as const;
  return on(conditions, isInProgress(file), step, ...others);
}

/** Is played only if the prompt says what was wrong with the previous attempt. */
function fixingAgain(file: string, attempt: number, told: string, step = tried(file, attempt)) {
  return on({ purpose: "fix", attempt, prompt: told }, isInProgress(file), step);
}

/** A reviewer that moves the goalposts: another complaint each time. */
function complaint(file: string, attempt: number): string {
  return `Complaint ${attempt} about ${file}`;
}

function reopens(file: string, attempt: number) {
  const conditions = { purpose: "verify-fix", unit: `verify:*:${attempt}` } as const;
  const said = needsWork({ file, brief: complaint(file, attempt) });
  return on({ ...conditions, prompt: `\nFile: ${file}:1\n` }, { print: said });
}

/** Closes a finding, and fails at any other commit than the fix. */
function closes(file: string, attempt: number, text: string) {
  const conditions = { purpose: "verify-fix", unit: `verify:*:${attempt}` } as const;
  const prompt = `\nFile: ${file}:1\n`;
  return on({ ...conditions, prompt }, holds(file, text), { print: PASSED });
}

const TURNS = [
  ...oneTask(
    "Write it all",
    ...FOUND.map(({ file }) => put(file, `const ${file.replace(".js", "")} = 'wrong';\n`)),
  ),
  on(
    { purpose: "review-milestone", prompt: "## style (warning)" },
    { print: needsWork({ category: "Style", file: "plain.js", brief: "It is plain" }) },
  ),
  on(
    { purpose: "review-milestone", prompt: "## correctness (blocking)" },
    { print: needsWork(...FOUND) },
  ),
  fixing("first.js", tried("first.js", 1)),
  closes("first.js", 1, "try 1"),
  fixing("third.js", tried("third.js", 1)),
  reopens("third.js", 1),
  fixingAgain("third.js", 2, complaint("third.js", 1)),
  reopens("third.js", 2),
  fixingAgain("third.js", 3, complaint("third.js", 2)),
  closes("third.js", 3, "try 3"),
  fixing("never.js", tried("never.js", 1)),
  reopens("never.js", 1),
  fixingAgain("never.js", 2, complaint("never.js", 1)),
  reopens("never.js", 2),
  fixingAgain("never.js", 3, complaint("never.js", 2)),
  reopens("never.js", 3),
  fixing("mistaken.js", { print: MISTAKEN }),
  closes("mistaken.js", 1, "wrong"),
  fixing("breaks.js", tried("breaks.js", 1), put("broken", "yes\n")),
  fixingAgain("breaks.js", 2, "the build is broken"),
  closes("breaks.js", 2, "try 2"),
  fixing("stands.js", put("elsewhere.txt", "attempt 1\n")),
  reopens("stands.js", 1),
  fixingAgain("stands.js", 2, complaint("stands.js", 1), put("elsewhere.txt", "attempt 2\n")),
  reopens("stands.js", 2),
  // Any other fix, or verification of one, fails.
  on({ purpose: "fix" }, { exit: 9 }),
  on({ purpose: "verify-fix" }, { exit: 9 }),
];

const STYLE = "---\nlevel: warning\n---\nFind what is plain.\n";
const SQL = "---\nlevel: blocking\nlanguages: [sql]\n---\nFind full scans.\n";

let session: ProcessSession;
let ended: Ended;
let progress: string;
let history: ReturnType<typeof checkSession>["history"];
let broken: ReturnType<typeof checkSession>["broken"];

beforeAll(async () => {
  session = replaySession({
    turns: TURNS,
    config: `verify: [["sh", "-c", "test ! -e broken || { echo the build is 'broken'; exit 1; }"]]\nreview: { perCommit: 0 }\n`,
    reviewers: { style: STYLE, sql: SQL },
  });
  ended = await session.wisp("start", "request.md");
  progress = session.read("PROGRESS.txt");
  ({ history, broken } = checkSession(session.home()));
});

afterAll(async () => {
  await session[Symbol.asyncDispose]();
});

/** The id of the finding in a file. */
function idOf(file: string, reviewer = "correctness"): string {
  const items = [...history.reviewer.fold.items.values()];
  return items.find((item) => item.file === file && item.reviewer === reviewer)?.id ?? "none";
}

function fixesOf(file: string) {
  const id = idOf(file);
  return history.builder.records.flatMap((record) =>
    record.kind === "fix.end" && record.id === id ? [record] : [],
  );
}

/** Entries of PROGRESS.txt whose first line begins so. */
function entries(begin: string): readonly string[] {
  return progress.split(/^---$/m).filter((entry) => entry.trimStart().startsWith(begin));
}

function milestoneReview() {
  return history.reviewer.records.flatMap((record) =>
    record.kind === "review.end" && record.m !== undefined ? [record] : [],
  );
}

test("no invariant of the session is broken, however its findings ended", async () => {
  expect(ended).toMatchObject({ code: 5 });
  expect(broken).toBeUndefined();
  expect(await homeIssues(session.home())).toEqual([]);
});

test("FR-001: PROGRESS.txt contains each reviewer's findings in the structured format", () => {
  const [block = "", ...others] = entries("[Review]").filter((entry) =>
    entry.includes(" - style "),
  );
  expect(others).toEqual([]);
  expect(block.trim().replace(/\d{4}-\d\d-\d\d \d\d:\d\d/, "YYYY-MM-DD HH:MM")).toBe(
    [
      "[Review] YYYY-MM-DD HH:MM UTC - style (warning)",
      "### Verdict: NEEDS_WORK",
      "### Findings",
      [
        `1. **${idOf("plain.js", "style")}**: Style - It is plain`,
        "   - File: plain.js:1",
        "   - Issue: It is plain, as anybody can see.",
        "   - Suggestion: Mend it.",
      ].join("\n"),
    ].join("\n\n"),
  );
});

test("FR-002: each finding has an id, a category, a file with its line, an issue and a suggestion", () => {
  const blocks = decodeFindingsBlocks(entries("[Review]").join("---"));
  const findings = blocks.ok ? blocks.value.flatMap((block) => block.findings) : [];
  expect(findings).toHaveLength(8);
  for (const { label, category, file, line, issue, suggestion } of findings) {
    expect(label).toMatch(/^[A-Z]{3}-[0-9a-f]{6}$/);
    expect([category, file, line, issue, suggestion].every(Boolean)).toBe(true);
  }
});

test("FR-003: a summary is logged for each verdict", () => {
  const heads = entries("[Review]").map((entry) =>
    entry.replace(/^\s*\[Review\] .{16} UTC - (\S+) .*\n\n### Verdict: (\w+)\n[^]*$/, "$1 $2"),
  );
  expect([...new Set(heads)].sort()).toEqual([
    "correctness NEEDS_WORK",
    "correctness PASSED",
    "style NEEDS_WORK",
    "tester PASSED",
  ]);
});

test("FR-004: the findings read back from PROGRESS.txt are those on record", () => {
  const blocks = decodeFindingsBlocks(entries("[Review]").join("---"));
  const read = blocks.ok ? blocks.value.flatMap(({ findings }) => findings) : [];
  const recorded = milestoneReview().flatMap(({ findings }) => findings);
  const told = ({ file = "", line = 0, category = "", brief = "", issue = "" }) =>
    [file, line, category, brief, issue].join("|");
  expect(read.map(told).sort()).toEqual(recorded.map(told).sort());
});

test("FR-005: every finding of a blocking reviewer is attempted after its NEEDS_WORK", () => {
  const files = ["first.js", "third.js", "never.js", "mistaken.js", "breaks.js", "stands.js"];
  expect(files.filter((file) => fixesOf(file).length === 0)).toEqual([]);
});

test("FR-006: batching is optional: here each turn fixes a single finding", () => {
  const fixed = history.builder.records.filter(
    (record) => record.kind === "fix.end" && record.outcome === "fixed",
  );
  expect(entries("[Review Fix]")).toHaveLength(fixed.length);
});

test("FR-007: a finding gets at most three attempts", () => {
  expect(fixesOf("first.js").map(({ outcome }) => outcome)).toEqual(["fixed"]);
  expect(fixesOf("third.js").map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
  expect(fixesOf("never.js").map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
  expect(history.reviewer.fold.open.has(idOf("third.js"))).toBe(false);
  expect(history.reviewer.fold.open.has(idOf("never.js"))).toBe(true);
});

test("FR-008: after the third failure the finding is logged as failed, and the next one is fixed", () => {
  const failed = entries("[Review Fix Failed]").find((entry) => entry.includes(idOf("never.js")));
  expect(failed).toContain("3 of 3 (exhausted)");
  const order = history.builder.records.flatMap((record) =>
    record.kind === "fix.end" ? [record.id] : [],
  );
  expect(order.indexOf(idOf("breaks.js"))).toBeGreaterThan(order.indexOf(idOf("never.js")));
});

test("FR-009: fixes read their findings from PROGRESS.txt", () => {
  // Every fix of this session looks its finding up there, and fails without it, as does a turn that is not in the
  // cassette.
  const failed = history.builder.records.filter(
    (record) => record.kind === "fix.end" && record.reason?.includes("exited with code") === true,
  );
  expect(failed).toEqual([]);
  expect(fixesOf("first.js").map(({ files }) => files)).toEqual([["first.js"]]);
});

test("FR-010: each fix is a commit of its own", () => {
  const branch = session.git("for-each-ref", "--format=%(refname)", "refs/heads/wisp");
  const commits = session.git("log", "--format=%H", branch, "^main").split("\n");
  const fixes = history.builder.records.flatMap((record) =>
    record.kind === "fix.end" && record.outcome === "fixed" ? [record.sha ?? ""] : [],
  );
  expect(new Set(fixes).size).toBe(fixes.length);
  expect(commits).toHaveLength(fixes.length + 1);
  for (const sha of fixes) expect(commits).toContain(sha);
});

test("FR-011: a fix's subject names the reviewer, the finding and its brief", () => {
  const branch = session.git("for-each-ref", "--format=%(refname)", "refs/heads/wisp");
  const subjects = session.git("log", "--format=%s", branch, "^main").split("\n");
  expect(subjects).toContain(`fix(review): correctness - ${idOf("first.js")} - The first is wrong`);
  const others = subjects.filter((subject) => !subject.startsWith("fix(review): "));
  expect(others).toEqual(["Write it all"]);
});

test("FR-012: without --strict only blocking findings are fixed", () => {
  const [style, note] = [idOf("plain.js", "style"), idOf("plain.js")];
  expect(history.reviewer.fold.items.get(style)?.level).toBe("warning");
  expect(history.reviewer.fold.items.get(note)?.level).toBe("suggestion");
  expect(history.builder.fold.fixes.has(style)).toBe(false);
  expect(history.builder.fold.fixes.has(note)).toBe(false);
  expect(lastEndOf(history.builder.fold)?.open).not.toContain(style);
});

test("FR-014: a reviewer of a language without changes is recorded as skipped, and takes no turn", () => {
  const looks = milestoneReview().flatMap(({ reviewers = [] }) => reviewers);
  expect(looks.find(({ name }) => name === "sql")).toEqual({
    name: "sql",
    level: "blocking",
    verdict: "skipped",
  });
  expect(session.read("logs/reviewer.log")).not.toMatch(/turn\.begin .*part=sql/);
  expect(progress).not.toContain("- sql (");
});

test("FR-015: a fix is logged to PROGRESS.txt in the specified format", () => {
  const id = idOf("first.js");
  const [entry = ""] = entries("[Review Fix]").filter((text) => text.includes(id));
  expect(entry.trim().replace(/\d{4}-\d\d-\d\d \d\d:\d\d/, "YYYY-MM-DD HH:MM")).toBe(
    [
      `[Review Fix] YYYY-MM-DD HH:MM UTC - correctness/${id}`,
      "### What was fixed\n- The first is wrong",
      "### Files changed\n- first.js",
      "### Attempts\n1 of 3",
    ].join("\n\n"),
  );
});

test("FR-016: the entry of a fix says what was fixed, in which files, and at which attempt", () => {
  const third = entries("[Review Fix]").filter((text) => text.includes(idOf("third.js")));
  expect(third.map((text) => /\d of 3/.exec(text)?.[0])).toEqual(["1 of 3", "2 of 3", "3 of 3"]);
  expect(third.at(-1)).toContain("- The third is wrong");
  expect(third.at(-1)).toContain("- third.js");
});

test("FR-017: a finding whose last attempt failed is logged with the reason", () => {
  const id = idOf("never.js");
  const [entry = ""] = entries("[Review Fix Failed]").filter((text) => text.includes(id));
  expect(entry.trim().replace(/\d{4}-\d\d-\d\d \d\d:\d\d/, "YYYY-MM-DD HH:MM")).toBe(
    [
      `[Review Fix Failed] YYYY-MM-DD HH:MM UTC - correctness/${id}`,
      "### Issue\n- The fourth is wrong",
      "### Attempts\n3 of 3 (exhausted)",
      "### Reason\nComplaint 3 about never.js, as anybody can see.",
    ].join("\n\n"),
  );
});

test("NFR-003: the output distinguishes fixing from reviewing", () => {
  const lines = ended.stdout.split("\n");
  const id = idOf("first.js");
  expect(lines.filter((line) => line.includes(`begins fixing ${id}`))).toHaveLength(1);
  expect(lines.filter((line) => /^builder .*reviewing/.test(line))).toEqual([]);
  expect(lines.some((line) => /^reviewer .*begins reviewing milestone "One"/.test(line))).toBe(
    true,
  );
});

test("a fix that breaks verify is not published, and the next attempt is given the output", () => {
  expect(fixesOf("breaks.js").map(({ outcome }) => outcome)).toEqual(["failed", "fixed"]);
  expect(fixesOf("breaks.js")[0]?.reason).toContain("the build is broken");
  const branch = session.git("for-each-ref", "--format=%(refname)", "refs/heads/wisp");
  expect(session.git("log", "--format=%H", branch, "--", "broken")).toBe("");
});

test("a mistaken finding is closed by its opener, without a commit", () => {
  expect(fixesOf("mistaken.js").map(({ outcome }) => outcome)).toEqual(["nochange"]);
  expect(fixesOf("mistaken.js")[0]?.reason).toBe("It is meant to be so.");
  expect(history.reviewer.fold.open.has(idOf("mistaken.js"))).toBe(false);
});

test("a session whose reviewer keeps moving the goalposts ends stuck, and names the finding", () => {
  expect(lastEndOf(history.builder.fold)?.how).toBe("stuck");
  expect(lastEndOf(history.builder.fold)?.reason).toContain(
    `Still open after all its attempts: ${idOf("never.js")}`,
  );
});

test("fixes that do not change the lines in question end in a stalemate, which is left to a person", () => {
  const id = idOf("stands.js");
  expect(fixesOf("stands.js").map(({ attempt }) => attempt)).toEqual([1, 2]);
  const [entry = ""] = entries("[Review Fix Failed]").filter((text) => text.includes(id));
  expect(entry).toContain("2 of 3 (stalemate)");
  expect(lastEndOf(history.builder.fold)?.reason).toContain(
    `Left to you, after fixes that did not close what was found: ${id}`,
  );
});

test("findings below blocking are listed at the end instead of being fixed", () => {
  const summary = ended.stdout.slice(ended.stdout.lastIndexOf("is stuck"));
  expect(summary).toContain("2 findings too minor to be fixed");
  expect(summary).toContain(`${idOf("plain.js", "style")}, warning: It is plain (plain.js:1)`);
});
