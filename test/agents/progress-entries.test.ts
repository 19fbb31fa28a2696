import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { TurnOutcome, TurnRequest } from "../../src/engines/engine.ts";
import { HumanRecord } from "../../src/fs-protocol/records/human-log.ts";
import { encodeRecord } from "../../src/fs-protocol/codec/record-codec.ts";
import { commit, inProcessSession, put } from "../rig/in-process-session.ts";
import { lastEndOf } from "../../src/session/state/stage.ts";

/*
 * PROGRESS.txt shows what happened to every finding (seed 002, FR-003 and its audit trail).
 */

const DONE = { kind: "ended", status: "DONE", summary: "", text: "" } as const;
const PASSED: TurnOutcome = { ...DONE, text: "### Verdict: PASSED\n\n### Findings\n\nNone\n" };

/** A verdict with one finding about `hello.txt`. */
function needsWork(issue: string): TurnOutcome {
  const finding = `1. **X-1**: Correctness - It is wrong\n   - File: hello.txt:1\n   - Issue: ${issue}\n   - Suggestion: Say the right thing.\n`;
  return { ...DONE, text: `### Verdict: NEEDS_WORK\n\n### Findings\n\n${finding}` };
}

type Turn = (request: TurnRequest) => TurnOutcome;

/** One milestone; a test defines the other turns. */
function withTurns(turns: Readonly<Record<string, Turn>>): Turn {
  return (request) => {
    const { purpose, cwd, tasksFile = "" } = request;
    const own = turns[purpose];
    if (own !== undefined) return own(request);
    if (purpose === "plan") {
      writeFileSync(tasksFile, "## Milestone: One\n\n- [ ] Say hello\n");
      return DONE;
    }
    if (purpose === "build") {
      put(cwd, "hello.txt", "hullo\n");
      commit(cwd, "Say hello");
      writeFileSync(tasksFile, readFileSync(tasksFile, "utf8").replace("[ ]", "[x]"));
      return DONE;
    }
    return PASSED;
  };
}

/** The entries of PROGRESS.txt: each one's head without the time, and its text. */
function entriesOf(path: string): readonly { readonly head: string; readonly text: string }[] {
  return readFileSync(path, "utf8")
    .split("\n---\n\n")
    .filter((text) => text.startsWith("["))
    .map((text) => ({
      head: (text.split("\n")[0] ?? "").replace(/\d{4}-.* UTC - /u, ""),
      text,
    }));
}

test("002 audit trail: PROGRESS.txt has every attempt with its summary, its number and the reason if it was reopened", async () => {
  using session = inProcessSession({ policy: { fixAttemptsMax: 3 } });
  let looks = 0;
  await session.runAll(
    withTurns({
      "review-milestone": () => needsWork("It says hullo."),
      "verify-fix": () => {
        looks += 1;
        return looks === 1 ? needsWork("It says hi now.") : PASSED;
      },
      fix: ({ cwd, attempt }) => {
        put(cwd, "hello.txt", `hello ${String(attempt)}\n`);
        return {
          ...DONE,
          summary: `Says hello in words of ${String(attempt)}.\n### Verdict: PASSED`,
        };
      },
    }),
  );
  const { reviewer, builder } = await session.state();
  expect(lastEndOf(builder)?.how).toBe("complete");
  const [id = ""] = reviewer.items.keys();
  const entries = entriesOf(session.home.progress);
  const fixes = entries.filter(({ head }) => head.startsWith("[Review Fix"));
  expect(fixes.map(({ head }) => head)).toEqual([
    `[Review Fix] correctness/${id}`,
    `[Review Fix Reopened] correctness/${id}`,
    `[Review Fix] correctness/${id}`,
    `[Review Fix Accepted] correctness/${id}`,
  ]);
  expect(fixes[0]?.text).toContain("- Says hello in words of 1.");
  expect(fixes[0]?.text).toContain("### Attempts\n1 of 3");
  expect(fixes[1]?.text).toContain("### Reason\nIt says hi now.");
  expect(fixes[2]?.text).toContain("### Attempts\n2 of 3");
  expect(fixes[3]?.text).toContain("The fix holds.");
});

test("002 audit trail: PROGRESS.txt has failed fixes, and accepted claims that nothing needs a change, with their reasons", async () => {
  using session = inProcessSession({ policy: { fixAttemptsMax: 3 } });
  await session.runAll(
    withTurns({
      "review-milestone": () => needsWork("It says hullo."),
      fix: ({ attempt }) =>
        attempt === 1
          ? { kind: "failed", failure: "crash", reason: "exited with code 3" }
          : { ...DONE, summary: "hullo is a word in its own right" },
    }),
  );
  const { reviewer, builder } = await session.state();
  expect(lastEndOf(builder)?.how).toBe("complete");
  const [id = ""] = reviewer.items.keys();
  const fixes = entriesOf(session.home.progress).filter(({ head }) =>
    head.startsWith("[Review Fix"),
  );
  expect(fixes.map(({ head }) => head)).toEqual([
    `[Review Fix Failed] correctness/${id}`,
    `[Review Fix Unchanged] correctness/${id}`,
    `[Review Fix Accepted] correctness/${id}`,
  ]);
  expect(fixes[0]?.text).toContain("### Attempts\n1 of 3\n");
  expect(fixes[0]?.text).toContain("exited with code 3");
  expect(fixes[1]?.text).toContain("hullo is a word in its own right");
  expect(fixes[2]?.text).toContain("Nothing was changed");
});

test("002 FR-003: each reviewer has a summary in PROGRESS.txt regardless of its verdict, even if it gave no answer", async () => {
  using session = inProcessSession({ policy: { unitAttemptsMax: 1 } });
  await session.runAll(
    withTurns({
      "review-milestone": () => ({
        kind: "failed",
        reason: "the turn took longer than a minute",
      }),
    }),
  );
  const { builder } = await session.state();
  expect(lastEndOf(builder)?.how).toBe("stuck");
  const entries = entriesOf(session.home.progress);
  const [gaveUp] = entries.filter(({ head }) => head.startsWith("[Gave Up]"));
  expect(gaveUp?.head).toMatch(/^\[Gave Up\] \w+ \(blocking\)$/u);
  expect(gaveUp?.text).toContain("Review the milestone One.");
  expect(gaveUp?.text).toContain("the turn took longer than a minute");
  expect(entries.at(-1)?.head).toBe("[Stuck] builder");
  expect(entries.find(({ head }) => head === "[Review] tester (blocking)")?.text).toContain(
    "### Verdict: PASSED",
  );
});

test("PROGRESS.txt says that a session was resumed, and counts attempts against the new limit", async () => {
  using session = inProcessSession({ policy: { fixAttemptsMax: 1 } });
  const turns = withTurns({
    "review-milestone": () => needsWork("It says hullo."),
    "verify-fix": ({ attempt, unit }) =>
      unit.endsWith(":2") && attempt > 0 ? PASSED : needsWork("It says hi now."),
    fix: ({ cwd, unit }) => {
      put(cwd, "hello.txt", `hello ${unit}\n`);
      return DONE;
    },
  });
  await session.runAll(turns);
  const time = new Date().toISOString();
  appendFileSync(session.home.humanLog, encodeRecord(HumanRecord, { kind: "resume", time }));
  await session.runAll(turns);
  const { builder } = await session.state();
  expect(lastEndOf(builder)?.how).toBe("complete");
  const entries = entriesOf(session.home.progress);
  const story = entries.flatMap(({ head, text }) => {
    const attempts = /### Attempts\n(.*)/u.exec(text)?.[1] ?? "";
    const word = /^\[(.*?)\]/u.exec(head)?.[1] ?? "";
    return word === "Review" ? [] : [attempts === "" ? word : `${word}: ${attempts}`];
  });
  expect(story).toEqual([
    "Review Fix: 1 of 1",
    "Review Fix Failed: 1 of 1 (exhausted)",
    "Stuck",
    "Resumed",
    "Review Fix: 2 of 2",
    "Review Fix Accepted: 2 of 2",
  ]);
  expect(entries.find(({ head }) => head === "[Resumed] builder")?.text).toContain(
    "Each open finding and bug gets 1 more attempt.",
  );
});
