import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { TurnOutcome, TurnRequest } from "../../src/engines/engine.ts";
import { commit, inProcessSession, put } from "../rig/in-process-session.ts";
import { lastEndOf } from "../../src/session/state/stage.ts";

const DONE = { kind: "ended", status: "DONE", summary: "", text: "" } as const;
const PASSED: TurnOutcome = { ...DONE, text: "### Verdict: PASSED\n\n### Findings\n\nNone\n" };
const NEEDS_WORK: TurnOutcome = {
  ...DONE,
  text: [
    "### Verdict: NEEDS_WORK",
    "",
    "### Findings",
    "",
    "1. **X-1**: Correctness - It is wrong",
    "   - File: hello.txt:1",
    "   - Issue: It says the wrong thing.",
    "   - Suggestion: Say the right thing.",
    "",
  ].join("\n"),
};

/** Builds, reports one finding, fixes it differently each time, and never accepts a fix. */
function neverContent({ cwd, purpose, unit, tasksFile = "" }: TurnRequest): TurnOutcome {
  switch (purpose) {
    case "plan":
      writeFileSync(tasksFile, "## Milestone: One\n\n- [ ] Say hello\n");
      return DONE;
    case "build":
      put(cwd, "hello.txt", "hullo\n");
      commit(cwd, "Say hello");
      writeFileSync(tasksFile, readFileSync(tasksFile, "utf8").replace("[ ]", "[x]"));
      return DONE;
    case "review-milestone":
    case "verify-fix":
      return NEEDS_WORK;
    case "fix":
      put(cwd, "hello.txt", `hello, ${unit}\n`);
      return DONE;
    default:
      return PASSED;
  }
}

test("an item of which every fix is reopened counts as failed, and the session ends stuck", async () => {
  using session = inProcessSession({ policy: { fixAttemptsMax: 2 } });
  await session.runAll(neverContent);
  const { builder, reviewer } = await session.state();
  const [id = ""] = reviewer.open;
  expect(lastEndOf(builder)).toMatchObject({ how: "stuck", open: [id] });
  const entries = readFileSync(session.home.progress, "utf8")
    .split("\n")
    .filter((line) => line.startsWith("[Review Fix"))
    .map((line) => line.replace(/ \d{4}-.* - /u, " "));
  expect(entries).toEqual([
    `[Review Fix] correctness/${id}`,
    `[Review Fix Reopened] correctness/${id}`,
    `[Review Fix] correctness/${id}`,
    `[Review Fix Failed] correctness/${id}`,
  ]);
});
