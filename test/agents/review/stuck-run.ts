import { readFileSync, writeFileSync } from "node:fs";
import { ROLES } from "../../../src/base/role.ts";
import type { TurnOutcome, TurnRequest } from "../../../src/engines/engine.ts";
import { checkSession } from "../../rig/check-session.ts";
import { commit, inProcessSession, put } from "../../rig/in-process-session.ts";
import { runKilled, type Kill } from "./killed-role.ts";
import { DONE, PASSED, tick } from "./rig.ts";
import { lastEndOf } from "../../../src/session/state/stage.ts";

const WORDS = "The door is locked: take the window.";

/** Milestone One makes no progress, and is set aside after three attempts; the fourth follows the hint. */
function model(request: TurnRequest): TurnOutcome {
  const { cwd, purpose, milestone = "", attempt, prompt } = request;
  switch (purpose) {
    case "plan":
      writeFileSync(
        request.tasksFile ?? "",
        "## Milestone: One\n\n- [ ] Say One\n\n## Milestone: Two\n\n- [ ] Say Two\n",
      );
      return DONE;
    case "build":
      if (milestone === "One" && (attempt < 4 || !prompt.includes(WORDS))) return DONE;
      put(cwd, `${milestone}.txt`, `${milestone}\n`);
      commit(cwd, `Say ${milestone}`);
      tick(request, `Say ${milestone}`);
      return DONE;
    case "stuck-hint":
      put(cwd, "tried.txt", "a window?\n");
      commit(cwd, "Try the window");
      put(cwd, "left.txt", "left behind\n");
      return { ...DONE, text: `${WORDS}\n{"status":"DONE","summary":"Looked."}\n` };
    default:
      return PASSED;
  }
}

/** Runs a session with a stuck milestone whose builder is killed once; returns its final state. */
export async function stuckRun(kill: Kill) {
  using at = inProcessSession({ policy: { stuck: { hint: 2, skip: 3, pause: 5 } } });
  const turns: TurnRequest[] = [];
  const ends = await Promise.all(
    ROLES.map((role) =>
      runKilled(at, role, { kill: role === "builder" ? kill : undefined, turns, model }),
    ),
  );
  const { history, broken } = checkSession(at.home.directory);
  const { records, fold } = history.builder;
  const hints = turns.filter(({ purpose }) => purpose === "stuck-hint");
  const told = turns.filter(({ purpose, prompt }) => purpose === "build" && prompt.includes(WORDS));
  return {
    wasKilled: ends.some(({ wasKilled }) => wasKilled),
    ends: ends.map(({ end }) => (end.kind === "ended" ? end.reason : end.kind)),
    broken,
    how: lastEndOf(fold)?.how,
    milestones: fold.milestones.map(({ name }) => name),
    attempts: records.flatMap((record) => (record.kind === "build.end" ? [record.unit] : [])),
    hints: records.flatMap((record) => (record.kind === "hint.end" ? [record.text] : [])),
    units: [...new Set(hints.map(({ unit }) => unit))],
    isTurnRepeatedOnce: hints.length <= 2,
    told: [...new Set(told.map(({ unit }) => unit))],
    file: readFileSync(at.home.stuckHint, "utf8"),
    subjects: at.git("log", "--reverse", "--format=%s", "main..wisp/demo").split("\n"),
    files: at.git("ls-tree", "--name-only", "wisp/demo", "tried.txt", "left.txt"),
  };
}

/** The final state, whenever the builder was killed. */
export const STUCK_END = {
  wasKilled: true,
  ends: ["done", "done", "done", "done"],
  broken: undefined,
  how: "complete",
  milestones: ["Two", "One"],
  attempts: ["build:One:1", "build:One:2", "build:One:3", "build:Two:1", "build:One:4"],
  hints: [WORDS],
  units: ["hint:One:2"],
  isTurnRepeatedOnce: true,
  told: ["build:One:3", "build:One:4"],
  file: `# Stuck hint\n\nMilestone "One", after 2 attempts in a row without progress.\n\n${WORDS}\n`,
  subjects: ["Say Two", "Say One"],
  files: "",
};
