import { expect, test } from "vitest";
import { explain, explainWorld } from "../../src/cli/explain.ts";
import { EXIT } from "../../src/cli/exit-codes.ts";
import type { CliFailure } from "../../src/cli/failures.ts";

/** Text that would act on a terminal, or forge a line, if it were printed as it is. */
const HOSTILE = "a\u001b[2J\u001b]0;title\u0007b\r\nwisp: all is well\u202e";
const OID = "0123456789abcdef0123456789abcdef01234567";

type FailureOf<K extends CliFailure["kind"]> = Extract<CliFailure, { readonly kind: K }>;

/** One failure of each kind, with hostile text wherever the world has a say. */
const FAILURES: { readonly [K in CliFailure["kind"]]: FailureOf<K> } = {
  "already-answered": { kind: "already-answered", session: "api", question: HOSTILE },
  "answer-missing": {
    kind: "answer-missing",
    session: "api",
    questions: [{ id: "builder-1", ask: HOSTILE }],
  },
  "answer-too-long": { kind: "answer-too-long", chars: 2000, charsMax: 1000 },
  "bad-edit": { kind: "bad-edit", session: "api", line: 3, problem: HOSTILE },
  "builder-writes": { kind: "builder-writes", session: "api" },
  "bad-branch-name": { kind: "bad-branch-name", branch: HOSTILE },
  bare: { kind: "bare", directory: HOSTILE },
  "branch-checked-out": { kind: "branch-checked-out", branch: HOSTILE, directory: HOSTILE },
  "branch-exists": { kind: "branch-exists", branch: HOSTILE },
  "branch-rewritten": {
    kind: "branch-rewritten",
    session: "api",
    branch: "wisp/api",
    repository: "/repo",
    recorded: OID,
  },
  cassette: { kind: "cassette", path: HOSTILE, line: 3, key: HOSTILE, problem: HOSTILE },
  "cassette-missing": { kind: "cassette-missing", path: HOSTILE },
  config: {
    kind: "config",
    path: HOSTILE,
    problems: [{ kind: "syntax", line: 2, column: 7, problem: HOSTILE }],
  },
  "demo-directory": { kind: "demo-directory", directory: HOSTILE },
  "finding-closed": { kind: "finding-closed", session: "api", id: "COR-7f3a91" },
  "no-such-finding": { kind: "no-such-finding", session: "api", asked: HOSTILE, known: [] },
  "no-such-place": {
    kind: "no-such-place",
    branch: HOSTILE,
    file: HOSTILE,
    line: 4711,
    lines: 12,
  },
  "no-terminal": { kind: "no-terminal", session: "api", role: "builder" },
  "not-interactive": {
    kind: "not-interactive",
    role: "builder",
    engine: HOSTILE,
    directory: HOSTILE,
  },
  "engine-speaks": { kind: "engine-speaks" },
  "engine-missing": {
    kind: "engine-missing",
    key: "engine",
    name: "command",
    executable: HOSTILE,
  },
  "already-started": {
    kind: "already-started",
    session: "api",
    branch: HOSTILE,
    path: HOSTILE,
    stands: "running",
  },
  file: { kind: "file", operation: "append", path: HOSTILE, errno: "ENOSPC" },
  "home-damaged": {
    kind: "home-damaged",
    session: "demo",
    branch: "wisp/demo",
    odd: [{ path: "logs/builder.log", is: "link", expected: "file" }],
    lost: ["logs/tester.log"],
  },
  "home-removed": {
    kind: "home-removed",
    session: "demo",
    branch: "wisp/demo",
    repository: "/repository",
    missing: "/repository/.wisp/sessions/demo",
  },
  git: { kind: "git", operation: "branch", directory: HOSTILE, message: HOSTILE },
  "illegal-review": {
    kind: "illegal-review",
    session: "api",
    from: "REVISION_IN_PROGRESS",
    by: "approve",
    possible: ["finish", "give-up"],
  },
  "illegal-transition": {
    kind: "illegal-transition",
    session: "api",
    state: "complete",
    from: "DONE",
    by: "stop",
    possible: ["up", "reopen", "hand-in", "abandon"],
  },
  "lease-held": {
    kind: "lease-held",
    path: "/repo/.wisp/locks/builder.lock",
    holder: { pid: 4711, startTime: "1", since: "2026-11-20T12:00:00.000Z" },
  },
  "no-commits": { kind: "no-commits", directory: HOSTILE },
  "no-engine": { kind: "no-engine", executables: ["claude", "codex"] },
  "no-identity": { kind: "no-identity", missing: ["user.name", "user.email"] },
  "no-sandbox": { kind: "no-sandbox", wanted: "srt", reason: "srt is not installed" },
  "no-such-question": {
    kind: "no-such-question",
    session: "api",
    asked: HOSTILE,
    open: ["builder-1"],
  },
  "no-such-session": {
    kind: "no-such-session",
    asked: HOSTILE,
    repository: HOSTILE,
    sessions: [{ id: "api", branch: HOSTILE }],
  },
  "not-a-repository": { kind: "not-a-repository", directory: HOSTILE },
  "not-green": { kind: "not-green", session: "api", problems: [HOSTILE], next: [] },
  "not-reviewed": {
    kind: "not-reviewed",
    session: "api",
    later: { count: 2, by: HOSTILE, after: "f".repeat(40) },
  },
  "pull-request": { kind: "pull-request", session: "api", message: HOSTILE },
  remote: {
    ...{ kind: "remote", session: "api", branch: HOSTILE, remote: HOSTILE },
    ...{ why: "rejected", message: HOSTILE },
  },
  "session-closed": { kind: "session-closed", session: "api", how: "done", url: HOSTILE },
  "revision-unfinished": {
    kind: "revision-unfinished",
    session: "api",
    revision: "api/revision-1",
  },
  "is-revision": {
    ...{ kind: "is-revision", session: "api/revision-1" },
    ...{ parent: "api", asked: "revise" },
  },
  "nobody-to-ask": { kind: "nobody-to-ask", session: "api", missing: "approval" },
  "no-revision-plan": {
    ...{ kind: "no-revision-plan", session: "api" },
    ...{ reason: HOSTILE, problems: HOSTILE },
  },
  "revisions-spent": { kind: "revisions-spent", session: "api", max: 3 },
  "stale-diff": {
    kind: "stale-diff",
    session: "api",
    asked: `api@${HOSTILE}`,
    now: `api@${"0".repeat(40)}`,
  },
  "still-at-work": { kind: "still-at-work", session: "api", alive: ["builder"] },
  untrusted: { kind: "untrusted", command: "wisp start request.md --yes" },
  declined: { kind: "declined", command: "wisp abandon api --yes" },
  unconfirmed: { kind: "unconfirmed", command: "wisp abandon api --yes" },
  "nothing-asked": { kind: "nothing-asked", session: "api" },
  "request-binary": { kind: "request-binary", path: HOSTILE },
  "request-empty": { kind: "request-empty", path: HOSTILE },
  "request-missing": { kind: "request-missing", path: HOSTILE },
  "request-no-file": { kind: "request-no-file", path: HOSTILE },
  "request-plan": {
    kind: "request-plan",
    path: "/srv/prd.md",
    failure: { kind: "tasks", line: 3, problem: "the story US-002 is already at line 1" },
  },
  "request-too-large": { kind: "request-too-large", path: HOSTILE, bytesMax: 4 * 1024 * 1024 },
  reviewers: {
    kind: "reviewers",
    files: [
      { path: HOSTILE, problems: [{ kind: "syntax", line: 1, column: 1, problem: HOSTILE }] },
    ],
  },
  "session-damaged": { kind: "session-damaged", path: HOSTILE, problem: HOSTILE },
  "session-later": { kind: "session-later", path: HOSTILE, version: 3, madeBy: HOSTILE },
  "session-elsewhere": {
    kind: "session-elsewhere",
    id: "api",
    repository: HOSTILE,
    here: HOSTILE,
  },
  spawn: { kind: "spawn", executable: HOSTILE, errno: "ENOENT" },
  "supervisor-gone": { kind: "supervisor-gone", session: "api", said: HOSTILE, trouble: HOSTILE },
  tasks: { kind: "tasks", line: 12, problem: HOSTILE },
  "unknown-engine": {
    kind: "unknown-engine",
    key: "roles.tester.engine",
    name: HOSTILE,
    suggestion: "replay",
    known: ["replay"],
  },
  usage: { kind: "usage", problem: HOSTILE },
};

const KINDS = Object.values(FAILURES);

test.each(KINDS)("$kind is explained: what happened, and what to do next", (failure) => {
  const { code, message, hint, details, next, exitCode } = explain(failure);
  expect(code).toBe(failure.kind);
  expect(message).toMatch(/^\S.{10,}/);
  expect((hint ?? "").length + details.length + next.length).toBeGreaterThan(0);
  expect(Object.values<number>(EXIT).filter((known) => known !== EXIT.ok)).toContain(exitCode);
});

test.each(KINDS)("text of the world in $kind cannot act on the terminal", (failure) => {
  const { message, hint, details, next } = explain(failure);
  const lines = [message, hint ?? "", ...details, ...next];
  expect(lines.filter((line) => /[\p{Cc}\p{Cf}]/u.test(line))).toEqual([]);
});

const PROGRAMS = ["cat", "cd", "gh", "git", "kill", "npm", "wisp"];

test.each(KINDS)("what leads on from $kind is commands, and nothing else", (failure) => {
  const words = explain(failure).next.map((command) => command.split(" ")[0] ?? "");
  expect(words.filter((word) => !PROGRAMS.includes(word))).toEqual([]);
});

test("the exit codes are those of the table", () => {
  const codes = (kinds: readonly CliFailure["kind"][]) =>
    kinds.map((kind) => explain(FAILURES[kind]).exitCode);
  expect(codes(["config", "no-engine", "no-identity", "request-empty", "branch-exists"])).toEqual([
    2, 2, 2, 2, 2,
  ]);
  expect(codes(["no-such-session", "answer-missing", "branch-rewritten", "lease-held"])).toEqual([
    3, 4, 5, 6,
  ]);
  expect(codes(["file", "git", "spawn"])).toEqual([1, 1, 1]);
});

test("no identity names the two commands that set it", () => {
  expect(explain(FAILURES["no-identity"]).next).toEqual([
    'git config --global user.name "Your Name"',
    'git config --global user.email "you@example.com"',
  ]);
});

test("a mistake in the settings is told by line, column and key", () => {
  const problem = {
    kind: "unknown-key",
    line: 3,
    column: 1,
    key: "verfy",
    suggestion: "verify",
    known: [],
  } as const;
  const said = explain({ kind: "config", path: ".wisp/config.yaml", problems: [problem] });
  expect(said.details).toEqual([".wisp/config.yaml:3:1: unknown key verfy. Did you mean verify?"]);
  expect(said.next).toEqual([]);
});

test("a held lease names the process and since when", () => {
  const { message } = explain(FAILURES["lease-held"]);
  expect(message).toContain("process 4711, since 2026-11-20T12:00:00.000Z");
});

test("a rewritten branch comes with the command that puts it back, forced by the person alone", () => {
  const { next } = explain(FAILURES["branch-rewritten"]);
  expect(next[0]).toBe(`git -C /repo branch --force wisp/api ${OID}`);
});

test("no engine says what to install", () => {
  expect(explain(FAILURES["no-engine"]).next[0]).toContain("npm install");
});

test("a plan that did not come names what helps: the login of a CLI, or what a program of one's own printed", () => {
  const failure = {
    kind: "no-revision-plan",
    session: "api",
    reason: "exited with code 3",
    problems: "/s/problems.md",
    output: "/h/turn.err",
  } as const;
  const retry = "wisp revise api --file /s/problems.md";
  const own = explain({ ...failure, engine: "command" });
  expect(own.next).toEqual([retry, "cat /h/turn.err"]);
  expect(own.hint).toContain("WISP_PURPOSE=revise");
  const cli = explain({ ...failure, engine: "claude" });
  expect(cli.next).toEqual([retry, "cat /h/turn.err", "wisp engines --probe"]);
  expect(explain({ ...failure, output: undefined }).next).toEqual([retry]);
});

test("a failure that no command knows is still told, with its kind as the code", () => {
  const said = explainWorld({ kind: "meteor" });
  expect(said).toMatchObject({ code: "meteor", exitCode: EXIT.failure });
});
