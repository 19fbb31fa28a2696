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
 * Where the milestones and the boxes of a TASKS.md stand, whether it is valid or not. `tasks-md.ts`
 * judges what is found here; `tasks-ticks.ts` edits by its offsets.
 */
export interface TasksScan {
  readonly milestones: readonly ScannedMilestone[];
  /** Why it is no plan, in the order of the document: near misses, or a text too large to parse. */
  readonly problems: readonly ScanProblem[];
  /** UTF-16 offsets of the character inside every box, those of steps and of free text included. */
  readonly boxOffsets: readonly number[];
}

/**
 * Inline syntax is not parsed: names and texts are taken from the source as written, and emphasis or
 * links inside them mean nothing here. It also keeps the parser's slowest parts away from text that
 * a model wrote.
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

/** Finds milestones, tasks and boxes; nothing but a problem in a text too large for the parser. */
export function scanTasks(text: string): TasksScan {
  const parsed = parseMarkdown(text);
  if (!parsed.ok) return { milestones: [], problems: [parsed.failure], boxOffsets: [] };
  const { nodes, source } = parsed.value;
  return { ...readTasksSections(nodes, source), boxOffsets: [...source.boxes.values()] };
}

/** A document in which headings, lists and boxes are told apart, and nothing inside a line. */
export interface ParsedMarkdown {
  readonly nodes: readonly RootContent[];
  readonly source: TasksSource;
}

/** Parses a text, if it is not too large to be parsed in time. */
export function parseMarkdown(text: string): Result<ParsedMarkdown, ScanProblem> {
  const excess = excessOf(text);
  if (excess !== undefined) return fail(excess);
  // The parser leaves out a byte order mark and would count from behind it. One space in its place
  // keeps all offsets and means nothing to Markdown.
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

/** Remembers by list item where its box is: positions in the tree begin behind it. */
function boxRecorder(boxes: Map<object, number>): MdastExtension {
  const record: Handle = function (token) {
    const item = this.stack.at(-2);
    // The parser takes a line end for an empty box, too; ticking it would join two lines.
    const isOneCharacter = token.end.line === token.start.line;
    if (item !== undefined && isOneCharacter) boxes.set(item, token.start.offset);
  };
  return { enter: { taskListCheckValueChecked: record, taskListCheckValueUnchecked: record } };
}
