import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROLES } from "../../src/base/role.ts";
import { SessionJson } from "../../src/fs-protocol/home/session-json.ts";
import { checkSession } from "../rig/check-session.ts";
import { whenQuiet } from "../rig/patience.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import { drawn, isUsedUp, killsMin, missesMax } from "../rig/share.ts";
import { forgetPasses, passesOf, playActor, type Actor, type Pass } from "./actor.ts";
import { dealtOut } from "./crash-run.ts";
import { lastEndOf } from "../../src/session/state/stage.ts";

/*
 * `every-point.test.ts` kills a session at every failpoint. Here it is what revisions add: how one is created, and
 * its builder, which also reports to the parent. Of the failpoints that are covered there, only some are repeated.
 * All runs are revisions of the same parent.
 */

const AGENT = join(import.meta.dirname, "../fixtures/agent/revised.sh");
const PARENT = "a-request";
const BRANCH = "refs/heads/wisp/a-request";
const REVISE = ["revise", "--problem", "It whispers", "--yes", "--no-start"];
const KILLS_PER_RUN = 10;
/** How often points that were missed are tried again. */
const ROUNDS_MAX = 2;
/** The part of a sample's time for creating revisions; their builder has the rest. */
const REVISE_PART = 0.5;
/** Where the builder ends the revision, and reports that. */
const LAST_POINTS = 30;

async function completeParent(): Promise<ProcessSession> {
  const session = processSession({
    engine: `{ command: ["sh", ${JSON.stringify(AGENT)}] }`,
    config: `verify: [["test", "!", "-e", "broken"]]\nreplan: never\n`,
  });
  const started = await session.wisp("start", "request.md");
  if (started.code !== 0) throw new Error(`start ended with ${started.code}: ${started.stderr}`);
  return session;
}

/** `WISP_CRASH_ALL=1`: at every failpoint, which takes many times as long. */
const IS_ALL = process.env["WISP_CRASH_ALL"] === "1";

/** One of this many: an odd number, so that both befores and afters are chosen. */
function some(passes: readonly Pass[], every: number): readonly Pass[] {
  return IS_ALL ? passes : passes.filter((_, index) => index % every === 0);
}

async function play(session: ProcessSession, actor: Actor, targets: readonly Pass[]) {
  using quiet = whenQuiet(session.root);
  return await playActor(session, actor, { targets, stop: quiet.signal });
}

/** The number of the parent's newest revision, or 0. */
function newest(session: ProcessSession): number {
  const names = readdirSync(session.home(PARENT));
  return Math.max(0, ...names.map((name) => Number(/^revision-(\d+)$/u.exec(name)?.[1] ?? 0)));
}

test("revise, killed at any failpoint while it creates a revision and repeated, creates exactly one complete revision", async () => {
  await using session = await completeParent();
  await play(session, "revise", []);
  const all = passesOf(session, "revise");
  // From here on the engine has answered, and the revision is created.
  const planned = all.findIndex(({ name }) => name === "run.after");
  const passes = [...some(all.slice(0, planned), 9), ...some(all.slice(planned), 3)];
  const problems = await checkAndAbandon(session);
  let killed = 0;
  let tried = 0;
  for (const { name, ordinal } of drawn(passes, "revise")) {
    if (isUsedUp(REVISE_PART) && killed > 0) break;
    tried += 1;
    const before = newest(session);
    session.env["WISP_FAILPOINT"] = `${name}:${String(ordinal)}`;
    const { code } = await session.wisp(...REVISE);
    delete session.env["WISP_FAILPOINT"];
    if (code === null) killed += 1;
    // Killed or not, there is none, or a complete one. The next one is created next to what this one left.
    if (newest(session) > before) problems.push(...(await checkAndAbandon(session)));
  }
  console.log(`revise killed at ${killed} of ${tried} points tried, of ${passes.length}`);
  expect(problems).toEqual([]);
  expect(await session.wisp(...REVISE)).toMatchObject({ code: 0 });
  expect(await checkAndAbandon(session)).toEqual([]);
  expect(killed).toBeGreaterThan(0);
  expect(tried - killed).toBeLessThanOrEqual(missesMax(tried));
});

/** Returns what is wrong with the newest, unfinished revision, and abandons it. */
async function checkAndAbandon(session: ProcessSession): Promise<string[]> {
  const id = `${PARENT}/revision-${String(newest(session))}`;
  const problems: string[] = [];
  const fsck = await session.wisp("fsck", id);
  if (fsck.code !== 0) problems.push(`fsck ${id}: ${fsck.stdout}${fsck.stderr}`);
  const { base, parent } = SessionJson.parse(JSON.parse(session.read("session.json", id)));
  if (base !== session.git("rev-parse", BRANCH)) problems.push(`${id} begins at ${base}`);
  const human = session.read("logs/human.log", PARENT);
  if (!human.includes(` revise revision=${String(parent?.revision)}\n`)) {
    problems.push(`the parent of ${id} was not told`);
  }
  const abandoned = await session.wisp("abandon", id, "--yes");
  if (abandoned.code !== 0) problems.push(`abandon ${id}: ${abandoned.stderr}`);
  return problems;
}

test("a revision whose builder is killed ends in the same state, and reports to its parent once", async () => {
  await using session = await completeParent();
  const problems: string[] = [];
  const whole = await revisedOnce(session, [], problems);
  const last = Math.max(0, whole.passes.length - LAST_POINTS);
  const passes = [...some(whole.passes.slice(0, last), 15), ...whole.passes.slice(last)];
  let killed = 0;
  let tried = 0;
  const inRuns = (points: readonly Pass[], killsPerRun: number) =>
    dealtOut(new Map([["builder", points] as const]), killsPerRun);
  let ahead = drawn(inRuns(passes, KILLS_PER_RUN), "builder of a revision");
  for (let round = 1; round <= ROUNDS_MAX; round++) {
    const missed: Pass[] = [];
    for (const targets of ahead) {
      if (isUsedUp() && killed > 0) break;
      const points = targets.get("builder") ?? [];
      const run = await revisedOnce(session, points, problems);
      if (round === 1) tried += points.length;
      killed += run.killed;
      missed.push(...run.missed);
    }
    // A builder that was killed earlier in the same run may not get as far: the rest get runs of their own.
    ahead = inRuns(missed, 1);
  }
  console.log(
    `the builder of a revision killed at ${killed} of ${tried} points tried, of ${passes.length}`,
  );
  expect(problems).toEqual([]);
  expect(killed).toBeGreaterThan(killsMin(tried));
});

/** Creates the parent's next revision and runs it to its end; returns the problems. */
async function revisedOnce(
  session: ProcessSession,
  targets: readonly Pass[],
  problems: string[],
): Promise<{
  readonly killed: number;
  readonly missed: readonly Pass[];
  readonly passes: readonly Pass[];
}> {
  const before = session.git("rev-parse", BRANCH);
  const made = await play(session, "revise", []);
  const { id, parent } = SessionJson.parse(JSON.parse(session.read("session.json")));
  forgetPasses(session, "builder");
  const runs = await Promise.all(
    ROLES.map((role) => play(session, role, role === "builder" ? targets : [])),
  );
  const subjects = session.git("log", "--format=%s", `${before}..${BRANCH}`);
  const lines = session.read("logs/revisions.log", PARENT).split("\n").slice(0, -1);
  const own = lines.filter((line) => line.startsWith(`${String(parent?.revision)}|`));
  const { broken, history } = checkSession(session.home(id));
  const facts = {
    made: made.code,
    codes: runs.map(({ code }) => code),
    subjects,
    told: own.map((line) => line.split("|").slice(2).join("|")),
    broken,
    how: lastEndOf(history.builder.fold)?.how,
    fsck: (await session.wisp("fsck", id)).code,
  };
  const expected = {
    made: 0,
    codes: [0, 0, 0, 0],
    subjects: "[Revision] Say it louder",
    told: [`1|revision-${String(parent?.revision)}`],
    broken: undefined,
    how: "complete",
    fsck: 0,
  };
  if (JSON.stringify(facts) !== JSON.stringify(expected)) {
    const points = targets.map(({ name, ordinal }) => `${name}:${String(ordinal)}`).join(", ");
    problems.push(`${id}, killed at ${points}: ${JSON.stringify(facts)}`);
  }
  return {
    killed: runs.reduce((sum, run) => sum + run.killed.length, 0),
    missed: runs.flatMap((run) => run.missed),
    passes: passesOf(session, "builder"),
  };
}
