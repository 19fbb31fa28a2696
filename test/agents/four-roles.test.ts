import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { TurnOutcome, TurnRequest } from "../../src/engines/engine.ts";
import { commit, inProcessSession, put } from "../rig/in-process-session.ts";
import { lastEndOf } from "../../src/session/state/stage.ts";

const DONE = { kind: "ended", status: "DONE", summary: "", text: "" } as const;
const PASSED: TurnOutcome = { ...DONE, text: "### Verdict: PASSED\n\n### Findings\n\nNone\n" };

function needsWork(category: string, file: string, command = "true"): TurnOutcome {
  return {
    ...DONE,
    text: [
      "### Verdict: NEEDS_WORK",
      "",
      "### Findings",
      "",
      `1. **X-1**: ${category} - It is wrong`,
      `   - File: ${file}:1`,
      "   - Issue: It says the wrong thing.",
      "   - Suggestion: Say the right thing.",
      `   - Command: ${command}`,
      "",
    ].join("\n"),
  };
}

function tick(request: TurnRequest, task: string): void {
  const path = request.tasksFile ?? "";
  const text = readFileSync(path, "utf8");
  writeFileSync(path, text.replace(`- [ ] ${task}`, `- [x] ${task}`));
}

const PLAN = `## Milestone: One

- [ ] Say hello
- [ ] Say goodbye

## Milestone: Two

- [ ] Say thanks
`;

function model(request: TurnRequest): TurnOutcome {
  const { cwd, purpose, milestone, attempt, unit } = request;
  switch (purpose) {
    case "plan":
      writeFileSync(request.tasksFile ?? "", PLAN);
      return DONE;
    case "build":
      if (milestone === "One" && attempt === 1) {
        put(cwd, "hello.txt", "hullo\n");
        commit(cwd, "Say hello");
        tick(request, "Say hello");
      } else if (milestone === "One") {
        put(cwd, "goodbye.txt", "goodbye\n");
        commit(cwd, "Say goodbye");
        tick(request, "Say goodbye");
      } else {
        put(cwd, "thanks.txt", "thanks\n");
        tick(request, "Say thanks");
      }
      return DONE;
    case "review-milestone":
      return milestone === "One" ? needsWork("Correctness", "hello.txt") : PASSED;
    case "test":
      put(cwd, `test/${milestone ?? ""}.txt`, "tested\n");
      return milestone === "Two"
        ? needsWork("Bug", "thanks.txt", "grep -q you thanks.txt")
        : PASSED;
    case "fix":
      if (unit.startsWith("fix:COR-")) put(cwd, "hello.txt", "hello\n");
      else put(cwd, "thanks.txt", "thank you\n");
      return DONE;
    default:
      return PASSED;
  }
}

test("four roles that communicate only by files turn a request into a finished branch", async () => {
  using session = inProcessSession({
    verify: [[process.execPath, "-e", "process.exit(require('fs').existsSync('broken') ? 1 : 0)"]],
  });
  const ends = await session.runAll(model);
  expect(ends).toEqual(Array.from({ length: 4 }, () => ({ kind: "ended", reason: "done" })));
  const { builder, reviewer, tester } = await session.state();
  expect(lastEndOf(builder)?.how).toBe("complete");
  expect(builder.milestones.map(({ name }) => name)).toEqual(["One", "Two"]);
  expect(reviewer.open.size + tester.open.size).toBe(0);
  expect(session.git("show", "wisp/demo:hello.txt")).toBe("hello");
  expect(session.git("show", "wisp/demo:thanks.txt")).toBe("thank you");
});
