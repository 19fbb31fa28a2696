import { join } from "node:path";
import { need } from "../../base/fatal.ts";
import { DOCUMENT_BYTES_MAX } from "../../base/limits.ts";
import type { Oid } from "../../base/oid.ts";
import type { Clone, GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import type { TurnOutcome } from "../../engines/engine.ts";
import { LEFT_FOR_FILTER } from "../../git/clone/stage-all.ts";
import { attemptEngine } from "../../session/rules/attempt-engine.ts";
import { buildOrder } from "../../session/rules/build-order.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { tickedSince } from "../../fs-protocol/tasks/tasks-ticks.ts";
import { parseTasks, type TickSets } from "../../fs-protocol/tasks/tasks-md.ts";
import { encodeUnit } from "../../fs-protocol/records/unit-key.ts";
import type { Backing } from "../../session/steps/backed-ticks.ts";
import type { BuilderStep } from "../../session/steps/step.ts";
import { watchHints } from "../../streams/watch-hints.ts";
import { ensureSetup } from "../../evidence/verify/clone-setup.ts";
import type { RoleContext } from "../../work/role-context.ts";
import { clip } from "../../work/clip.ts";
import { note } from "../../work/journal.ts";
import { runTurn } from "../../work/turn/run-turn.ts";
import { beginAtHead, saveAsking, besideWords } from "./attempt.ts";
import { endBuild, buildEnd, noProgress, publishBuild, type BuildUnit } from "./end-build.ts";
import { tickEvidence } from "./tick-evidence.ts";
import { writeTasks } from "./projections.ts";
import { askToBuild } from "./prompts.ts";
import { nameRevisionCommits, titled } from "./revision-subjects.ts";
import { completedRun, splitsOf } from "./split-milestones.ts";
import { watchSplits, type SeenHeads } from "./watch-splits.ts";

type BuildStep = Extract<BuilderStep, { kind: "build" }>;

/** What a build turn left behind, before it is checked. */
interface TurnWork {
  readonly ticks: TickSets;
  readonly commits: readonly Oid[];
  readonly seen: SeenHeads;
}

/** Makes one attempt at the current milestone: turn, evidence, publish, verify, end. */
export async function build(
  context: RoleContext<"builder">,
  state: SessionState,
  step: BuildStep,
): Promise<void> {
  const base = await beginAtHead(context, step.unit);
  const unit: BuildUnit = { key: step.unit, milestone: step.milestone.name, base };
  const { builder } = state;
  const ahead = completedRun(buildOrder(builder, state.policy), builder.ticks);
  if (ahead.length > 0 && !builder.troubles.has(unit.milestone)) {
    // All its boxes were ticked together with an earlier milestone, so there is nothing left for a turn to do.
    await endBuild(context, state, unit, {
      ticks: [],
      splits: splitsOf(ahead, [], NONE),
      shas: [],
    });
    return;
  }
  const clone = await context.clone();
  need(await clone.syncTo(base));
  // If it fails, the turn starts nevertheless: the engine can find out why, and verify fails, too.
  const setup = await ensureSetup(context, clone);
  if (setup.kind === "stopped") return;
  // Written again instead of read, because the boxes must be those of the plan whatever was edited in the file.
  const tasks = writeTasks(context.ports.files, context.home, builder);
  const { outcome, seen } = await turn(context, state, step, { clone, tasks, base });
  if (outcome.kind === "stopped") return;
  if (outcome.kind === "needs-input" || outcome.kind === "blocked") {
    await askPerson(context, state, unit, outcome);
    return;
  }
  const work = await collectWork(context, { clone, tasks, base, seen, outcome });
  if (work.ok) await judge(context, state, { unit, work: work.value, outcome });
  else await noProgress(context, state, unit, whyNoCommit(work.failure));
}

function whyNoCommit({ message }: GitFailure): string {
  return message.startsWith(LEFT_FOR_FILTER) ? message : `the turn left a broken clone: ${message}`;
}

const NONE: SeenHeads = new Map();

function tasksCopy({ session }: RoleContext<"builder">): string {
  return join(session.state, "builder", "tasks", "TASKS.md");
}

interface TurnPlace {
  readonly clone: Clone;
  readonly tasks: string;
  readonly base: Oid;
}

async function turn(
  context: RoleContext<"builder">,
  state: SessionState,
  step: BuildStep,
  { clone, tasks, base }: TurnPlace,
): Promise<{ readonly outcome: TurnOutcome; readonly seen: SeenHeads }> {
  const { ports, session } = context;
  const tasksFile = tasksCopy(context);
  need(ports.files.makeDirectory(join(session.state, "builder", "tasks")));
  need(ports.files.remove(tasksFile));
  need(ports.files.createScratch(tasksFile, Buffer.from(tasks)));
  const running = runTurn(context, {
    purpose: "build",
    unit: step.unit,
    attempt: step.attempt,
    ask: 1,
    ...askToBuild(context, state, step, { file: tasksFile, text: tasks }),
    cwd: clone.directory,
    milestone: step.milestone.name,
    stalled: step.stalled,
    ...attemptEngine(session.engines.builder.attempts, step.stalled),
    resumes: resumedBy(state, step),
    goesOnWith: session.parent?.builder,
    about: { milestone: step.milestone.name, startSha: base, tasksFile },
  });
  const readProgress = async () => {
    const ticks = ticksIn(context, tasks);
    const head = await clone.head();
    if (!head.ok) return undefined;
    const order = buildOrder(state.builder, state.policy);
    const complete = completedRun(order, joinTicks(state.builder.ticks, ticks));
    return { complete: complete.map(({ name }) => name), head: head.value };
  };
  const hint$ = watchHints(ports.watcher, [join(session.state, "builder", "tasks")]);
  const seen = await watchSplits(hint$, tasksFile, readProgress, running);
  return { outcome: await running, seen };
}

/** The previous attempt, if this one continues what that one did not complete. */
function resumedBy({ builder }: SessionState, { milestone, attempt }: BuildStep): string[] {
  const isRetry = builder.troubles.has(milestone.name) && attempt > 1;
  return isRetry
    ? [encodeUnit({ kind: "build", milestone: milestone.name, attempt: attempt - 1 })]
    : [];
}

/** The boxes that the engine ticked in its copy; any other change of that file is ignored. */
function ticksIn(context: RoleContext<"builder">, before: string): TickSets {
  const copy = context.ports.files.read(tasksCopy(context), DOCUMENT_BYTES_MAX);
  if (!copy.ok || copy.value === undefined) return new Map();
  return tickedSince(before, new TextDecoder().decode(copy.value));
}

/** The union of both. */
function joinTicks(one: TickSets, other: TickSets): TickSets {
  const joined = new Map(one);
  for (const [name, tasks] of other) {
    joined.set(name, new Set([...(joined.get(name) ?? []), ...tasks]));
  }
  return joined;
}

interface FinishedTurn extends TurnPlace {
  readonly seen: SeenHeads;
  readonly outcome: TurnOutcome;
}

/**
 * Commits what the turn left uncommitted, on the session's branch wherever the turn left HEAD. Uncommitted work of a
 * failed turn, and work that cannot be committed (during an unfinished rebase), is only saved.
 */
async function collectWork(
  context: RoleContext<"builder">,
  { clone, tasks, base, seen, outcome }: FinishedTurn,
): Promise<Result<TurnWork, GitFailure>> {
  const ticks = ticksIn(context, tasks);
  const [committed] = await Promise.all([
    outcome.kind === "ended"
      ? clone.commitAll(titled(context.session, commitTitle(tasks, ticks)))
      : undefined,
    // Lists the turn's own commits at the same time, so that the call below finds them already known.
    clone.commitsSince(base),
  ]);
  const isForEngine =
    committed?.ok === false && committed.failure.message.startsWith(LEFT_FOR_FILTER);
  if (isForEngine) return committed;
  const repaired = committed?.ok === true ? undefined : await clone.repair();
  if (repaired?.ok === false) return repaired;
  const named = await nameRevisionCommits(context, { clone, base, seen });
  const commits = await clone.commitsSince(base);
  return commits.ok ? ok({ ticks, seen: named, commits: commits.value }) : commits;
}

/** The title of wisp's commit: the first newly ticked task. */
function commitTitle(tasks: string, ticks: TickSets): string {
  const document = parseTasks(tasks);
  const [first] = [...ticks];
  if (!document.ok || first === undefined) return "Work in progress";
  const [name, ordinals] = first;
  const milestone = document.value.milestones.find((other) => other.name === name);
  const task = milestone?.tasks.find(({ ordinal }) => ordinal === Math.min(...ordinals));
  return clip(task?.text.replace(/^\[[a-z]+\]\s*/, "") ?? "Work in progress");
}

interface Judged {
  readonly unit: BuildUnit;
  readonly work: TurnWork;
  readonly outcome: TurnOutcome;
}

async function judge(
  context: RoleContext<"builder">,
  state: SessionState,
  { unit, work, outcome }: Judged,
): Promise<void> {
  const { builder } = state;
  const { commits, seen } = work;
  const clone = await context.clone();
  const place = { clone, base: context.session.base, commits };
  const { backing, isChanged } = await tickEvidence(builder, unit, place);
  const ticks = countedTicks(work.ticks, unit, backing);
  const refused = countOf(work.ticks) - countOf(ticks);
  const refusal = refusalOf(refused, backing);
  const all = joinTicks(builder.ticks, ticks);
  const completed = completedRun(buildOrder(builder, state.policy), all);
  if (!isChanged && ticks.size === 0 && completed.length === 0) {
    const failure = outcome.kind === "failed" ? outcome.reason : undefined;
    const idle = failure ?? idleOf(commits, outcome);
    const beside = await besideWords(context, clone, unit.base);
    await noProgress(context, state, unit, `${refused > 0 ? refusal : idle}${beside}`);
    return;
  }
  if (refused > 0) note(context, refusal);
  if (ticks.size > 0 && backing === "others") noteUnchanged(context, unit);
  const claim = {
    ticks: [...ticks].map(([m, tasks]) => ({ m, tasks: [...tasks].sort((a, b) => a - b) })),
    splits: [...splitsOf(completed, commits, seen)],
  };
  if (commits.length === 0) {
    await endBuild(context, state, unit, { ...claim, shas: [] });
    return;
  }
  await publishBuild(context, state, refused > 0 ? { ...unit, refusal } : unit, claim);
}

/** The boxes that count: those of later milestones only if the turn itself changed something. */
function countedTicks(ticks: TickSets, { milestone }: BuildUnit, backing: Backing): TickSets {
  if (backing === "turn") return ticks;
  const own = ticks.get(milestone);
  return own === undefined || backing === "nothing" ? new Map() : new Map([[milestone, own]]);
}

function refusalOf(count: number, backing: Backing): string {
  const claim = `refused claim: ${String(count)} task(s) ticked`;
  if (backing !== "nothing") {
    return `${claim} that are of later milestones, by a turn that changed no file`;
  }
  return `${claim}, and no file differs from what it was when the milestone began. Make the change and commit it; if there is nothing to change, ask for a person with NEEDS_INPUT, who can tick the boxes`;
}

/** Why a turn without changes failed, with the builder's own summary, which may explain it. */
function idleOf(commits: readonly Oid[], outcome: TurnOutcome): string {
  const what =
    commits.length === 0
      ? "the turn neither committed nor ticked anything"
      : "the commits change no file, and no task was ticked";
  const summary = outcome.kind === "ended" ? outcome.summary : "";
  return summary === "" ? what : `${what}. The builder says: ${summary}`;
}

function noteUnchanged(context: RoleContext<"builder">, { milestone }: BuildUnit): void {
  note(
    context,
    `"${milestone}" was ticked without a change of its own: its work counts as done with what was built before`,
  );
}

function countOf(ticks: TickSets): number {
  return [...ticks.values()].reduce((sum, tasks) => sum + tasks.size, 0);
}

async function askPerson(
  context: RoleContext<"builder">,
  state: SessionState,
  unit: BuildUnit,
  outcome: Extract<TurnOutcome, { kind: "needs-input" | "blocked" }>,
): Promise<void> {
  const asking = await saveAsking(context, state, outcome, "what it had done");
  context.journal.append({ ...buildEnd(context, unit, []), ...asking });
}
