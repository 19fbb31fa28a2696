import { TasksFailure } from "../../fs-protocol/tasks/tasks-md.ts";
import { TASKS_PER_MILESTONE_ADVISED_MAX } from "../../base/limits.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { EMPTY_BUILDER } from "../state/builder-state.ts";
import { canonicalTasks, isCanonical } from "../../fs-protocol/tasks/canonical-tasks.ts";
import { checkEdit, type EditDraft } from "./check-edit.ts";
import { groupTasks, type TaskGroup } from "../../fs-protocol/tasks/group-tasks.ts";
import type { OversizedMilestone } from "../../fs-protocol/tasks/plan-check.ts";
import { readChecklist } from "../../fs-protocol/request/checklist.ts";
import { readJsonRequest, type JsonRequest } from "../../fs-protocol/request/json-request.ts";
import { documentPlan, milestoneText } from "../../fs-protocol/request/document-plan.ts";
import { looseBoxes } from "../../fs-protocol/request/loose-boxes.ts";
import type { TaskListFailure } from "../../fs-protocol/request/read-task-list.ts";
import { recogniseDocument } from "../../fs-protocol/request/recognise-document.ts";
import type { TaskDocument, ToolForm } from "../../fs-protocol/request/task-document.ts";
import { readStories, storyName, type Story } from "../../fs-protocol/request/stories.ts";
import { listedText } from "../../fs-protocol/tasks/task-list.ts";
import { renderTasks } from "../../fs-protocol/tasks/tasks-render.ts";
import { scanTasks, type TasksScan } from "../../fs-protocol/tasks/tasks-scan.ts";

/** A request that lists its tasks itself, so that no planner is needed. */
export interface CompiledRequest {
  /**
   * What the request is: user stories, a TASKS.md, a JSON task list, a document of only headings
   * and checkboxes, or a document of another tool.
   */
  readonly form: "stories" | "tasks" | "list" | "checklist" | ToolForm;
  /** The plan, as the text of a TASKS.md. */
  readonly text: string;
  readonly plan: Pick<EditDraft, "milestones" | "ticks" | "cleared">;
  /** Milestones above the advised size. They are accepted as they are. */
  readonly oversized: readonly OversizedMilestone[];
  /** Names of the stories without acceptance criteria; each of them becomes a single task. */
  readonly bare: readonly string[];
  /**
   * Lines, from 1, of the checkboxes that belong to no milestone and are therefore not in the plan.
   */
  readonly loose: readonly number[];
  /** What else a person should know about the reading; sentences without a full stop. */
  readonly remarks: readonly string[];
}

/**
 * Why a request that looks like a plan is not a valid one; `problem` is printed after the file and
 * line.
 */
export type CompileFailure =
  | TasksFailure
  | TaskListFailure
  /** Every task is ticked already, so there is nothing to do. */
  | { readonly kind: "all-done" };

type Compiled = Result<CompiledRequest, CompileFailure>;

/**
 * Compiles a request of any supported form; returns undefined for prose, which a planner has to
 * plan. The form is recognized by the content: headings `### US-001: …`, headings `## Milestone: …`
 * with tasks, a list in JSON, the marks of another tool's tasks, or only headings and checkboxes.
 */
export function compileRequest(text: string): Result<CompiledRequest | undefined, CompileFailure> {
  const json = readJsonRequest(text);
  if (json !== undefined) return compileJson(json);
  const scan = scanTasks(text);
  const hasMilestones = scan.milestones.some(({ tasks }) => tasks.length > 0);
  const document = hasMilestones ? undefined : recogniseDocument(text);
  // A tasks.md of spec-kit may have headings that look like stories.
  if (document?.form === "spec-kit") return compileDocument(text, document);
  const stories = readStories(text, "US");
  if (!stories.ok) return stories;
  if (stories.value.length > 0) return compileStories(text, stories.value, scan);
  if (hasMilestones) return compileTasks(text, scan);
  return document === undefined ? compileChecklist(text) : compileDocument(text, document);
}

/**
 * Compiles the items of a revision, headings `### RI-001: …`, in the same way as stories (seed 000,
 * FR-7). There must be at least one item, and each needs acceptance criteria that define when it is
 * fixed.
 */
export function compileRevision(text: string): Compiled {
  const items = readStories(text, "RI");
  if (!items.ok) return items;
  const bare = items.value.find(({ criteria }) => criteria.length === 0);
  if (bare !== undefined) {
    const what = "no list below `**Acceptance Criteria:**`";
    const problem = `the story ${bare.id} has no acceptance criteria: ${what}`;
    return fail(TasksFailure({ line: bare.line, problem }));
  }
  if (items.value.length > 0) return compiled({ form: "stories", text: storiesPlan(items.value) });
  return fail(
    TasksFailure({ line: 1, problem: "there is no item: none begins with `### RI-001: `" }),
  );
}

function compileJson(json: JsonRequest): Compiled {
  if (json.kind === "document") {
    if (!json.document.ok) return json.document;
    const { form, milestones, remarks } = json.document.value;
    return compiled({ form, text: documentPlan(milestones), remarks });
  }
  if (json.kind === "stories") {
    return json.stories.ok ? storiesCompiled(json.stories.value, []) : json.stories;
  }
  if (!json.tasks.ok) return json.tasks;
  return compiled({ form: "list", text: groupsPlan(groupTasks(json.tasks.value)) });
}

/**
 * Rejects a document that lists work both in stories and in milestones, because the work in one of
 * the two would be lost silently.
 */
function compileStories(text: string, stories: readonly Story[], scan: TasksScan): Compiled {
  const storyCriteria = stories.flatMap(({ criteria }) => criteria);
  const tasks = scan.milestones.flatMap((milestone) => milestone.tasks.map(({ line }) => line));
  const loose = looseBoxes(text, storyCriteria);
  const outside = tasks.find((line) => loose.includes(line));
  if (outside === undefined) return storiesCompiled(stories, loose);
  const problem =
    "this task of a milestone is in no story, though the document has stories: " +
    "the work of a request stands in stories or in milestones";
  return fail(TasksFailure({ line: outside, problem }));
}

function storiesCompiled(stories: readonly Story[], loose: readonly number[]): Compiled {
  const bare = stories.filter(({ criteria }) => criteria.length === 0).map(storyName);
  return compiled({ form: "stories", text: storiesPlan(stories), bare, loose });
}

/**
 * Reports a mistake only if the document is clearly meant as a plan, that is, if a milestone
 * heading has the form that wisp writes. Otherwise its "milestones" may be chapters that happen to
 * contain checkboxes, and the document is treated as prose.
 */
function compileTasks(
  text: string,
  scan: TasksScan,
): Result<CompiledRequest | undefined, CompileFailure> {
  const plan = compiled({ form: "tasks", text: canonicalTasks(text), loose: looseIn(text, scan) });
  const isMeant = scan.milestones.some(({ heading }) => isCanonical(text, heading));
  return plan.ok || isMeant || plan.failure.kind === "all-done" ? plan : ok(undefined);
}

/** Returns undefined if its plan would be too large: its parts were not meant as tasks then. */
function compileDocument(
  text: string,
  { form, milestones, ranges, remarks }: TaskDocument,
): Result<CompiledRequest | undefined, CompileFailure> {
  const loose = looseBoxes(text, ranges);
  const plan = compiled({ form, text: documentPlan(milestones), loose, remarks });
  return plan.ok || plan.failure.kind === "all-done" ? plan : ok(undefined);
}

function looseIn(text: string, { milestones }: TasksScan): readonly number[] {
  const inMilestones = milestones.flatMap(({ tasks }) => tasks);
  return looseBoxes(
    text,
    inMilestones.map(({ line }) => ({ line, lastLine: line })),
  );
}

/**
 * Returns undefined if the document is not a valid plan, for example because a name is too long or
 * occurs twice: it was not meant as a checklist then.
 */
function compileChecklist(text: string): Result<CompiledRequest | undefined, CompileFailure> {
  const sections = readChecklist(text);
  if (sections === undefined) return ok(undefined);
  const ticks = new Map(
    sections.map(({ name, tasks }) => [name, ordinals(tasks, ({ ticked }) => ticked)] as const),
  );
  const checklist = compiled({ form: "checklist", text: renderTasks(sections, ticks) });
  return checklist.ok || checklist.failure.kind === "all-done" ? checklist : ok(undefined);
}

function compiled({
  form,
  text,
  bare = [],
  loose = [],
  remarks = [],
}: Pick<CompiledRequest, "form" | "text"> & Partial<CompiledRequest>): Compiled {
  const draft = checkEdit(text, EMPTY_BUILDER, undefined);
  if (!draft.ok) return draft;
  const { milestones, ticks, cleared } = draft.value;
  const count = milestones.reduce((sum, { tasks }) => sum + tasks.length, 0);
  const done = ticks.reduce((sum, { tasks }) => sum + tasks.length, 0);
  if (done === count) return fail({ kind: "all-done" });
  const oversized = milestones
    .filter(({ tasks }) => tasks.length > TASKS_PER_MILESTONE_ADVISED_MAX)
    .map(({ name, tasks }) => ({ name, count: tasks.length }));
  return ok({ form, text, plan: { milestones, ticks, cleared }, oversized, bare, loose, remarks });
}

function groupsPlan(groups: readonly TaskGroup[]): string {
  const plan = groups.map(({ name, tasks }) => ({
    name,
    tasks: tasks.map((task) => ({ text: listedText(task), steps: task.steps })),
  }));
  const ticks = new Map(
    groups.map(({ name, tasks }) => [name, ordinals(tasks, ({ passes }) => passes)] as const),
  );
  return renderTasks(plan, ticks);
}

/**
 * Makes each story a milestone and each of its criteria a task. A story without criteria becomes a
 * single task, with the story's bullets as steps. The description is added as a quotation, so that
 * nothing in it is parsed as part of the plan; the rest stays in the request only.
 */
function storiesPlan(stories: readonly Story[]): string {
  return stories
    .map((story) => {
      const { id, title, bullets, isDone, criteria, description } = story;
      const wholeStory = { text: title === "" ? id : title, steps: bullets, ticked: isDone };
      const tasks = criteria.length === 0 ? [wholeStory] : criteria;
      const about = description === "" ? [] : [description];
      return milestoneText({ name: storyName(story), about, tasks });
    })
    .join("\n");
}

function ordinals<T>(tasks: readonly T[], isTicked: (task: T) => boolean): ReadonlySet<number> {
  return new Set(tasks.flatMap((task, index) => (isTicked(task) ? [index + 1] : [])));
}
