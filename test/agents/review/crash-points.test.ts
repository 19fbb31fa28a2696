import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startRole } from "../../../src/agents/start-role.ts";
import type { Files } from "../../../src/base/files.ts";
import { ROLES, type Role } from "../../../src/base/role.ts";
import type { TurnOutcome, TurnRequest } from "../../../src/engines/engine.ts";
import { createHost } from "../../../src/host/host.ts";
import { checkSession } from "../../rig/check-session.ts";
import {
  commit,
  inProcessSession,
  put,
  type InProcessSession,
} from "../../rig/in-process-session.ts";
import { DONE, found, PASSED, tick } from "./rig.ts";

/** Thrown where a process would have been killed. */
class Killed extends Error {}

/** Files that are gone just before the n-th write of the process. */
function filesUntil(files: Files, writes: { left: number }): Files {
  const count = () => {
    writes.left -= 1;
    if (writes.left === 0) throw new Killed("killed");
  };
  return {
    readChunk: (...args) => files.readChunk(...args),
    read: (...args) => files.read(...args),
    stat: (...args) => files.stat(...args),
    list: (...args) => files.list(...args),
    remove: (...args) => files.remove(...args),
    makeDirectory: (...args) => files.makeDirectory(...args),
    append: (...args) => {
      count();
      return files.append(...args);
    },
    replace: (...args) => {
      count();
      return files.replace(...args);
    },
    create: (...args) => {
      count();
      return files.create(...args);
    },
  };
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
      return milestone === "Two" ? found("Bug", "thanks.txt") : PASSED;
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

/** Runs a role; killed before its n-th write, it is started again at once, as by a supervisor. */
async function run(at: InProcessSession, role: Role, killedAt: number, turns: TurnRequest[]) {
  const writes = { left: killedAt };
  for (;;) {
    const host = createHost();
    const { directories, clock, watcher, processes, locks } = host;
    const files = filesUntil(host.files, writes);
    const ended = startRole(role, {
      host: { files, directories, clock, watcher, processes, locks },
      home: at.home,
      session: at.session,
      engine: {
        name: "script",
        turn: (request) => {
          turns.push(request);
          return Promise.resolve(model(request));
        },
      },
      templates: [join(import.meta.dirname, "../../../templates")],
      env: { PATH: process.env["PATH"] ?? "", GIT_CONFIG_GLOBAL: "/dev/null", HOME: at.repository },
      pid: process.pid,
      stop: new AbortController(),
    });
    try {
      const end = await ended;
      return { end, wasKilled: writes.left <= 0 };
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
    }
  }
}

const SUBJECTS = [
  "Say goodbye",
  "Say hello",
  "Say thanks",
  "fix(bug)",
  "fix(review)",
  "test: cover One",
  "test: cover Two",
];

async function killOnce(role: Role, killedAt: number): Promise<boolean> {
  using at = inProcessSession({ verify: VERIFY });
  const turns: TurnRequest[] = [];
  const ends = await Promise.all(
    ROLES.map((other) => run(at, other, other === role ? killedAt : 0, turns)),
  );
  const where = `${role} killed before write ${String(killedAt)}`;
  expect(
    ends.map(({ end }) => end),
    where,
  ).toEqual(ROLES.map(() => ({ kind: "ended", reason: "done" })));
  const { history, broken } = checkSession(at.home.directory);
  expect(broken, where).toBeUndefined();
  expect(history.builder.fold.done?.how, where).toBe("complete");
  const subjects = at.git("log", "--format=%s", "main..wisp/demo").split("\n");
  const known = subjects.map((subject) => subject.replace(/^(fix\(\w+\)).*/, "$1"));
  expect(known.sort(), where).toEqual(SUBJECTS);
  const lines = (path: string) => readFileSync(path, "utf8").split("\n").slice(0, -1);
  expect(
    lines(at.home.milestones).map((line) => line.split("|")[0]),
    where,
  ).toEqual(["One", "Two"]);
  expect(lines(at.home.testerMilestone).length, where).toBe(2);
  expect(lines(at.home.reviewerMilestone).length, where).toBe(2);
  expect(
    lines(at.home.reviews).map((line) => line.split(" ")[0]),
    where,
  ).toEqual(["OPEN", "CLOSED"]);
  expect(
    lines(at.home.bugs).map((line) => line.split(" ")[0]),
    where,
  ).toEqual(["OPEN", "CLOSED"]);
  expect(
    lines(at.home.builderDone).map((line) => line.split("|")[0]),
    where,
  ).toEqual(["final", "complete"]);
  const progress = readFileSync(at.home.progress, "utf8");
  expect(progress.match(/^\[Review Fix\]/gm)?.length, where).toBe(2);
  expect(readFileSync(at.home.tasks, "utf8"), where).toBe(PLAN.replaceAll("[ ]", "[x]"));
  // One turn of each unit and attempt, and one more where it was interrupted.
  expect(turns.length - new Set(turns.map(({ unit }) => unit)).size, where).toBeLessThanOrEqual(1);
  return ends.some(({ wasKilled }) => wasKilled);
}

const [first = 1, step = 9] = (process.env["WISP_CRASH_POINTS"] ?? "3,11").split(",").map(Number);

for (const role of ROLES) {
  test(`the ${role} killed between two writes goes on where it was, and the files end the same`, async () => {
    for (let at = first; await killOnce(role, at); at += step);
  }, 900_000);
}
