import { expect, test } from "vitest";
import { processSession } from "../rig/process-session.ts";

/** Builds the task, and also commits unusual things; so does the tester, after the milestone was reviewed. */
const BRINGS = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
  async build(t) {
    const { mkdirSync, symlinkSync } = await import("node:fs");
    t.put("hello.txt", "hello\n");
    t.commit("Say hello");
    mkdirSync("docs");
    symlinkSync("../../../../secrets", "docs/\u001B[31mnew\nline");
    symlinkSync("../hello.txt", "docs/fine");
    t.put("video.bin", "x".repeat(6 * 1024 * 1024));
    t.git("add", "-A");
    t.git("-c", "user.name=@eve <x>", "-c", "user.email=eve@example.org", "commit", "-qm", "Say more", "--date=2001-01-01T00:00:00Z");
    t.tick();
  },
  async test(t) {
    const { mkdirSync, symlinkSync } = await import("node:fs");
    mkdirSync("test");
    symlinkSync("/etc/hosts", "test/hosts");
    t.passed();
  },
`;

test("unusual commits are noted once, and named at the end, in the status and in the pull request", async () => {
  await using session = processSession({ scenario: BRINGS });
  const { code, stdout } = await session.wisp("start", "request.md");
  expect(code).toBe(0);
  const branch = session.git("for-each-ref", "--format=%(refname)", "refs/heads/wisp");
  const log = session.git("log", "--reverse", "--format=%h %ae", "--abbrev=7", `main..${branch}`);
  const by = log.split("\n").find((line) => line.endsWith("eve@example.org")) ?? "";
  const sha = by.slice(0, 7);
  const named = [
    `docs/new line -> ../../../../secrets (link that leaves the repository): ${sha}`,
    "test/hosts -> /etc/hosts (link to an absolute path): ",
    `video.bin (6.0 MiB, which stay in the history): ${sha}`,
    `@eve x <eve@example.org> (author or committer who is not you): ${sha}`,
    `commits dated more than a day before what they build on: ${sha}`,
  ];
  const status = await session.wisp("status");
  const done = await session.wisp("done", "--dry-run", "--no-push");
  for (const text of [stdout, status.stdout, done.stdout]) {
    for (const line of named) expect(text).toContain(line);
    expect(text).not.toContain("docs/fine");
  }
  const view = await session.wisp("done", "--dry-run", "--no-push", "--json");
  const read: unknown = JSON.parse(view.stdout);
  expect(read).toMatchObject({ unusual: [{ kind: "link", end: "outside" }, {}, {}, {}, {}] });
  const body = typeof read === "object" && read !== null && "body" in read ? String(read.body) : "";
  expect(body).toContain("## What is unusual about the commits");
  expect(body).toContain(
    `- \`@eve x <eve@example.org>\` (author or committer who is not you): ${sha}`,
  );
  const notes = session.read("logs/reviewer.log").match(/ note text="Check in [^\n]*/g) ?? [];
  expect(notes).toHaveLength(4);
  expect(notes[0]).toContain("docs/new line -> ../../../../secrets");
  // The tester's commits belong to no milestone, so only the session's end names them.
  expect(notes.join("\n")).not.toContain("hosts");
});
