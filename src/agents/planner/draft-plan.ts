import { join } from "node:path";
import { need } from "../../base/fatal.ts";
import { DOCUMENT_BYTES_MAX } from "../../base/limits.ts";
import { planPath, requestPath } from "../../fs-protocol/home/home.ts";
import {
  checkPlan,
  planProblemSentence,
  splitSentence,
  type CheckedPlan,
  type StandingMilestone,
} from "../../fs-protocol/tasks/plan-check.ts";
import type { PlanMilestone } from "../../fs-protocol/codec/record-fields.ts";
import { recordedNames, isBegun } from "../../session/rules/build-order.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { diffFiles } from "../../git/repository/diffs.ts";
import type { PlannerStep } from "../../session/steps/step.ts";
import { answerTo, asAttempted, type Attempted } from "../../work/unit.ts";
import type { RoleContext } from "../../work/role-context.ts";
import { note } from "../../work/journal.ts";
import { runTurn } from "../../work/turn/run-turn.ts";
import type { Asked } from "../../work/turn/turn.ts";
import { requestFiles, REQUEST_NAME, textFile } from "../../work/turn/turn-files.ts";
import { folderWords, pathIn, turnFolder, type TurnFile } from "../../work/turn/turn-folder.ts";
import { verifyWords } from "../../evidence/verify/verify-words.ts";

export type PlanStep = Extract<PlannerStep, { kind: "plan" }>;

/** The result of a planner's turn: the present plan stays, or a new one. */
export type Draft =
  | { readonly kind: "keep" }
  | { readonly kind: "plan"; readonly text: string; readonly milestones: readonly PlanMilestone[] };

/** The file that a turn writes its draft to. */
export function draftPath({ session }: RoleContext<"planner">): string {
  return join(session.state, "planner", "tasks", "TASKS.md");
}

/** The milestones that a new plan must not change, as far as the planner can see; the builder checks this again. */
export function standingMilestones({ builder }: SessionState): readonly StandingMilestone[] {
  const recorded = recordedNames(builder);
  return builder.plan.flatMap((milestone): readonly StandingMilestone[] => {
    if (recorded.has(milestone.name)) return [{ ...milestone, state: "completed" }];
    if (isBegun(builder, milestone.name)) return [{ ...milestone, state: "started" }];
    return [];
  });
}

/**
 * Makes one attempt: asks for a plan, which must parse and not change milestones that have begun. If milestones are
 * too large, asks once more, naming them and their sizes; if they stay, notes that and accepts them (seed 003, C).
 */
export async function draftPlan(
  context: RoleContext<"planner">,
  state: SessionState,
  step: PlanStep,
  { number, lastFailure }: { readonly number: number; readonly lastFailure: string | undefined },
): Promise<Attempted<Draft>> {
  const once = { attempt: number, ask: 1, remark: lastFailure };
  const first = await askFor(context, state, step, once);
  if (first.kind !== "done" || first.value.checked === undefined) return asDraft(first);
  if (first.value.checked.oversized.length === 0) return asDraft(first);
  const remark = first.value.checked.oversized.map(splitSentence).join("\n");
  note(context, `asks again: ${remark}`);
  const second = await askFor(context, state, step, { ...once, ask: 2, remark });
  const isUsable = second.kind === "done" && second.value.checked !== undefined;
  const chosen = isUsable || second.kind === "stopped" ? second : first;
  warnOversized(context, chosen);
  return asDraft(chosen);
}

interface Answer {
  /** Undefined if the turn did not change the present plan. */
  readonly checked: CheckedPlan | undefined;
  readonly text: string;
}

function asDraft(asked: Attempted<Answer>): Attempted<Draft> {
  if (asked.kind !== "done") return asked;
  const { checked, text } = asked.value;
  if (checked === undefined) return { kind: "done", value: { kind: "keep" } };
  return { kind: "done", value: { kind: "plan", text, milestones: checked.milestones } };
}

function warnOversized(context: RoleContext<"planner">, asked: Attempted<Answer>): void {
  if (asked.kind !== "done") return;
  for (const { name, count } of asked.value.checked?.oversized ?? []) {
    note(context, `milestone "${name}" still has ${String(count)} tasks; going on with it`);
  }
}

interface Ask {
  readonly attempt: number;
  readonly ask: number;
  readonly remark: string | undefined;
}

async function askFor(
  context: RoleContext<"planner">,
  state: SessionState,
  step: PlanStep,
  { attempt, ask, remark }: Ask,
): Promise<Attempted<Answer>> {
  const { ports, home, session } = context;
  const clone = await context.clone();
  const tasksFile = draftPath(context);
  const present = need(ports.files.read(home.tasks, DOCUMENT_BYTES_MAX));
  const before = present === undefined ? "" : new TextDecoder().decode(present);
  // A second ask continues with the draft of the first. Without a present plan the file must not exist, because tools
  // of engines that create files refuse an existing one.
  if (ask === 1) {
    need(
      before === ""
        ? ports.files.remove(tasksFile)
        : ports.files.replace(tasksFile, Buffer.from(before)),
    );
  }
  need(await clone.syncTo(state.branch.head ?? session.base));
  const changes = step.how === "first" ? undefined : await requestDiff(context, state);
  const outcome = await runTurn(context, {
    purpose: step.how === "first" ? "plan" : "replan",
    ...{ unit: step.unit, attempt, ask },
    ...askToPlan(context, state, step, { remark, changes }),
    cwd: clone.directory,
    milestone: undefined,
    about: { tasksFile },
  });
  return outcome.kind === "ended" ? check(context, state, step, before) : asAttempted(outcome);
}

function check(
  context: RoleContext<"planner">,
  state: SessionState,
  { how }: PlanStep,
  before: string,
): Attempted<Answer> {
  const read = context.ports.files.read(draftPath(context), DOCUMENT_BYTES_MAX);
  if (!read.ok || read.value === undefined) {
    return { kind: "failed", reason: "the turn left no plan in WISP_TASKS_FILE" };
  }
  const text = new TextDecoder().decode(read.value);
  if (how === "reconsider" && text === before) {
    return { kind: "done", value: { checked: undefined, text } };
  }
  const checked = checkPlan(text, standingMilestones(state));
  if (checked.ok) return { kind: "done", value: { checked: checked.value, text } };
  const reason = checked.failure.problems.map(planProblemSentence).join(" ");
  return { kind: "failed", reason };
}

/** @param changes the diff of the request, if it changed */
function askToPlan(
  context: RoleContext<"planner">,
  state: SessionState,
  step: PlanStep,
  { remark, changes }: Pick<Ask, "remark"> & { readonly changes: string | undefined },
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
    ...rejectedFile(context, state),
  ]);
  const prompt = templates.render(step.how === "first" ? "plan" : again, {
    changes: pathIn(folder, CHANGES),
    request: pathIn(folder, REQUEST_NAME),
    files: folderWords(folder),
    verify: verifyWords(session.verify),
    tasks_file: draftPath(context),
    completed: builder.milestones.map(({ name }) => `- ${name}`).join("\n") || NONE,
    open_items: open.join("\n") || NONE,
    refusal: builder.lastRefusal ?? "",
    remark: remark ?? "",
    answers: answerTo(step.unit, planner.questions, human.answers),
  });
  return { prompt, folder };
}

/** The last plan, if a person rejected it by changing the request: what is wanted is at the end of the request. */
function rejectedFile(
  { ports, home }: RoleContext<"planner">,
  { builder, planner }: SessionState,
): readonly TurnFile[] {
  const staged = planner.answers.findLast((answer) => answer.staged !== undefined)?.staged;
  if (staged === undefined || builder.rejected !== staged.plan) return [];
  const bytes = need(ports.files.read(planPath(home, staged.plan), DOCUMENT_BYTES_MAX));
  const says =
    "the plan that a person rejected; the end of the request says what is wanted instead";
  return bytes === undefined ? [] : [{ name: "rejected-plan.md", bytes, says }];
}

const CHANGES = "request.diff";
const NONE = "(none)";

/**
 * The diff of the request since the plan in force was made. Undefined if a person changed nothing, or the earlier
 * text was not kept.
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
