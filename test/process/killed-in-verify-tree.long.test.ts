import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { endState, leftBehind } from "../rig/end-state.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import { workingBubblewrap } from "../rig/sandboxed.ts";
import { ONE_TASK } from "./scenarios.ts";

const bubblewrap = await workingBubblewrap();

/** The commands that run in a verify tree, in this order. */
const STAGES = ["setup", "build", "verify"] as const;
type Stage = (typeof STAGES)[number];

/**
 * One stage: it does half of its work, waits while it is held, and does the rest. It notes if it finds anything that
 * an interrupted stage left behind.
 */
const STAGE = String.raw`
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
const stage = process.argv[2];
const { PROOFS } = process.env;
const [, tree] = /\/verify\/(\d+)\/tree$/u.exec(process.cwd()) ?? [];
const note = (text) => tree && appendFileSync(PROOFS + "/" + stage, text + " in " + tree + "\n");
const made = { setup: "node_modules/dep", build: "dist", verify: "checked" };
const halves = Object.values(made).filter((path) => existsSync(path + "/half"));
const isBefore = existsSync(made[stage]);
note(isBefore || halves.length > 0 ? "not alone" : "begun");
if (stage !== "setup" && readFileSync("node_modules/dep/index.js", "utf8") !== "whole") process.exit(3);
if (stage === "verify" && readFileSync("dist/main.js", "utf8") !== "built") process.exit(4);
mkdirSync(made[stage], { recursive: true });
writeFileSync(made[stage] + "/half", "");
while (tree && existsSync(PROOFS + "/hold-" + stage)) await sleep(20);
note("ended");
if (stage === "setup") writeFileSync("node_modules/dep/index.js", "whole");
if (stage === "build") writeFileSync("dist/main.js", "built");
rmSync(made[stage] + "/half");
`;

interface Staged {
  readonly session: ProcessSession;
  /** The notes of one stage, in order. */
  readonly notes: (stage: Stage) => readonly string[];
  readonly release: (stage: Stage) => void;
}

/** A session whose stages are held from the beginning, or not. */
function staged(sandbox: string, isHeld: boolean): Staged {
  const command = (stage: Stage) => `${stage}: [node, stage.mjs, ${stage}]\n`;
  const session = processSession({
    scenario: ONE_TASK,
    sandbox,
    files: { "stage.mjs": STAGE, ".gitignore": "node_modules/\ndist/\n" },
    config: `${STAGES.map(command).join("")}commands: { env: [PROOFS] }\n`,
  });
  const proofs = join(session.env["HOME"] ?? "", "proofs");
  mkdirSync(proofs);
  session.env["PROOFS"] = proofs;
  for (const stage of isHeld ? STAGES : []) writeFileSync(join(proofs, `hold-${stage}`), "");
  return {
    session,
    notes(stage) {
      const path = join(proofs, stage);
      return existsSync(path) ? readFileSync(path, "utf8").trimEnd().split("\n") : [];
    },
    release: (stage) => rmSync(join(proofs, `hold-${stage}`)),
  };
}

/** Kills the builder, but not the command that it waits for. */
function killBuilder({ home }: ProcessSession): void {
  const holder: unknown = JSON.parse(readFileSync(join(home(), "locks/builder.lock.json"), "utf8"));
  if (typeof holder !== "object" || holder === null || !("pid" in holder))
    throw new Error("nobody");
  process.kill(Number(holder.pid), "SIGKILL");
}

/** Kills the supervisor and all roles at once, and starts the session again. */
async function killAll(session: ProcessSession): Promise<void> {
  await session.killAll();
  session.spawn("up");
}

/** A note from tree 1, which is used if it is free. */
const inFirst = (what: string) => `${what} in 1`;

const KILLS = [
  ["the builder is killed", "none", killBuilder],
  ["the whole session is killed", "none", killAll],
  ...("path" in bubblewrap
    ? [
        [
          "the whole session is killed in bubblewrap",
          "{ kind: bubblewrap, write: [~/proofs] }",
          killAll,
        ] as const,
      ]
    : []),
] as const;

let expected: ReturnType<typeof endState>;

beforeAll(async () => {
  await using undisturbed = staged("none", false).session;
  expect(await undisturbed.wisp("start", "request.md")).toMatchObject({ code: 0 });
  expected = endState(undisturbed);
  expect(expected).toMatchObject({ broken: undefined, how: "complete" });
});

test.each(KILLS)(
  "if %s during setup, build and verify, each restarts in a clean tree, and the run ends in the same state",
  async (_, sandbox, kill) => {
    const { session: made, notes, release } = staged(sandbox, true);
    await using session = made;
    session.spawn("start", "request.md");
    for (const stage of STAGES) {
      await session.until(`${stage}, held`, () => notes(stage).length > 0);
      await kill(session);
      await session.until(`${stage}, again`, () => notes(stage).length > 1);
      release(stage);
    }
    await session.until("the end of all", () => session.leftovers().length === 0);
    expect(endState(session)).toEqual(expected);
    expect(await leftBehind(session)).toEqual([]);
    for (const stage of STAGES) {
      const [first, second, third, ...more] = notes(stage);
      // The interrupted one never ends, and the next one finds nothing of it.
      expect([stage, first, second, third]).toEqual([
        stage,
        ...["begun", "begun", "ended"].map(inFirst),
      ]);
      const count = (what: string) => more.filter((note) => note.startsWith(what)).length;
      expect([stage, count("begun") + count("ended")]).toEqual([stage, more.length]);
      expect([stage, count("begun")]).toEqual([stage, count("ended")]);
    }
    // A killed build or verify does not undo the setup.
    const setUp = notes("setup").filter((note) => note.startsWith("ended"));
    expect(setUp).toEqual([...new Set(setUp)]);
  },
);
