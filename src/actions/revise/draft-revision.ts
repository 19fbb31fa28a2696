import { join } from "node:path";
import { onSignals } from "../../host/processes/on-signals.ts";
import { NoRevisionPlan } from "./revision-failures.ts";
import type { Refusal } from "../../base/failure.ts";
import { runIdOf, runIdsOf } from "../../work/role-context.ts";
import { attempted, need, type WorldFailure } from "../../base/fatal.ts";
import { DOCUMENT_BYTES_MAX } from "../../base/limits.ts";
import { NO_SANDBOX } from "../../base/ports/sandbox.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import type { Clone } from "../../base/ports/repo.ts";
import type { TurnOutcome, TurnRequest } from "../../engines/engine.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import { homeFamily } from "../../fs-protocol/home/home-family.ts";
import { planIn, readRevisionPlan, type RevisionPlan } from "../../session/rules/revision-plan.ts";
import { clonesDirectory } from "../../fs-protocol/home/session-json.ts";
import { createClone } from "../../git/clone/create-clone.ts";
import { openHub } from "../../git/repository/hub.ts";
import { storeOf } from "../../git/store/object-store.ts";
import { gitContext, type World } from "../../workspace/world.ts";
import { openEngines } from "../attach/open-engine.ts";
import { openRoleSandbox } from "../attach/open-sandbox.ts";
import { talkOn, turnOn, type Conversations } from "./plan-conversation.ts";
import {
  materialPlace,
  planPrompt,
  type PlanQuestion,
  type PlanRequest,
} from "./revision-material.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import { takeRoleLease } from "../attach/take-role-lease.ts";

/** The result of asking for a plan. */
export type Drafted =
  | { readonly kind: "plan"; readonly plan: RevisionPlan }
  /** The planner wants to know something first. */
  | { readonly kind: "question"; readonly question: string }
  | { readonly kind: "interrupted" };

/** The context of planning. */
export interface Planning {
  readonly world: World;
  readonly found: FoundSession;
  /** Whether to open the engine in the terminal for the person, if it supports that. */
  readonly isTalking: boolean;
  /** For each engine that was asked, by name: the session to resume. */
  readonly conversations: Conversations;
}

/**
 * Has the session's planner engine make the plan of a revision, in the planner's clone, while
 * holding the planner's lease. An unusable plan is requested once more, with the reason.
 *
 * @param round how often a plan was requested, from 1
 */
export async function draftRevision(
  planning: Planning,
  question: PlanQuestion,
  round: number,
): Promise<Result<Drafted, WorldFailure>> {
  const { world, found } = planning;
  const stop = new AbortController();
  // A process that waits for the lease asks its holder to end: a turn is interrupted, but not a
  // question to a person.
  const giveBack = onSignals(["SIGTERM", "SIGINT"], () => stop.abort());
  try {
    const lease = await attempted(() => takeRoleLease(world, found, "planner"));
    // This may fail in a later round: the person already has a plan, and continues with that.
    if (!lease.ok) return lease;
    try {
      return await draft({ ...planning, clone: await readyClone(planning), stop, round }, question);
    } finally {
      await lease.value.release();
    }
  } finally {
    giveBack();
  }
}

/** The planner's clone at the branch's head; anything left in it is saved under a rescue ref. */
async function readyClone({ world, found }: Planning): Promise<Clone> {
  const { home, session } = found;
  const family = need(homeFamily(world.host.files, home, session));
  await world.host.processes.sweep(...family.flatMap((one) => runIdsOf(one, "planner")));
  const git = gitContext(world);
  const { repository, branch, id, identity } = session;
  const hub = openHub(git, repository);
  const directory = join(clonesDirectory(session, "planner"), "clone");
  const place = { hub, branch, directory, session: id, store: storeOf(session, world.host) };
  const clone = need(await createClone(git, { ...place, identity, setup: session.setup }));
  const { rescue } = need(await clone.rescueAndReset());
  if (rescue !== undefined)
    world.tell(`Uncommitted work in the planner's clone is saved under ${rescue}`);
  return clone;
}

interface Drafting extends Planning {
  readonly clone: Clone;
  readonly stop: AbortController;
  readonly round: number;
}

async function draft(
  drafting: Drafting,
  question: PlanQuestion,
): Promise<Result<Drafted, Refusal>> {
  const { world, clone } = drafting;
  const head = need(await clone.head());
  let remark: string | undefined;
  for (const ask of [1, 2]) {
    const answer = await askOnce(drafting, { ...question, head, remark }, ask);
    // Whatever the turn did to the clone, it published nothing.
    need(await clone.rescueAndReset());
    if (!answer.ok) return answer;
    if (answer.value.kind !== "text") return ok(answer.value);
    const plan = readPlan(answer.value.text);
    if (plan.ok) return ok({ kind: "plan", plan: plan.value });
    remark = plan.failure.reason;
    if (ask === 1) world.tell(`The plan cannot be used (${shownLine(remark)}); asking again.`);
  }
  return noPlan(drafting, { reason: `its plan cannot be used: ${remark ?? ""}`, ask: 2 });
}

type Answer = Exclude<Drafted, { kind: "plan" }> | { readonly kind: "text"; readonly text: string };

/** One turn, or one conversation. `text` should contain a plan. */
async function askOnce(
  drafting: Drafting,
  question: Omit<PlanRequest, "isInteractive">,
  ask: number,
): Promise<Result<Answer, Refusal>> {
  const { world, found, isTalking, clone, conversations } = drafting;
  // The engine itself asks the person before it does anything.
  const [own] = openEngines(world, found.session, { role: "planner", sandbox: NO_SANDBOX });
  const interactive = isTalking ? own?.interactive : undefined;
  const isInteractive = interactive !== undefined;
  const prompt = await planPrompt(world, found, { ...question, isInteractive });
  if (own === undefined || interactive === undefined) return askHeadless(drafting, prompt, ask);
  world.tell(`Opening ${own.name}: discuss the plan with it, then leave it to continue.`);
  const opening = asArgument(drafting, prompt);
  const where = { cwd: clone.directory, runId: runIdOf(found.home, "planner") };
  const talked = await talkOn(conversations, { engine: own, interactive }, opening, where);
  if (!talked.ok) return talked;
  const { planFile } = materialPlace(found);
  const read = need(world.host.files.read(planFile, DOCUMENT_BYTES_MAX));
  return ok({ kind: "text", text: new TextDecoder().decode(read ?? new Uint8Array()) });
}

/** Linux limits an argument to 128 KiB. */
const ARGUMENT_BYTES_MAX = 100_000;

function asArgument({ world, found }: Drafting, prompt: string): string {
  if (Buffer.byteLength(prompt) <= ARGUMENT_BYTES_MAX) return prompt;
  const path = join(materialPlace(found).directory, "instructions.md");
  need(world.host.files.replace(path, Buffer.from(prompt)));
  return `Read ${path} and do what it says.`;
}

/** Runs a turn the way the planner's role does, with the first of its engines that succeeds. */
async function askHeadless(
  drafting: Drafting,
  prompt: string,
  ask: number,
): Promise<Result<Answer, Refusal>> {
  const { world, found } = drafting;
  const sandbox = await openRoleSandbox(world, found.session, "planner");
  const engines = openEngines(world, found.session, { role: "planner", sandbox });
  let last: Failed = { reason: "no engine is available", ask };
  for (const engine of engines) {
    world.tell(`${engine.name} is working on a plan.`);
    const outcome = await turnOn(drafting.conversations, engine, () =>
      requestOf(drafting, prompt, ask),
    );
    const answer = answerOf(outcome, drafting.stop.signal);
    if (answer !== undefined) return ok(answer);
    if (outcome.kind === "failed")
      last = { reason: `${engine.name} ${outcome.reason}`, ask, engine: engine.name };
  }
  return noPlan(drafting, last);
}

/** Undefined if the engine failed; another one may succeed. */
function answerOf(outcome: TurnOutcome, signal: AbortSignal): Answer | undefined {
  if (signal.aborted) return { kind: "interrupted" };
  switch (outcome.kind) {
    case "ended":
      return { kind: "text", text: planIn(outcome.text) ?? "" };
    case "needs-input":
    case "blocked":
      return { kind: "question", question: outcome.question };
    case "stopped":
      return { kind: "interrupted" };
    case "failed":
      return undefined;
  }
}

function requestOf(drafting: Drafting, prompt: string, ask: number): TurnRequest {
  const { world, found, clone, stop, round } = drafting;
  const { home, session } = found;
  const time = new Date(world.host.clock.nowMs()).toISOString().replace(/[:.]/gu, "-");
  return {
    role: "planner",
    purpose: "revise",
    session: session.id,
    home: home.directory,
    unit: "revise",
    attempt: round,
    ask,
    prompt,
    cwd: clone.directory,
    folder: materialPlace(found).directory,
    startSha: session.base,
    outputBase: join(home.turns, `${time}${turnName(drafting, ask)}`),
    runId: runIdOf(home, "planner"),
    isIsolated: session.namespaces ?? true,
    timeoutMs: session.engines.planner.turnTimeoutMs,
    signal: stop.signal,
  };
}

/** Follows the time in the names of a turn's files. */
function turnName({ round }: Pick<Drafting, "round">, ask: number): string {
  return `-planner-revise-${String(round)}-ask${String(ask)}`;
}

const PLAN_CHARS_MAX = 1024 * 1024;

/** Reads a plan from a text with or without tags, and removes what could act on a terminal. */
export function readPlan(text: string): ReturnType<typeof readRevisionPlan> {
  const plan = cleanText(planIn(text) ?? text, { charsMax: PLAN_CHARS_MAX, lines: "many" });
  if (plan !== "") return readRevisionPlan(plan);
  const reason = "there is no plan between `<revision-plan>` and `</revision-plan>`";
  return fail({ kind: "bad-revision-plan", reason });
}

/** Why there is no plan. */
interface Failed {
  readonly reason: string;
  readonly ask: number;
  /** The engine whose turn failed; absent if none did. */
  readonly engine?: string;
}

/** The failure for a missing plan, with its reason and the path of the engine's output. */
function noPlan(drafting: Drafting, { reason, ask, engine }: Failed): Result<never, Refusal> {
  const { found } = drafting;
  const problems = materialPlace(found).problemsFile;
  const output = printedIn(drafting, ask);
  return fail(NoRevisionPlan({ session: found.session.id, reason, engine, problems, output }));
}

/**
 * The newest non-empty output file of the turn; stderr is preferred, since it explains failures.
 */
function printedIn(drafting: Drafting, ask: number): string | undefined {
  const { world, found } = drafting;
  const { files } = world.host;
  const names = files.list(found.home.turns);
  if (!names.ok) return undefined;
  const ends = [".err", ".out"].map((ending) => `${turnName(drafting, ask)}${ending}`);
  const paths = ends.flatMap((end) => {
    const name = names.value
      .filter((one) => one.endsWith(end))
      .sort()
      .at(-1);
    return name === undefined ? [] : [join(found.home.turns, name)];
  });
  return paths.find((path) => (files.stat(path)?.sizeBytes ?? 0) > 0);
}

function shownLine(text: string): string {
  return cleanText(text, { charsMax: 300, lines: "one" });
}
