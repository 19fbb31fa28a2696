import { TasksFailure } from "../tasks/tasks-md.ts";
import type { Heading, List, ListItem, RootContent } from "mdast";
import {
  MILESTONE_NAME_CHARS_MAX,
  TASK_TEXT_CHARS_MAX,
  TASKS_PER_MILESTONE_MAX,
} from "../../base/limits.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { hasStoryLine, readStoryHeading, type StoryPrefix } from "./story-heading.ts";
import { parseMarkdown } from "../tasks/tasks-scan.ts";
import {
  cleaned,
  contentOf,
  lastLineOf,
  lineOf,
  sourceOf,
  readListItem,
  stepsOf,
  type TasksSource,
} from "../tasks/tasks-sections.ts";

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
 * A story ends at the next story, or the next heading of its level or above. Its criteria are the items of
 * the lists below `Acceptance Criteria:`, up to the next label of another kind; without that label, all its
 * items that have a box. Everything else is free text. A story without criteria above deeper ones that are
 * counted by its id (`US-1` above `US-1.1`) is a heading over them.
 */
export interface Story {
  /** Such as `US-001`, as it is written; empty where a list in JSON gives none. */
  readonly id: string;
  /** What stands behind the id; may be empty. */
  readonly title: string;
  /** Of its heading, from 1. */
  readonly line: number;
  /** Its `Description:`, else its first paragraph, in one line; empty where there is none. */
  readonly description: string;
  /** May be empty. */
  readonly criteria: readonly Criterion[];
  /** All items of its lists, flat: what a story without criteria says beside its title. */
  readonly bullets: readonly string[];
  /** It is said to be done as a whole, whatever its criteria. */
  readonly isDone: boolean;
}

export interface Criterion {
  readonly text: string;
  /** Bullets nested in it, flat. */
  readonly steps: readonly string[];
  readonly ticked: boolean;
  /** Its first and its last line, from 1. */
  readonly line: number;
  readonly lastLine: number;
}

/** A story's name as a milestone. */
export function storyName({ id, title }: Pick<Story, "id" | "title">): string {
  return [id, title].filter((part) => part !== "").join(": ");
}

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
    const { line, problem } = parsed.failure;
    return hasStoryLine(text, prefix) ? fail(problemAt(line, problem)) : ok([]);
  }
  const { nodes, source } = parsed.value;
  const drafts = storiesIn(nodes, source, prefix);
  const bad = firstProblem(drafts, prefix);
  return bad === undefined ? ok(drafts.map((draft) => toStory(draft, source))) : fail(bad);
}

interface StoryDraft extends StoryStart {
  readonly criteria: readonly Criterion[];
}

interface StoryStart {
  readonly id: string;
  readonly title: string;
  readonly line: number;
  /** Level of its heading. */
  readonly depth: number;
  /** What is wrong with its heading. */
  readonly problem: string | undefined;
  readonly nodes: RootContent[];
  /** A deeper story that is counted by its id begins inside of it. */
  isGroup: boolean;
}

function storiesIn(
  nodes: readonly RootContent[],
  source: TasksSource,
  prefix: StoryPrefix,
): readonly StoryDraft[] {
  const starts: StoryStart[] = [];
  let open: StoryStart | undefined;
  for (const node of nodes) {
    const begun = node.type === "heading" ? storyOf(node, source, prefix) : undefined;
    if (begun !== undefined) {
      markGroup(open, begun);
      starts.push(begun);
      open = begun;
    } else if (node.type === "heading" && node.depth <= (open?.depth ?? 0)) open = undefined;
    else open?.nodes.push(node);
  }
  return starts
    .map((start) => ({ ...start, criteria: criteriaIn(start.nodes, source) }))
    .filter(({ isGroup, criteria, nodes }) => {
      // With a list of its own it asks for something, and is more than a heading of others.
      return !isGroup || criteria.length > 0 || nodes.some(({ type }) => type === "list");
    });
}

/** `US-1`, when `US-1.1` begins inside of it. */
function markGroup(open: StoryStart | undefined, { id, depth }: StoryStart): void {
  if (open === undefined || depth <= open.depth || !id.startsWith(open.id)) return;
  open.isGroup ||= /^[.-]\d/.test(id.slice(open.id.length));
}

function storyOf(
  heading: Heading,
  source: TasksSource,
  prefix: StoryPrefix,
): StoryStart | undefined {
  const read = readStoryHeading(cleaned(contentOf(heading, source)), prefix);
  if (read === undefined) return undefined;
  const start = { line: lineOf(heading), depth: heading.depth, nodes: [], isGroup: false };
  return read.kind === "story"
    ? { ...start, id: read.id, title: read.title, problem: undefined }
    : { ...start, id: "", title: "", problem: read.problem };
}

/** `Notes:`, `**Acceptance criteria (must):**`, or a heading below the story's: what follows is about that. */
const LABEL = /^[*_]*([\p{L}][\p{L} -]{0,60}?)(?:[ \t]*\([^()\n]{0,60}\))?[*_]*:[*_]*(?:\s|$)/u;
/** The same in bold and without a colon, alone in its line. */
const BOLD_LABEL = /^(\*\*|__)([\p{L}][\p{L} -]{0,60}?)(?:[ \t]*\([^()\n]{0,60}\))?\1\s*$/u;
const CRITERIA = /^acceptance criteria(?:\s*\([^()]*\))?$/i;

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
  const text = sourceOf(node, source);
  return (LABEL.exec(text)?.[1] ?? BOLD_LABEL.exec(text)?.[2])?.trim();
}

function itemsOf(list: List, source: TasksSource, which: "all" | "boxes"): readonly Criterion[] {
  return list.children
    .filter((item) => which === "all" || source.boxes.has(item))
    .map((item) => toCriterion(item, source));
}

function toCriterion(item: ListItem, source: TasksSource): Criterion {
  return { ...readListItem(item, source), line: lineOf(item), lastLine: lastLineOf(item) };
}

function firstProblem(
  drafts: readonly StoryDraft[],
  prefix: StoryPrefix,
): TasksFailure | undefined {
  const lines = new Map<string, number>();
  for (const { id, title, line, problem, criteria } of drafts) {
    if (problem !== undefined) return problemAt(line, problem);
    const earlier = lines.get(id.toUpperCase());
    if (earlier !== undefined) {
      const what = `the story ${id} is already at line ${String(earlier)}; ids are unique`;
      return problemAt(line, what);
    }
    lines.set(id.toUpperCase(), line);
    if (storyName({ id, title }).length > MILESTONE_NAME_CHARS_MAX) {
      const room = String(MILESTONE_NAME_CHARS_MAX - id.length - 2);
      return problemAt(line, `the title of ${id} is longer than ${room} characters`);
    }
    const bad = criteriaProblem({ id, line, criteria });
    if (bad !== undefined) return bad;
  }
  return tooMany(drafts, prefix);
}

/** As many as a plan may have milestones. */
export const STORIES_MAX = 200;

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
  const bullets = nodes.flatMap((node) => (node.type === "list" ? stepsOf(node, source) : []));
  const description = descriptionOf(nodes, source);
  return { id, title, line, criteria, bullets, description, isDone: false };
}

function descriptionOf(nodes: readonly RootContent[], source: TasksSource): string {
  const paragraphs = nodes.flatMap((node) => (node.type === "paragraph" ? [node] : []));
  const labelled = paragraphs
    .map((node) => cleaned(sourceOf(node, source)))
    .find((text) => /^description$/i.test(LABEL.exec(text)?.[1] ?? ""));
  if (labelled !== undefined) return labelled.replace(LABEL, "").trim();
  const [first] = paragraphs;
  if (first === undefined || labelOf(first, source) !== undefined) return "";
  return cleaned(sourceOf(first, source));
}

function problemAt(line: number, problem: string): TasksFailure {
  return TasksFailure({ line, problem });
}
