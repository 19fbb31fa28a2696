import { readFileSync, writeFileSync } from "node:fs";
import { ROLES, type Role } from "../../../src/base/role.ts";
import type { TurnOutcome, TurnRequest } from "../../../src/engines/engine.ts";
import { checkSession } from "../../rig/check-session.ts";
import { commit, inProcessSession, put } from "../../rig/in-process-session.ts";
import { runKilled, type Kill } from "./killed-role.ts";
import { DONE, PASSED, tick } from "./rig.ts";
import { lastEndOf } from "../../../src/session/state/stage.ts";

/** Two findings in one file are fixed by one turn; the second is reopened, and fixed alone. */
function model(request: TurnRequest): TurnOutcome {
  const { cwd, purpose, unit, prompt } = request;
  switch (purpose) {
    case "plan":
      writeFileSync(request.tasksFile ?? "", "## Milestone: One\n\n- [ ] Say it\n");
      return DONE;
    case "build":
      put(cwd, "words.txt", "hullo one\nhullo two\n");
      commit(cwd, "Say it");
      tick(request, "Say it");
      return DONE;
    case "review-milestone":
      return needsWork(1, 2);
    case "fix":
      put(
        cwd,
        "words.txt",
        unit.includes("+") ? "hello one\nhallo two\n" : "hello one\nhello two\n",
      );
      return DONE;
    case "verify-fix":
      return unit.endsWith(":1") && prompt.includes("words.txt:2") ? needsWork(2) : PASSED;
    default:
      return PASSED;
  }
}

function needsWork(...lines: readonly number[]): TurnOutcome {
  const findings = lines.map((line, index) =>
    [
      `${String(index + 1)}. **X-${String(line)}**: Correctness - Word ${String(line)} is wrong`,
      `   - File: words.txt:${String(line)}`,
      "   - Issue: It says the wrong thing.",
      "   - Suggestion: Say the right thing.",
    ].join("\n"),
  );
  const head = "### Verdict: NEEDS_WORK\n\n### Findings\n\n";
  return { ...DONE, text: `${head}${findings.join("\n")}\n` };
}

const VERIFY = [["test", "!", "-e", "broken"]];

/** Runs a session with a batch while one of its roles is killed once; returns its final state. */
export async function batchRun(role: Role, kill: Kill) {
  using at = inProcessSession({ verify: VERIFY, policy: { fixBatchMax: 2 } });
  const turns: TurnRequest[] = [];
  const ends = await Promise.all(
    ROLES.map((other) =>
      runKilled(at, other, { kill: other === role ? kill : undefined, turns, model }),
    ),
  );
  const { history, broken } = checkSession(at.home.directory);
  const subjects = at.git("log", "--reverse", "--format=%s", "main..wisp/demo").split("\n");
  const progress = readFileSync(at.home.progress, "utf8");
  const fixes = turns.filter(({ purpose }) => purpose === "fix");
  return {
    wasKilled: ends.some(({ wasKilled }) => wasKilled),
    ends: ends.map(({ end }) => (end.kind === "ended" ? end.reason : end.kind)),
    broken,
    how: lastEndOf(history.builder.fold)?.how,
    subjects: subjects.map((subject) => subject.replace(/COR-[0-9a-f]{6}/g, "COR")),
    fixes: [...history.builder.fold.fixes.values()].map((tried) =>
      tried.map(({ outcome }) => outcome),
    ),
    entries: progress.match(/^\[Review Fix\].*correctness\/COR-[0-9a-f]{6}$/gm)?.length,
    reviews: readFileSync(at.home.reviews, "utf8")
      .split("\n")
      .slice(0, -1)
      .map((line) => line.split(" ")[0]),
    isTurnRepeatedOnce: fixes.length - new Set(fixes.map(({ unit }) => unit)).size <= 1,
    // The prompt for the verdict on one says that the commit fixes the other, too.
    claims:
      turns.filter(({ prompt }) => prompt.includes("which is also to settle COR-")).length > 0,
  };
}

/** The final state, whichever role was killed, and when. */
export const BATCH_END = {
  wasKilled: true,
  ends: ["done", "done", "done", "done"],
  broken: undefined,
  how: "complete",
  subjects: [
    "Say it",
    "fix(review): correctness - COR+COR - Word 1 is wrong; Word 2 is wrong",
    "fix(review): correctness - COR - Word 2 is wrong",
  ],
  fixes: [["fixed"], ["fixed", "fixed"]],
  entries: 3,
  reviews: ["OPEN", "OPEN", "CLOSED", "REOPENED", "CLOSED"],
  isTurnRepeatedOnce: true,
  claims: true,
};
