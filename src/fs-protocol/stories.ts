import type { Heading, List, ListItem, RootContent } from "mdast";
import {
  MILESTONE_NAME_CHARS_MAX,
  TASK_TEXT_CHARS_MAX,
  TASKS_PER_MILESTONE_MAX,
} from "../base/limits.ts";
import { fail, ok, type Result } from "../base/result.ts";
import type { TasksFailure } from "./tasks-md.ts";
import { parseMarkdown } from "./tasks-scan.ts";
import {
  cleaned,
  contentOf,
  lineOf,
  sourceOf,
  stepsOf,
  textOf,
  type TasksSource,
} from "./tasks-sections.ts";

/**
 * Stories of a requirements document, or items of a revision, which are written alike:
 *
 *     ### US-001: Read a file
 *
 *     **Description:** As a user, I want to name a file.
 *
 *     **Acceptance Criteria:**
 *
 *     - [ ] A file that is not there is named in the message
 *
 * A story ends at the next heading of its level or above. Its criteria are the items of the lists below
 * `Acceptance Criteria:`, up to the next such label; without that label, all its items that have a box.
 * Everything else is free text.
 */
export interface Story {
  /** Such as `US-001`. */
  readonly id: string;
  /** What stands behind the id; never empty. */
  readonly title: string;
  /** Of its heading, from 1. */
  readonly line: number;
  /** Its `Description:`, else its first paragraph, in one line; empty where there is none. */
  readonly description: string;
  /** Never empty. */
  readonly criteria: readonly Criterion[];
}

export interface Criterion {
  readonly text: string;
  /** Bullets nested in it, flat. */
  readonly steps: readonly string[];
  readonly ticked: boolean;
  readonly line: number;
}

/** Letters before the number of a story, without the hyphen: `US`, or `RI`. */
export type StoryPrefix = "US" | "RI";

/**
 * The stories of a document, in its order. None at all are no failure: then it is another document. What
 * is nearly a story is one, since to pass over it in silence would lose work.
 */
export function readStories(
  text: string,
  prefix: StoryPrefix,
): Result<readonly Story[], TasksFailure> {
  const parsed = parseMarkdown(text);
  if (!parsed.ok) {
    // Too large for the parser: it may still be a text that is nothing but free.
    return hasStory(text, prefix) ? failure(parsed.failure.line, parsed.failure.problem) : ok([]);
  }
  const { nodes, source } = parsed.value;
  const drafts = storiesIn(nodes, source, prefix);
  const bad = firstProblem(drafts, prefix);
  if (bad !== undefined) return fail(bad);
  return ok(drafts.map((draft) => toStory(draft, source)));
}

function hasStory(text: string, prefix: StoryPrefix): boolean {
  return new RegExp(`^ {0,3}### ${prefix}-\\d+:`, "m").test(text);
}

interface StoryDraft {
  readonly id: string;
  readonly title: string;
  readonly line: number;
  /** What is wrong with its heading. */
  readonly problem: string | undefined;
  readonly nodes: RootContent[];
  readonly criteria: readonly Criterion[];
}

const STORY_DEPTH = 3;

function storiesIn(
  nodes: readonly RootContent[],
  source: TasksSource,
  prefix: StoryPrefix,
): readonly StoryDraft[] {
  const drafts: Omit<StoryDraft, "criteria">[] = [];
  let open: RootContent[] | undefined;
  for (const node of nodes) {
    const begun = node.type === "heading" ? storyOf(node, source, prefix) : undefined;
    if (begun !== undefined) drafts.push(begun);
    if (begun !== undefined) open = begun.nodes;
    else if (node.type === "heading" && node.depth <= STORY_DEPTH) open = undefined;
    else open?.push(node);
  }
  return drafts.map((draft) => ({ ...draft, criteria: criteriaIn(draft.nodes, source) }));
}

function storyOf(
  heading: Heading,
  source: TasksSource,
  prefix: StoryPrefix,
): Omit<StoryDraft, "criteria"> | undefined {
  const text = cleaned(contentOf(heading, source));
  const found = new RegExp(`^[*_]*(${prefix}-?\\d+)\\b[*_]*(:?)(.*)$`, "i").exec(text);
  if (found === null) return undefined;
  const [, id = "", colon = "", rest = ""] = found;
  const title = rest.replace(/^[*_]+/, "").trim();
  const isWell =
    heading.depth === STORY_DEPTH && colon === ":" && new RegExp(`^${prefix}-\\d+$`).test(id);
  const problem = isWell
    ? undefined
    : `a story is written \`### ${prefix}-001: <title>\`, at level 3`;
  return { id, title, line: lineOf(heading), problem, nodes: [] };
}

/** `**Acceptance Criteria:**`, `Notes:`, or a heading below the story's: what follows is about that. */
const LABEL = /^[*_]*([\p{L}][\p{L} -]{0,60}?)[*_]*:[*_]*(?:\s|$)/u;
const CRITERIA = /^acceptance criteria$/i;

function criteriaIn(nodes: readonly RootContent[], source: TasksSource): readonly Criterion[] {
  let label = "";
  const labelled = nodes.flatMap((node) => {
    label = labelOf(node, source) ?? label;
    return node.type === "list" && CRITERIA.test(label) ? itemsOf(node, source, "all") : [];
  });
  if (labelled.length > 0) return labelled;
  return nodes.flatMap((node) => (node.type === "list" ? itemsOf(node, source, "boxes") : []));
}

function labelOf(node: RootContent, source: TasksSource): string | undefined {
  if (node.type === "heading") return cleaned(contentOf(node, source)).replace(/[*_:]/g, "").trim();
  if (node.type !== "paragraph") return undefined;
  return LABEL.exec(sourceOf(node, source))?.[1]?.trim();
}

function itemsOf(list: List, source: TasksSource, which: "all" | "boxes"): readonly Criterion[] {
  return list.children.flatMap((item) => {
    const boxOffset = source.boxes.get(item);
    return boxOffset === undefined && which === "boxes" ? [] : [toCriterion(item, source)];
  });
}

function toCriterion(item: ListItem, source: TasksSource): Criterion {
  const boxOffset = source.boxes.get(item);
  return {
    text: textOf(item, source),
    steps: item.children.flatMap((child) => (child.type === "list" ? stepsOf(child, source) : [])),
    ticked: boxOffset !== undefined && /[xX]/.test(source.text.charAt(boxOffset)),
    line: lineOf(item),
  };
}

function firstProblem(
  drafts: readonly StoryDraft[],
  prefix: StoryPrefix,
): TasksFailure | undefined {
  const lines = new Map<string, number>();
  for (const { id, title, line, problem, criteria } of drafts) {
    if (problem !== undefined) return problemAt(line, problem);
    const earlier = lines.get(id);
    if (earlier !== undefined) {
      return problemAt(
        line,
        `the story ${id} is already at line ${String(earlier)}; ids are unique`,
      );
    }
    lines.set(id, line);
    if (title === "") return problemAt(line, `the story ${id} has no title`);
    if (id.length + title.length + 2 > MILESTONE_NAME_CHARS_MAX) {
      return problemAt(line, `the title of ${id} is longer than ${nameRoom(id)} characters`);
    }
    const bad = criteriaProblem({ id, line, criteria });
    if (bad !== undefined) return bad;
  }
  return drafts.length === 0 ? undefined : tooMany(drafts, prefix);
}

function nameRoom(id: string): string {
  return String(MILESTONE_NAME_CHARS_MAX - id.length - 2);
}

const STORIES_MAX = 200;

function tooMany(drafts: readonly StoryDraft[], prefix: StoryPrefix): TasksFailure | undefined {
  const beyond = drafts[STORIES_MAX];
  if (beyond === undefined) return undefined;
  return problemAt(beyond.line, `there are more than ${String(STORIES_MAX)} stories (${prefix}-…)`);
}

function criteriaProblem({
  id,
  line,
  criteria,
}: Pick<StoryDraft, "id" | "line" | "criteria">): TasksFailure | undefined {
  if (criteria.length === 0) {
    const what = "no list below `**Acceptance Criteria:**`";
    return problemAt(line, `the story ${id} has no acceptance criteria: ${what}`);
  }
  if (criteria.length > TASKS_PER_MILESTONE_MAX) {
    const max = String(TASKS_PER_MILESTONE_MAX);
    return problemAt(line, `the story ${id} has more than ${max} acceptance criteria`);
  }
  const empty = criteria.find(({ text }) => text === "");
  if (empty !== undefined) return problemAt(empty.line, `a criterion of ${id} has no text`);
  const long = criteria.find(({ text }) => text.length > TASK_TEXT_CHARS_MAX);
  if (long === undefined) return undefined;
  const max = String(TASK_TEXT_CHARS_MAX);
  return problemAt(long.line, `a criterion of ${id} is longer than ${max} characters`);
}

function toStory({ id, title, line, nodes, criteria }: StoryDraft, source: TasksSource): Story {
  return { id, title, line, criteria, description: descriptionOf(nodes, source) };
}

function descriptionOf(nodes: readonly RootContent[], source: TasksSource): string {
  const paragraphs = nodes.flatMap((node) =>
    node.type === "paragraph" ? [cleaned(sourceOf(node, source))] : [],
  );
  const labelled = paragraphs.find((text) => /^description$/i.test(LABEL.exec(text)?.[1] ?? ""));
  if (labelled !== undefined) return labelled.replace(LABEL, "").trim();
  const first = paragraphs[0] ?? "";
  return LABEL.test(first) ? "" : first;
}

function failure(line: number, problem: string): Result<never, TasksFailure> {
  return fail(problemAt(line, problem));
}

function problemAt(line: number, problem: string): TasksFailure {
  return { kind: "tasks", line, problem };
}
