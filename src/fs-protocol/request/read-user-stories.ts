import { z } from "zod";
import {
  MILESTONE_NAME_CHARS_MAX,
  MILESTONES_MAX,
  TASK_TEXT_CHARS_MAX,
  TASKS_PER_MILESTONE_MAX,
} from "../../base/limits.ts";
import { ok, type Result } from "../../base/result.ts";
import { storyName, type Story } from "./stories.ts";
import { cleaned } from "../tasks/tasks-sections.ts";
import { schemaIssueWords, listFailure, textsOf, type TaskListFailure } from "./read-task-list.ts";

const Texts = z.array(z.string()).nullish();

/** A story as other programs write it: the JSON form of `### US-001: <title>`. */
const UserStory = z.object({
  id: z.union([z.string(), z.number()]).nullish(),
  title: z.string().nullish(),
  description: z.string().nullish(),
  acceptanceCriteria: Texts,
  acceptance_criteria: Texts,
  passes: z.boolean().nullish(),
  notes: z.union([z.string(), z.array(z.string())]).nullish(),
  /** A number ranks the story; a word such as `HIGH` does not define an order. */
  priority: z.unknown().optional(),
});

/** Fields that only such a list has: other programs use `userStories` for something else. */
const Marked = z.union([
  z.object({ acceptanceCriteria: z.array(z.unknown()) }),
  z.object({ acceptance_criteria: z.array(z.unknown()) }),
  z.object({ passes: z.boolean() }),
]);

/** Whether a list holds stories that state when they are done. */
export function isUserStories(items: readonly unknown[]): boolean {
  return items.length === 0 || items.some((item) => Marked.safeParse(item).success);
}

interface Listed {
  readonly story: Story;
  readonly priority: number | undefined;
}

/**
 * Reads the `userStories` of a requirements document in JSON. All criteria of a story that passes
 * count as ticked. If every story has a numeric `priority`, stories are sorted by it, smallest
 * first.
 */
export function readUserStories(
  items: readonly unknown[],
): Result<readonly Story[], TaskListFailure> {
  if (items.length === 0) return listFailure(undefined, "there is no story in it");
  if (items.length > MILESTONES_MAX) {
    return listFailure(undefined, `there are more than ${String(MILESTONES_MAX)} stories`);
  }
  const listed: Listed[] = [];
  const keys = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    const read = UserStory.safeParse(item);
    if (!read.success) return listFailure(index + 1, schemaIssueWords(read.error));
    const story = toStory(read.data, index + 1);
    const key = (story.id === "" ? story.title : story.id).toUpperCase();
    const problem = problemOf(story, keys.get(key));
    if (problem !== undefined) return listFailure(index + 1, problem);
    keys.set(key, index + 1);
    const { priority } = read.data;
    listed.push({ story, priority: typeof priority === "number" ? priority : undefined });
  }
  return ok(inOrder(listed));
}

function inOrder(listed: readonly Listed[]): readonly Story[] {
  const isRanked = listed.every(({ priority }) => priority !== undefined);
  const order = isRanked
    ? [...listed].sort((one, other) => (one.priority ?? 0) - (other.priority ?? 0))
    : listed;
  return order.map(({ story }) => story);
}

function toStory(item: z.infer<typeof UserStory>, line: number): Story {
  const ticked = item.passes ?? false;
  const texts = textsOf(item.acceptanceCriteria, item.acceptance_criteria);
  const title = cleaned(item.title ?? "");
  const description = cleaned(item.description ?? "");
  const notes = cleaned([item.notes ?? ""].flat().join(" "));
  const about = [title === "" ? "" : description, notes].filter((text) => text !== "");
  return {
    id: cleaned(String(item.id ?? "")),
    // Either of the two can serve as the title.
    title: title === "" ? description : title,
    line,
    description: about.join(" "),
    criteria: texts.map((text) => ({ text, steps: [], ticked, line, lastLine: line })),
    bullets: [],
    isDone: ticked,
  };
}

function problemOf(story: Story, earlier: number | undefined): string | undefined {
  const { criteria } = story;
  const name = storyName(story);
  if (name === "") return "it has neither an id nor a title";
  if (earlier !== undefined) return `item ${String(earlier)} is called like that, too`;
  if (name.length > MILESTONE_NAME_CHARS_MAX) {
    return `id and title are longer than ${String(MILESTONE_NAME_CHARS_MAX)} characters`;
  }
  if (criteria.length > TASKS_PER_MILESTONE_MAX) {
    return `it has more than ${String(TASKS_PER_MILESTONE_MAX)} acceptance criteria`;
  }
  if (criteria.some(({ text }) => text.length > TASK_TEXT_CHARS_MAX)) {
    return `a criterion is longer than ${String(TASK_TEXT_CHARS_MAX)} characters`;
  }
  return undefined;
}
