import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROLES } from "../../src/base/role.ts";
import { SessionJson } from "../../src/fs-protocol/home/session-json.ts";
import { endState, leftBehind } from "../rig/end-state.ts";
import { judgeRun } from "../rig/judge-run.ts";
import { whenQuiet } from "../rig/patience.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import { playActor, passesOf, type Actor, type Pass } from "./actor.ts";

const AGENT = join(import.meta.dirname, "../fixtures/agent/quick.sh");

export type EndState = ReturnType<typeof endState>;

/** The passes at which each actor is killed. */
export type Targets = ReadonlyMap<Actor, readonly Pass[]>;

export interface RunResult {
  readonly killed: readonly string[];
  readonly missed: Targets;
  /** Differences from an undisturbed run. */
  readonly problems: readonly string[];
}

/** A session that is ready to run, with a very cheap agent. */
async function readySession(): Promise<ProcessSession> {
  const session = bareSession();
  const started = await session.wisp("start", "request.md", "--no-up");
  if (started.code !== 0) throw new Error(`start ended with ${started.code}: ${started.stderr}`);
  // As for a request of stories: one attempt stalls, and there is a hint.
  const path = join(session.home(), "session.json");
  const json = SessionJson.parse(JSON.parse(readFileSync(path, "utf8")));
  const policy = { ...json.policy, stuck: { hint: 1, skip: 2, pause: 3 } };
  writeFileSync(path, JSON.stringify({ ...json, policy }));
  return session;
}

/** A repository without any session. */
function bareSession(): ProcessSession {
  return processSession({
    engine: `{ command: ["sh", ${JSON.stringify(AGENT)}] }`,
    config: `verify: [["test", "!", "-e", "broken"]]\n`,
  });
}

/** Runs a session without a kill: returns its final state, and the passes of each actor. */
export async function undisturbedRun(
  actors: readonly Actor[],
): Promise<{ readonly end: EndState; readonly passes: Targets }> {
  await using session = await (actors.includes("start") ? startedByActor() : readySession());
  const played = actors.filter((actor) => actor !== "start");
  const problems = await playAll(session, new Map(played.map((actor) => [actor, []])));
  if (problems.problems.length > 0) throw new Error(problems.problems.join("\n"));
  const passes = new Map(actors.map((actor) => [actor, passesOf(session, actor)]));
  return { end: endState(session), passes };
}

/** A session that the actor `start` created, with its passes on record. */
async function startedByActor(): Promise<ProcessSession> {
  const session = bareSession();
  using quiet = whenQuiet(session.root);
  await playActor(session, "start", { targets: [], stop: quiet.signal });
  return session;
}

/** If the session was created completely, a second `start` refuses another one; `status` then shows the first. */
const MADE_BEFORE = 2;

/**
 * Kills `start` at one pass and runs the command again; returns the problems. If `expected` is given, the session
 * then runs to its end.
 */
export async function disturbedStart(
  point: Pass,
  expected: EndState | undefined,
): Promise<readonly string[]> {
  await using session = bareSession();
  using quiet = whenQuiet(session.root);
  const { killed, code } = await playActor(session, "start", {
    targets: [point],
    stop: quiet.signal,
  });
  const status = await session.wisp("status");
  const problems = [
    ...(killed.length === 1 ? [] : ["it was not killed"]),
    ...(code === 0 || code === MADE_BEFORE ? [] : [`given again, it ended with ${String(code)}`]),
    ...(status.code === 0 ? [] : [`status: ${status.stderr}`]),
    ...(await leftBehind(session)),
  ];
  if (problems.length === 0 && expected !== undefined) {
    const played = await playAll(session, new Map(ROLES.map((role) => [role, []])));
    problems.push(...(await judgeRun(session, played.problems, expected)));
  }
  return problems.map((text) => `${wordsOf("start", point)}: ${text}`);
}

/** Runs a session in which each actor is killed at its targets. */
export async function disturbedRun(targets: Targets, expected: EndState): Promise<RunResult> {
  await using session = await readySession();
  const played = await playAll(session, targets);
  const problems = await judgeRun(session, played.problems, expected);
  if (problems.length === 0) return { ...played, problems };
  return {
    ...played,
    problems: [`killed at ${played.killed.join(", ")}:\n${problems.join("\n")}`],
  };
}

/** Runs a prepared session to its end, with the roles by hand or under the supervisor. */
async function playAll(session: ProcessSession, targets: Targets): Promise<RunResult> {
  const actors = [...targets.keys()];
  using quiet = whenQuiet(session.root);
  const runs = await Promise.all(
    actors.map((actor) =>
      playActor(session, actor, { targets: targets.get(actor) ?? [], stop: quiet.signal }),
    ),
  );
  const killed = actors.flatMap(
    (actor, at) => runs[at]?.killed.map((pass) => wordsOf(actor, pass)) ?? [],
  );
  const missed = new Map(actors.map((actor, at) => [actor, runs[at]?.missed ?? []]));
  const problems = actors.flatMap((actor, at) =>
    runs[at]?.code === 0 ? [] : [`${actor} ended with ${String(runs[at]?.code)}`],
  );
  return { killed, missed, problems };
}

/** A pass as text, such as `builder/git.fetch.before:3`. */
function wordsOf(actor: Actor, { name, ordinal }: Pass): string {
  return `${actor}/${name}:${ordinal}`;
}

/** Distributes the passes of each actor over runs, far apart within a run. */
export function dealtOut(passes: Targets, killsPerRun: number): readonly Targets[] {
  const most = Math.max(0, ...[...passes.values()].map(({ length }) => length));
  const runs = Math.ceil(most / killsPerRun);
  return Array.from({ length: runs }, (_, run) => {
    const share = [...passes].map(
      ([actor, all]) => [actor, all.filter((_pass, index) => index % runs === run)] as const,
    );
    return new Map(share);
  });
}
