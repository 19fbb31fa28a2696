import { need } from "../../base/fatal.ts";
import { DOCUMENT_BYTES_MAX } from "../../base/limits.ts";
import type { Clone } from "../../base/ports/repo.ts";
import type { TurnOutcome } from "../../engines/engine.ts";
import { requestPath } from "../../fs-protocol/home/home.ts";
import {
  checkPlan,
  planProblemSentence,
  splitSentence,
  type CheckedPlan,
} from "../../fs-protocol/tasks/plan-check.ts";
import type { PlanMilestone } from "../../fs-protocol/codec/record-fields.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { diffFiles } from "../../git/repository/diffs.ts";
import type { PlannerStep } from "../../session/steps/step.ts";
import type { Attempted } from "../work/attempt-unit.ts";
import { answerTo } from "../work/questions.ts";
import type { RoleContext } from "../work/role-context.ts";
import { clip } from "../work/clip.ts";
import { runTurn } from "../turn/run-turn.ts";
import type { Asked } from "../turn/turn.ts";
import { requestFiles, REQUEST_NAME, textFile } from "../turn/turn-files.ts";
import { folderWords, pathIn, turnFolder } from "../turn/turn-folder.ts";
import { verifyWords } from "../verify/verify-words.ts";
import { standingMilestones } from "./standing-milestones.ts";

type PlanStep = Extract<PlannerStep, { kind: "plan" }>;

/** What a planner's turn gave. */
export type Draft =
  | { readonly kind: "keep" }
  | { readonly kind: "plan"; readonly text: string; readonly milestones: readonly PlanMilestone[] };

/** One attempt at a plan. */
export interface DraftAttempt {
  readonly step: PlanStep;
  readonly clone: Clone;
  readonly tasksFile: string;
  readonly attempt: number;
  readonly lastFailure: string | undefined;
}

/**
 * Asks for a plan and checks it: it must parse and leave alone what is begun. Oversized milestones
 * are asked about once, by name and count; if they stay, that is warned about and accepted (seed 003, C).
 */
export async function draftPlan(
  context: RoleContext<"planner">,
  state: SessionState,
  attempt: DraftAttempt,
): Promise<Attempted<Draft>> {
  const first = await askFor(context, state, attempt, { ask: 1, remark: attempt.lastFailure });
  if (first.kind !== "done" || first.value.checked === undefined) return asDraft(first);
  if (first.value.checked.oversized.length === 0) return asDraft(first);
  const remark = first.value.checked.oversized.map(splitSentence).join("\n");
  const { journal } = context;
  journal.append({ kind: "note", time: journal.time(), text: clip(`asks again: ${remark}`) });
  const second = await askFor(context, state, attempt, { ask: 2, remark });
  const isUsable = second.kind === "done" && second.value.checked !== undefined;
  const chosen = isUsable || second.kind === "stopped" ? second : first;
  warnOversized(context, chosen);
  return asDraft(chosen);
}

interface Answer {
  /** Undefined: the present plan was left as it is. */
  readonly checked: CheckedPlan | undefined;
  readonly text: string;
}

function asDraft(asked: Attempted<Answer>): Attempted<Draft> {
  if (asked.kind !== "done") return asked;
  const { checked, text } = asked.value;
  if (checked === undefined) return { kind: "done", value: { kind: "keep" } };
  return { kind: "done", value: { kind: "plan", text, milestones: checked.milestones } };
}

function warnOversized({ journal }: RoleContext<"planner">, asked: Attempted<Answer>): void {
  if (asked.kind !== "done") return;
  for (const { name, count } of asked.value.checked?.oversized ?? []) {
    const text = clip(`milestone "${name}" still has ${String(count)} tasks; going on with it`);
    journal.append({ kind: "note", time: journal.time(), text });
  }
}

interface Ask {
  readonly ask: number;
  readonly remark: string | undefined;
}

async function askFor(
  context: RoleContext<"planner">,
  state: SessionState,
  { step, clone, tasksFile, attempt }: DraftAttempt,
  { ask, remark }: Ask,
): Promise<Attempted<Answer>> {
  const { ports, home, session } = context;
  const present = need(ports.files.read(home.tasks, DOCUMENT_BYTES_MAX));
  const before = present === undefined ? "" : new TextDecoder().decode(present);
  // A second ask goes on from the draft that is there. Where there is no plan yet there is no file: a tool that
  // creates files refuses one that is there.
  if (ask === 1) {
    need(
      before === ""
        ? ports.files.remove(tasksFile)
        : ports.files.replace(tasksFile, Buffer.from(before)),
    );
  }
  need(await clone.syncTo(state.branch.head ?? session.base));
  const changes = step.how === "first" ? undefined : await requestDiff(context, state);
  const purpose = step.how === "first" ? "plan" : "replan";
  const outcome = await runTurn(context, {
    purpose,
    unit: step.unit,
    attempt,
    ask,
    ...askToPlan(context, state, step, { tasksFile, remark, changes }),
    cwd: clone.directory,
    milestone: undefined,
    about: { tasksFile },
  });
  return outcome.kind === "ended"
    ? check(context, state, { step, tasksFile, before })
    : asAttempted(outcome);
}

function asAttempted(outcome: Exclude<TurnOutcome, { kind: "ended" }>): Attempted<never> {
  switch (outcome.kind) {
    case "needs-input":
      return { kind: "question", outcome: "needs_input", question: outcome.question };
    case "blocked":
      return { kind: "question", outcome: "blocked", question: outcome.question };
    default:
      return outcome;
  }
}

interface Written {
  readonly step: PlanStep;
  readonly tasksFile: string;
  readonly before: string;
}

function check(
  { ports }: RoleContext<"planner">,
  state: SessionState,
  { step, tasksFile, before }: Written,
): Attempted<Answer> {
  const read = ports.files.read(tasksFile, DOCUMENT_BYTES_MAX);
  if (!read.ok || read.value === undefined) {
    return { kind: "failed", reason: "the turn left no plan in WISP_TASKS_FILE" };
  }
  const text = new TextDecoder().decode(read.value);
  if (step.how === "reconsider" && text === before) {
    return { kind: "done", value: { checked: undefined, text } };
  }
  const checked = checkPlan(text, standingMilestones(state));
  if (checked.ok) return { kind: "done", value: { checked: checked.value, text } };
  const reason = checked.failure.problems.map(planProblemSentence).join(" ");
  return { kind: "failed", reason };
}

interface Words {
  readonly tasksFile: string;
  readonly remark: string | undefined;
  /** The diff of the request, where it changed. */
  readonly changes: string | undefined;
}

function askToPlan(
  context: RoleContext<"planner">,
  state: SessionState,
  step: PlanStep,
  { tasksFile, remark, changes }: Words,
): Asked {
  const { templates, session } = context;
  const { builder, reviewer, tester, human, planner } = state;
  const open = builder.stretch.spentBefore.flatMap((id) => {
    const item = reviewer.items.get(id) ?? tester.items.get(id);
    return item === undefined ? [] : [`- ${id}: ${item.brief}`];
  });
  const again = changes === undefined ? "replan" : "update";
  const says = "what a person changed in the request since the plan was made";
  const folder = turnFolder(context, [
    ...requestFiles(context),
    ...(changes === undefined ? [] : [textFile(changes, { name: CHANGES, says })]),
  ]);
  const prompt = templates.render(step.how === "first" ? "plan" : again, {
    changes: pathIn(folder, CHANGES),
    request: pathIn(folder, REQUEST_NAME),
    files: folderWords(folder),
    verify: verifyWords(session.verify),
    tasks_file: tasksFile,
    completed: builder.milestones.map(({ name }) => `- ${name}`).join("\n") || NONE,
    open_items: open.join("\n") || NONE,
    refusal: builder.lastRefusal ?? "",
    remark: remark ?? "",
    answers: answerTo(step.unit, planner.questions, human.answers),
  });
  return { prompt, folder };
}

const CHANGES = "request.diff";
const NONE = "(none)";

/**
 * What a person changed in the request since the plan in force was made, as a diff. Undefined: nothing, or the
 * text before was not kept.
 */
async function requestDiff(
  { ports, home, session, env }: RoleContext<"planner">,
  { builder, human }: SessionState,
): Promise<string | undefined> {
  if (builder.planRequest < 0 || builder.planRequest >= human.updates) return undefined;
  const before = requestPath(home, builder.planRequest);
  if (ports.files.stat(before) === undefined) return undefined;
  const pair = { before, after: home.request };
  return need(await diffFiles({ environment: env }, session.repository, pair));
}
