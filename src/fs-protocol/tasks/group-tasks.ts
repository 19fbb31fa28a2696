import { TASKS_PER_MILESTONE_ADVISED_MAX } from "../../base/limits.ts";
import { evenParts } from "./even-parts.ts";
import type { ListedTask } from "./task-list.ts";

/** Tasks of a list that form one milestone. */
export interface TaskGroup {
  readonly name: string;
  readonly tasks: readonly ListedTask[];
}

/**
 * Groups a task list into milestones, in its order. Tasks that name a milestone belong to it,
 * wherever they are in the list. Consecutive other tasks form groups: setup tasks by themselves,
 * and the rest in parts of at most five tasks that are as even as possible.
 */
export function groupTasks(tasks: readonly ListedTask[]): readonly TaskGroup[] {
  const names = new Set(tasks.flatMap(({ milestone }) => milestone ?? []));
  const groups = new Map<string, ListedTask[]>();
  for (const { name, tasks: part } of runsOf(tasks).flatMap((run) => namedParts(run, names))) {
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [...part]);
    else group.push(...part);
  }
  return [...groups].map(([name, grouped]) => ({ name, tasks: grouped }));
}

function namedParts(run: readonly ListedTask[], names: Set<string>): readonly TaskGroup[] {
  const name = run[0]?.milestone;
  if (name !== undefined) return [{ name, tasks: run }];
  return evenParts(run, TASKS_PER_MILESTONE_ADVISED_MAX).map((part, index) => ({
    name: freeName(names, part, index),
    tasks: part,
  }));
}

/** Consecutive tasks that belong together: of one named milestone, of the setup, or of neither. */
function runsOf(tasks: readonly ListedTask[]): readonly ListedTask[][] {
  const runs: ListedTask[][] = [];
  let last: string | undefined;
  for (const task of tasks) {
    const of = task.milestone === undefined ? `:${String(isSetup(task))}` : task.milestone;
    const open = of === last ? runs.at(-1) : undefined;
    if (open === undefined) runs.push([task]);
    else open.push(task);
    last = of;
  }
  return runs;
}

/** `Setup`, `Tasks`, `Tasks 2`, …: the first unused name. */
function freeName(names: Set<string>, run: readonly ListedTask[], part: number): string {
  const word = run[0] !== undefined && isSetup(run[0]) ? "Setup" : "Tasks";
  for (let number = part + 1; ; number++) {
    const name = number === 1 ? word : `${word} ${String(number)}`;
    if (names.has(name)) continue;
    names.add(name);
    return name;
  }
}

function isSetup({ category }: ListedTask): boolean {
  return category?.toLowerCase() === "setup";
}
