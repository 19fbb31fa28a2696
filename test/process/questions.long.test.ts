import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { homeIssues } from "../rig/home-issues.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";

/*
 * A person is notified of each question once; each departure from the request that an engine reports is recorded.
 */

const ASKS = String.raw`
  plan: (t) => t.plan("## Milestone: One\n\n- [ ] Say hello\n"),
  build(t) {
    if (!t.prompt.includes("The answer: ")) {
      t.say({ status: "NEEDS_INPUT", question: "Which <port>?" });
      return;
    }
    t.put("hello.txt", t.prompt.split("The answer: ")[1].split("\n")[0] + "\n");
    t.commit("Say hello");
    t.tick();
    t.say({ status: "DONE", divergence: [{ what: "Port is fixed.", reason: "You said so." }, 7] });
  },
  "review-milestone"(t) {
    t.passed();
    t.say({ status: "DONE", divergence: ["It says hello twice."] });
  },
`;

/** A session whose notifications are appended to a file, one line each. */
function asking(): ProcessSession {
  return processSession({
    scenario: ASKS,
    config: `notify: [sh, -c, 'printf "%s|%s\\n" "$1" "$WISP_QUESTION" >> "$WISP_TEST_ROOT/notices"', notify]`,
  });
}

function noticesOf({ root }: ProcessSession): readonly string[] {
  const path = join(root, "notices");
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").filter(Boolean) : [];
}

const ASKED = "wisp: a-request: the builder asks (builder-1): Which <port>?|builder-1";

test("a question is notified once, even across a restart, and answered once; then the session completes", async () => {
  await using session = asking();
  const notices = () => noticesOf(session);
  const ended = await session.wisp("start", "request.md");
  expect(ended).toMatchObject({ code: 4 });
  expect(ended.stdout).toContain("wisp answer a-request");
  expect(notices()).toEqual([ASKED]);
  expect(await session.wisp("up")).toMatchObject({ code: 4 });
  expect(notices()).toEqual([ASKED]);
  const { stdout } = await session.wisp("status", "wisp/a-request", "--json");
  expect(JSON.parse(stdout)).toMatchObject({
    state: "NEEDS_INPUT",
    stage: "asks",
    questions: [{ id: "builder-1", ask: "Which <port>?" }],
  });
  const before = session.read("logs/human.log");
  const dry = await session.wisp("answer", "a-request", "8080", "--dry-run");
  expect(dry.stderr).toContain("Would answer builder-1 of the builder: 8080");
  expect(session.read("logs/human.log")).toBe(before);
  expect(await session.wisp("stop")).toMatchObject({ code: 0 });
  expect(await session.wisp("answer", "wisp/a-request", "8080")).toMatchObject({ code: 0 });
  const second = await session.wisp("answer", "a-request", "builder-1", "9090");
  expect(second.stderr).toContain("is already answered; the first answer counts");
  expect(second.code).toBe(1);
  expect(await session.wisp("resume", "wisp/a-request")).toMatchObject({ code: 0 });
  expect(session.git("show", "wisp/a-request:hello.txt")).toBe("8080");
  expect(notices()).toHaveLength(2);
  expect(notices()[1]).toContain("wisp: a-request is complete: ");
  expect(await homeIssues(session.home())).toEqual([]);
  expectChanges(session);
});

/** CHANGES.md has each departure once, with its role, its milestone and the reason. */
function expectChanges(session: ProcessSession): void {
  const lines = session.read("CHANGES.md").split("\n").filter(Boolean);
  const bare = lines.map((line) => line.replace(/^- \S+ \S+ UTC, /, "").replace(/ \[\S+\]$/, ""));
  expect(bare).toEqual([
    'builder, "One": Port is fixed. Reason: You said so.',
    'reviewer, "One": It says hello twice.',
  ]);
}

test("fsck --repair writes lines that CHANGES.md lacks, and none twice", async () => {
  await using session = asking();
  expect(await session.wisp("start", "request.md")).toMatchObject({ code: 4 });
  expect(await session.wisp("answer", "a-request", "8080")).toMatchObject({ code: 0 });
  await session.wisp("up");
  expectChanges(session);
  const path = join(session.home(), "CHANGES.md");
  const text = readFileSync(path, "utf8");
  writeFileSync(path, "");
  expect(await session.wisp("fsck", "--repair")).toMatchObject({ code: 0 });
  expect(readFileSync(path, "utf8").split("\n").sort()).toEqual(text.split("\n").sort());
  await session.wisp("fsck", "--repair");
  expectChanges(session);
});
