import { readdirSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { ROLES } from "../../src/base/role.ts";
import { homeAt, leasePath } from "../../src/fs-protocol/home/home.ts";
import { createHost } from "../../src/host/host.ts";
import { checkSession } from "../rig/check-session.ts";
import { leftBehind } from "../rig/end-state.ts";
import { whenQuiet } from "../rig/patience.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import { drawn, IS_SAMPLE, isUsedUp } from "../rig/share.ts";
import { passesOf, playActor, type Pass } from "./actor.ts";
import { dealtOut } from "./crash-run.ts";
import { lastEndOf } from "../../src/session/state/stage.ts";

/*
 * `every-point.test.ts` kills roles during their usual work. Here the builder is killed during a look at a remote to
 * which a colleague has pushed meanwhile, so that both sides have new commits.
 */

const AGENT = join(import.meta.dirname, "../fixtures/agent/moved.sh");
const BRANCH = "wisp/a-request";
const KILLS_PER_RUN = 5;
const ROUNDS_MAX = 2;
/** The part of a sample's time for the first of these tests. */
const MERGE_PART = 0.6;
/** How many passes to include before a look reaches the remote, and after it: there its records are written. */
const PASSES_AROUND = 16;
const REACHES = /^git\.(?:ls-remote|merge|push)\./u;

interface Look {
  /** The files that the colleague writes. */
  readonly file: string;
  /** The person's answer if there is a question. */
  readonly answer?: string;
}

/** A session that is ready to run, whose branch is at the remote for the colleague. */
async function readySession({ file }: Look): Promise<ProcessSession> {
  const session = processSession({
    engine: `{ command: ["sh", ${JSON.stringify(AGENT)}, ${JSON.stringify(file)}] }`,
    config: `verify: [["test", "!", "-e", "broken"]]\nreplan: never\npublish: { remote: origin, at: boundary }\n`,
  });
  const remote = join(session.root, "remote.git");
  session.git("init", "--quiet", "--bare", remote);
  session.git("remote", "add", "origin", remote);
  const started = await session.wisp("start", "request.md", "--no-up", "--yes");
  if (started.code !== 0) throw new Error(`start ended with ${started.code}: ${started.stderr}`);
  session.git("push", "--quiet", "origin", BRANCH);
  return session;
}

/** Runs a session to its end, with its builder killed at `targets`; a person answers its question. */
async function play(session: ProcessSession, { answer }: Look, targets: readonly Pass[]) {
  using quiet = whenQuiet(session.root);
  const playing = Promise.all(
    ROLES.map((role) =>
      playActor(session, role, {
        targets: role === "builder" ? targets : [],
        stop: quiet.signal,
      }),
    ),
  );
  const asked = () => session.read("logs/builder.log").includes(" outcome=needs_input ");
  if (answer !== undefined) {
    await session.until("the question", asked);
    // The actor restarts a killed builder. If none lives at this moment, the answer would start a supervisor beside it,
    // unless one seems to be there.
    const lease = await createHost().locks.takeLease(
      leasePath(homeAt(session.home()), "supervisor"),
    );
    if (!lease.ok) throw new Error("a supervisor is at work");
    const { code } = await session.wisp("answer", "a-request", "builder-1", answer);
    await lease.value.release();
    if (code !== 0) throw new Error(`answer ended with ${String(code)}`);
  }
  const runs = await playing;
  return {
    codes: runs.map(({ code }) => code),
    killed: runs.flatMap((run) => run.killed),
    missed: runs.flatMap((run) => run.missed),
  };
}

/** The final state, which must be the same wherever the builder was killed. */
function endOf(session: ProcessSession) {
  const { history, broken } = checkSession(session.home());
  const { builder, reviewer } = history;
  const lines = (...args: readonly string[]) => session.git(...args).split("\n");
  const onBranch = new Set(lines("rev-list", BRANCH));
  const recorded = builder.records.flatMap((one) => (one.kind === "build.end" ? one.commits : []));
  const ends = reviewer.records.flatMap((one) => (one.kind === "review.end" ? [one] : []));
  const remote = session.git("ls-remote", "origin", `refs/heads/${BRANCH}`).split("\t")[0];
  const head = session.git("rev-parse", BRANCH);
  return {
    broken,
    how: lastEndOf(builder.fold)?.how,
    // Each with the number of its parents: no commit is there twice, and the merge is there once.
    history: lines("log", "--format=%s|%an|%p", `main..${BRANCH}`)
      .map((line) => {
        const [subject = "", author = "", parents = ""] = line.split("|");
        return `${subject}, ${author}: ${String(parents.split(" ").length)}`;
      })
      .sort(),
    rewritten: recorded.filter((sha) => !onBranch.has(sha)),
    isJoined: onBranch.has(theirsOf(session)),
    // Nothing was forced: the commit that they pushed is still there.
    remote: remote === head ? "ours" : remote === theirsOf(session) ? "theirs" : remote,
    questions: builder.fold.questions.length,
    reviewedTwice: repeated(ends.map(({ unit }) => unit)),
    isReviewed: reviewer.fold.checkpoint === head,
  };
}

/** The colleague's commit, from the clone in which they made it. */
function theirsOf({ root, git }: ProcessSession): string {
  const [clone = ""] = readdirSync(root).filter((name) => name.startsWith("theirs-"));
  return git("-C", join(root, clone), "rev-parse", "HEAD");
}

function repeated(all: readonly string[]): readonly string[] {
  return all.filter((one, index) => all.indexOf(one) !== index);
}

/** The passes from shortly before the look reaches the remote until shortly after. */
function lookPasses(passes: readonly Pass[]): readonly Pass[] {
  const first = passes.findIndex(({ name }) => REACHES.test(name));
  const last = passes.findLastIndex(({ name }) => REACHES.test(name));
  return passes.slice(Math.max(0, first - PASSES_AROUND), last + 1 + PASSES_AROUND);
}

/** Runs a session without a kill, and then with its builder killed at every failpoint of its look. */
async function killedAtEveryPoint(look: Look, part: number): Promise<EndState> {
  const whole = await (async () => {
    await using session = await readySession(look);
    const { codes } = await play(session, look, []);
    expect(codes).toEqual([0, 0, 0, 0]);
    return { end: endOf(session), passes: lookPasses(passesOf(session, "builder")) };
  })();
  const counts = { tried: 0, killed: 0 };
  const problems: string[] = [];
  let ahead = drawn(inRuns(whole.passes, KILLS_PER_RUN), `a look at a remote: ${look.file}`);
  for (let round = 1; round <= ROUNDS_MAX; round++) {
    const missed: Pass[] = [];
    for (const points of ahead) {
      if (isUsedUp(part) && counts.killed > 0) break;
      const run = await playOnce(look, points, whole.end);
      problems.push(...run.problems);
      missed.push(...run.missed);
      if (round === 1) counts.tried += points.length;
      counts.killed += run.killed.length;
    }
    // A builder that was killed earlier in the same run may not get as far: the rest get runs of their own.
    ahead = inRuns(missed, 1);
  }
  const { tried, killed } = counts;
  const all = String(whole.passes.length);
  console.log(`killed at ${String(killed)} of ${String(tried)} points tried, of ${all}`);
  expect(problems).toEqual([]);
  expect(killed).toBeGreaterThan(IS_SAMPLE ? tried / 4 : tried / 2);
  return whole.end;
}

function inRuns(passes: readonly Pass[], killsPerRun: number): readonly (readonly Pass[])[] {
  const runs = dealtOut(new Map([["builder", passes] as const]), killsPerRun);
  return runs.map((targets) => targets.get("builder") ?? []);
}

/** Runs a session whose builder is killed at these passes, and returns the differences. */
async function playOnce(look: Look, points: readonly Pass[], expected: EndState) {
  await using session = await readySession(look);
  const run = await play(session, look, points);
  const left = await leftBehind(session);
  const end = endOf(session);
  const isSame = isDeepStrictEqual([run.codes, end, left], [[0, 0, 0, 0], expected, []]);
  const at = points.map(({ name, ordinal }) => `${name}:${String(ordinal)}`).join(", ");
  const found = JSON.stringify({ ...run, left, ...end });
  const log = session.read("logs/builder.log");
  return { ...run, problems: isSame ? [] : [`killed at ${at}: ${found}\n${log}`] };
}

type EndState = ReturnType<typeof endOf>;

test("a look at a remote that moved, killed at every failpoint, merges both sides once, and pushes the merge", async () => {
  expect(await killedAtEveryPoint({ file: "theirs.txt" }, MERGE_PART)).toEqual({
    broken: undefined,
    how: "complete",
    history: [
      `Merge branch '${BRANCH}' of origin, Test: 2`,
      "Say hello, Test: 1",
      "theirs, Grace: 1",
    ],
    ...{ rewritten: [], isJoined: true, remote: "ours", questions: 0 },
    ...{ reviewedTwice: [], isReviewed: true },
  });
});

test("a look that has to ask, killed at every failpoint, asks once, and changes neither side", async () => {
  expect(await killedAtEveryPoint({ file: "hello.txt", answer: "leave" }, 1)).toEqual({
    broken: undefined,
    how: "complete",
    history: ["Say hello, Test: 1"],
    ...{ rewritten: [], isJoined: false, remote: "theirs", questions: 1 },
    ...{ reviewedTwice: [], isReviewed: true },
  });
});
