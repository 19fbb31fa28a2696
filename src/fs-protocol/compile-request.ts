import { TASKS_PER_MILESTONE_ADVISED_MAX } from "../base/limits.ts";
import { fail, ok, type Result } from "../base/result.ts";
import { EMPTY_BUILDER } from "./builder-state.ts";
import { checkEdit, type EditDraft } from "./check-edit.ts";
import { groupTasks, type TaskGroup } from "./group-tasks.ts";
import type { OversizedMilestone } from "./plan-check.ts";
import { readStories, type Story } from "./stories.ts";
import { readTaskList, type TaskListFailure } from "./task-list.ts";
import type { TasksFailure } from "./tasks-md.ts";
import { renderTasks } from "./tasks-render.ts";
import { scanTasks } from "./tasks-scan.ts";

/** A request that says by itself what is to be done, task for task: nobody has to plan it. */
export interface CompiledRequest {
  /** Stories of a requirements document, a TASKS.md, or a JSON task list. */
  readonly form: "stories" | "tasks" | "list";
  /** The plan: a TASKS.md. */
  readonly text: string;
  readonly plan: Pick<EditDraft, "milestones" | "ticks" | "cleared">;
  /** Above the advised size; they are taken as they are. */
  readonly oversized: readonly OversizedMilestone[];
}

/** Why a request that looks like a plan is none; `problem` goes behind the place. */
export type CompileFailure =
  | TasksFailure
  | TaskListFailure
  /** Every task of it is ticked: there is nothing to do. */
  | { readonly kind: "all-done" };

/**
 * Compiles a request, whichever form it has; undefined: it is prose, for a planner. What it is shows in
 * what stands there: headings `### US-001: …`, or `## Milestone: …` with tasks, or a JSON list.
 */
export function compileRequest(text: string): Result<CompiledRequest | undefined, CompileFailure> {
  const list = readTaskList(text);
  if (list !== undefined) {
    return list.ok ? compiled("list", renderTasks(...rendered(groupTasks(list.value)))) : list;
  }
  const stories = readStories(text, "US");
  if (!stories.ok) return stories;
  if (stories.value.length > 0) return compiled("stories", storiesPlan(stories.value));
  const isPlan = scanTasks(text).milestones.some(({ tasks }) => tasks.length > 0);
  return isPlan ? compiled("tasks", text) : ok(undefined);
}

/**
 * Compiles the items of a revision, headings `### RI-001: …`, as stories are (seed 000, FR-7). Without any
 * there is nothing to do.
 */
export function compileRevision(text: string): Result<CompiledRequest, CompileFailure> {
  const items = readStories(text, "RI");
  if (!items.ok) return items;
  if (items.value.length > 0) return compiled("stories", storiesPlan(items.value));
  return fail({
    kind: "tasks",
    line: 1,
    problem: "there is no item: none begins with `### RI-001: `",
  });
}

function compiled(
  form: CompiledRequest["form"],
  text: string,
): Result<CompiledRequest, CompileFailure> {
  const draft = checkEdit(text, EMPTY_BUILDER, undefined);
  if (!draft.ok) return draft;
  const { milestones, ticks, cleared } = draft.value;
  const count = milestones.reduce((sum, { tasks }) => sum + tasks.length, 0);
  const done = ticks.reduce((sum, { tasks }) => sum + tasks.length, 0);
  if (done === count) return fail({ kind: "all-done" });
  const oversized = milestones
    .filter(({ tasks }) => tasks.length > TASKS_PER_MILESTONE_ADVISED_MAX)
    .map(({ name, tasks }) => ({ name, count: tasks.length }));
  return ok({ form, text, plan: { milestones, ticks, cleared }, oversized });
}

function rendered(groups: readonly TaskGroup[]): Parameters<typeof renderTasks> {
  const plan = groups.map(({ name, tasks }) => ({
    name,
    tasks: tasks.map(({ category, description, steps }) => ({
      text: category === undefined ? description : `[${category}] ${description}`,
      steps,
    })),
  }));
  const ticks = new Map(
    groups.map(({ name, tasks }) => [name, ordinals(tasks, ({ passes }) => passes)] as const),
  );
  return [plan, ticks];
}

/**
 * A milestone for each story, its criteria the tasks. Its description stands there as a quotation, which
 * is free text whatever it says; the rest is in the request.
 */
function storiesPlan(stories: readonly Story[]): string {
  return stories
    .map((story) => {
      const name = `${story.id}: ${story.title}`;
      const ticks = new Map([[name, ordinals(story.criteria, ({ ticked }) => ticked)]]);
      const text = renderTasks([{ name, tasks: story.criteria }], ticks);
      const [heading = "", ...rest] = text.split("\n");
      const quoted = story.description === "" ? [] : ["", `> ${story.description}`];
      return [heading, ...quoted, ...rest].join("\n");
    })
    .join("\n");
}

function ordinals<T>(tasks: readonly T[], isTicked: (task: T) => boolean): ReadonlySet<number> {
  return new Set(tasks.flatMap((task, index) => (isTicked(task) ? [index + 1] : [])));
}
