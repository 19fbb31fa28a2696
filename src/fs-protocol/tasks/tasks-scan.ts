import type { RootContent } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmTaskListItemFromMarkdown } from "mdast-util-gfm-task-list-item";
import { gfmTaskListItem } from "micromark-extension-gfm-task-list-item";
import { TASKS_CHARS_MAX, TASKS_INDENT_CHARS_MAX, TASKS_LINES_MAX } from "../../base/limits.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import {
  readTasksSections,
  type ScannedMilestone,
  type ScanProblem,
  type TasksSource,
} from "./tasks-sections.ts";

/**
 * The positions of milestones and boxes in a TASKS.md, valid or not. `tasks-md.ts` validates what
 * is found here; `tasks-ticks.ts` edits by these offsets.
 */
export interface TasksScan {
  readonly milestones: readonly ScannedMilestone[];
  /** Why it is not a valid plan, in document order: near misses, or a text too large to parse. */
  readonly problems: readonly ScanProblem[];
  /** UTF-16 offsets of the character inside every box, including boxes of steps and free text. */
  readonly boxOffsets: readonly number[];
}

/**
 * Inline syntax is not parsed: names and texts are used as written, and emphasis or links in them
 * have no meaning here. This also keeps the parser's slowest parts away from text that a model
 * wrote.
 */
const INLINE_SYNTAX = [
  "attention",
  "autolink",
  "characterEscape",
  "characterReference",
  "codeText",
  "hardBreakEscape",
  "htmlText",
  "labelEnd",
  "labelStartImage",
  "labelStartLink",
];

/** Quote and list markers with the white space around them, at the start of a line. */
const CONTAINERS = /^(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])))*[ \t]*/;

/**
 * Finds milestones, tasks and boxes. For a text that is too large for the parser, returns only a
 * problem.
 */
export function scanTasks(text: string): TasksScan {
  const parsed = parseMarkdown(text);
  if (!parsed.ok) return { milestones: [], problems: [parsed.failure], boxOffsets: [] };
  const { nodes, source } = parsed.value;
  return { ...readTasksSections(nodes, source), boxOffsets: [...source.boxes.values()] };
}

/** A document whose headings, lists and boxes were parsed, but no inline syntax. */
export interface ParsedMarkdown {
  readonly nodes: readonly RootContent[];
  readonly source: TasksSource;
}

/** Parses a text unless it is too large to parse quickly. */
export function parseMarkdown(text: string): Result<ParsedMarkdown, ScanProblem> {
  const excess = excessOf(text);
  if (excess !== undefined) return fail(excess);
  // The parser drops a byte order mark and counts offsets from after it. A space in its place keeps
  // all offsets and has no meaning in Markdown.
  const source = text.replace(/^\ufeff/, " ");
  const boxes = new Map<object, number>();
  const root = fromMarkdown(source, {
    extensions: [gfmTaskListItem(), { disable: { null: INLINE_SYNTAX } }],
    mdastExtensions: [gfmTaskListItemFromMarkdown(), boxRecorder(boxes)],
  });
  return ok({ nodes: root.children, source: { text: source, boxes } });
}

function excessOf(text: string): ScanProblem | undefined {
  if (text.length > TASKS_CHARS_MAX) {
    return { line: 1, problem: `the text is longer than ${String(TASKS_CHARS_MAX)} characters` };
  }
  let weight = 0;
  for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
    const containers = CONTAINERS.exec(line)?.[0] ?? "";
    weight += Math.max(1, markersIn(containers));
    if (containers.length > TASKS_INDENT_CHARS_MAX) {
      return { line: index + 1, problem: "the line is nested too deeply" };
    }
    if (weight > TASKS_LINES_MAX) {
      return { line: index + 1, problem: `there are more than ${String(TASKS_LINES_MAX)} lines` };
    }
  }
  return undefined;
}

function markersIn(containers: string): number {
  return containers.match(/>|[-*+.)]/g)?.length ?? 0;
}

type MdastExtension = ReturnType<typeof gfmTaskListItemFromMarkdown>;
type Handle = NonNullable<MdastExtension["enter"]>[string];

/** Records the position of each list item's box: node positions in the tree begin after it. */
function boxRecorder(boxes: Map<object, number>): MdastExtension {
  const record: Handle = function (token) {
    const item = this.stack.at(-2);
    // The parser also accepts a line end as an empty box; ticking that would join two lines.
    const isOneCharacter = token.end.line === token.start.line;
    if (item !== undefined && isOneCharacter) boxes.set(item, token.start.offset);
  };
  return { enter: { taskListCheckValueChecked: record, taskListCheckValueUnchecked: record } };
}
