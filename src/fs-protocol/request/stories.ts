import { TasksFailure } from "../tasks/tasks-md.ts";
import type { Heading, List, ListItem, RootContent } from "mdast";
import {
  MILESTONE_NAME_CHARS_MAX,
  MILESTONES_MAX,
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
 * A story of a requirements document, or an item of a revision, which is written alike:
 *
 *     ### US-001: Read a file
 *
 *     **Description:** As a user, I want to name a file.
 *
 *     **Acceptance Criteria:**
 *
 *     - [ ] A file that is not there is named in the message
 *
 * A story ends at the next story, or at the next heading of its level or above. Its criteria are
 * the items of the lists below `Acceptance Criteria:`, up to the next label; without that label,
 * all items that have a box. Everything else is free text. A story without criteria whose id
 * prefixes those of deeper stories (`US-1` above `US-1.1`) is only a heading over them.
 */
export interface Story {
  /** Such as `US-001`, as written; empty if a JSON list gives none. */
  readonly id: string;
  /** The text after the id; may be empty. */
  readonly title: string;
  /** Line of its heading, from 1. */
  readonly line: number;
  /** Its `Description:`, or else its first paragraph, on one line; empty if it has neither. */
  readonly description: string;
  /** May be empty. */
  readonly criteria: readonly Criterion[];
  /** All items of its lists, flattened: the content of a story that has no criteria. */
  readonly bullets: readonly string[];
  /** Whether the whole story is marked as done, whatever its criteria. */
  readonly isDone: boolean;
}

export interface Criterion {
  readonly text: string;
  /** Bullets nested in it, flattened. */
  readonly steps: readonly string[];
  readonly ticked: boolean;
  /** Its first and last line, from 1. */
  readonly line: number;
  readonly lastLine: number;
}

/** A story's name as a milestone. */
export function storyName({ id, title }: Pick<Story, "id" | "title">): string {
  return [id, title].filter((part) => part !== "").join(": ");
}

/**
 * Reads the stories of a document, in order. A document without any is not a failure: it is another
 * kind of document. A heading that is nearly a story is a failure, since skipping it silently would
 * lose work.
 */
export function readStories(
  text: string,
  prefix: StoryPrefix,
): Result<readonly Story[], TasksFailure> {
  const parsed = parseMarkdown(text);
  if (!parsed.ok) {
    // Too large for the parser, but it may still be plain prose.
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
  /** What is wrong with its heading, if anything. */
  readonly problem: string | undefined;
  readonly nodes: RootContent[];
  /** Whether a deeper story whose id extends this one's begins inside of it. */
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
      // A story with a list of its own asks for something, so it is more than a heading over
      // others.
      return !isGroup || criteria.length > 0 || nodes.some(({ type }) => type === "list");
    });
}

/** Marks `US-1` as a group if `US-1.1` begins inside of it. */
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

/**
 * `Notes:`, `**Acceptance criteria (must):**`, or a heading below the story's: it labels what
 * follows.
 */
const LABEL = /^[*_]*([\p{L}][\p{L} -]{0,60}?)(?:[ \t]*\([^()\n]{0,60}\))?[*_]*:[*_]*(?:\s|$)/u;
/** The same in bold and without a colon, alone on its line. */
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

function tooMany(drafts: readonly StoryDraft[], prefix: StoryPrefix): TasksFailure | undefined {
  const beyond = drafts[MILESTONES_MAX];
  if (beyond === undefined) return undefined;
  return problemAt(
    beyond.line,
    `there are more than ${String(MILESTONES_MAX)} stories (${prefix}-…)`,
  );
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
