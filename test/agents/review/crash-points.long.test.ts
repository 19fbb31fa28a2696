import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ROLES, type Role } from "../../../src/base/role.ts";
import type { TurnOutcome, TurnRequest } from "../../../src/engines/engine.ts";
import { checkSession } from "../../rig/check-session.ts";
import { commit, inProcessSession, put } from "../../rig/in-process-session.ts";
import { runKilled } from "./killed-role.ts";
import { DONE, found, PASSED, tick } from "./rig.ts";
import { lastEndOf } from "../../../src/session/state/stage.ts";

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
        tick(request, "Say goodbye");
      } else {
        put(cwd, "thanks.txt", "thanks\n");
        tick(request, "Say thanks");
      }
      return DONE;
    case "review-milestone":
      return milestone === "One" ? found("Correctness", "hello.txt") : PASSED;
    case "test":
      put(cwd, `test/${milestone ?? ""}.txt`, "tested\n");
      return milestone === "Two" ? found("Bug", "thanks.txt", "grep -q you thanks.txt") : PASSED;
    case "fix":
      if (unit.startsWith("fix:COR-")) put(cwd, "hello.txt", "hello\n");
      else put(cwd, "thanks.txt", "thank you\n");
      return DONE;
    default:
      return PASSED;
  }
}

const VERIFY = [
  [process.execPath, "-e", "process.exit(require('fs').existsSync('broken') ? 1 : 0)"],
];

/** The final state, which must be the same whichever role was killed, and when. */
async function endOf(role: Role, killedAt: number) {
  using at = inProcessSession({ verify: VERIFY });
  const turns: TurnRequest[] = [];
  const ends = await Promise.all(
    ROLES.map((other) =>
      runKilled(at, other, { kill: other === role ? { nth: killedAt } : undefined, turns, model }),
    ),
  );
  const { history, broken } = checkSession(at.home.directory);
  const subjects = at.git("log", "--format=%s", "main..wisp/demo").split("\n");
  const firstWords = (path: string, separator: string) =>
    readFileSync(path, "utf8")
      .split("\n")
      .slice(0, -1)
      .map((line) => line.split(separator)[0]);
  return {
    killed: `${role} before write ${String(killedAt)}`,
    wasKilled: ends.some(({ wasKilled }) => wasKilled),
    ends: ends.map(({ end }) => (end.kind === "ended" ? end.reason : end.kind)),
    broken,
    how: lastEndOf(history.builder.fold)?.how,
    subjects: subjects.map((subject) => subject.replace(/^(fix\(\w+\)).*/, "$1")).sort(),
    milestones: firstWords(at.home.milestones, "|"),
    tested: firstWords(at.home.testerMilestone, "|").length,
    reviewed: firstWords(at.home.reviewerMilestone, "|").length,
    reviews: firstWords(at.home.reviews, " "),
    bugs: firstWords(at.home.bugs, " "),
    done: firstWords(at.home.builderDone, "|"),
    fixes: readFileSync(at.home.progress, "utf8").match(/^\[Review Fix\]/gm)?.length,
    tasks: readFileSync(at.home.tasks, "utf8"),
    // One turn per unit, and one more for the interrupted one.
    isTurnRepeatedOnce: turns.length - new Set(turns.map(({ unit }) => unit)).size <= 1,
  };
}

const EXPECTED = {
  wasKilled: true,
  ends: ["done", "done", "done", "done"],
  broken: undefined,
  how: "complete",
  subjects: [
    "Say goodbye",
    "Say hello",
    "Say thanks",
    "fix(bug)",
    "fix(review)",
    "test: cover One",
    "test: cover Two",
  ],
  milestones: ["One", "Two"],
  tested: 2,
  reviewed: 2,
  reviews: ["OPEN", "CLOSED"],
  // The bug's command and its output are below its first line.
  bugs: ["OPEN", "", "", "CLOSED"],
  done: ["final", "complete"],
  fixes: 2,
  tasks: PLAN.replaceAll("[ ]", "[x]"),
  isTurnRepeatedOnce: true,
};

/** Each is a write before which a record exists, but its consequences do not. */
const MOMENTS: { readonly [R in Role]: readonly number[] } = {
  planner: [3],
  builder: [9, 23],
  reviewer: [6],
  tester: [5],
};
const CHOSEN = process.env["WISP_CRASH_POINTS"]?.split(",").map(Number);

for (const role of ROLES) {
  for (const killedAt of CHOSEN ?? MOMENTS[role]) {
    test(`the ${role}, killed before its write ${String(killedAt)}, continues, and the session ends in the same state`, async () => {
      expect(await endOf(role, killedAt)).toMatchObject(EXPECTED);
    });
  }
}
