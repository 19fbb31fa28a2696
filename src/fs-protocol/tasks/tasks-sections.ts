import type { Heading, List, ListItem, Nodes, Paragraph, RootContent } from "mdast";
import { present, unreachable } from "../../base/assert.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import { readMilestoneHeading } from "./milestone-heading.ts";

/**
 * The milestones of a parsed TASKS.md.
 *
 * A section begins at a `## Milestone: <name>` heading and ends at the next heading of its level or
 * above. Headings of other levels, or with a number or dash (`# Milestone 2b: <name>`), are
 * milestones too; if two would have the same name, the later one keeps its number. A section's
 * tasks are the outermost task list items of its lists; bullets nested in a task are its steps.
 * Quotes, fenced code, HTML and everything else are free text. What is nearly a milestone or a task
 * is a problem: skipping it silently would lose work.
 */
export interface Sections {
  readonly milestones: readonly ScannedMilestone[];
  readonly problems: readonly ScanProblem[];
}

export interface ScannedMilestone {
  /** Cleaned, trimmed, NFC. May be empty, and need not be unique. */
  readonly name: string;
  readonly line: number;
  /** UTF-16 offsets of its heading, from the first hash to the end of the line. */
  readonly heading: TextRange;
  readonly tasks: readonly ScannedTask[];
}

export interface TextRange {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

export interface ScannedTask {
  readonly text: string;
  readonly steps: readonly string[];
  readonly ticked: boolean;
  readonly line: number;
  /** UTF-16 offset of the single character between the brackets. */
  readonly boxOffset: number;
}

export interface ScanProblem {
  /** From 1. */
  readonly line: number;
  readonly problem: string;
}

/** The parsed text, and the position of the box of each list item. */
export interface TasksSource {
  readonly text: string;
  readonly boxes: ReadonlyMap<object, number>;
}

/**
 * What one node of the document contributes. Tasks and near misses of tasks count only inside a
 * section.
 */
export type TasksPart =
  | ({
      readonly kind: "milestone";
      readonly number: string | undefined;
      readonly depth: number;
    } & Pick<ScannedMilestone, "name" | "line" | "heading">)
  | { readonly kind: "heading"; readonly depth: number }
  | { readonly kind: "task"; readonly task: ScannedTask }
  | { readonly kind: "no-task"; readonly problem: ScanProblem }
  | { readonly kind: "no-milestone"; readonly problem: ScanProblem };

/** `[]`, `[ ]text`, `[✓] text` where a box should be; not the start of a link. */
const NEARLY_BOX = /^\[\s*[xX✓✔☑✅-]?\s*\](?![([])/u;
/** `-[ ] text`: a paragraph, not a list. */
const NEARLY_ITEM = /^(?:[-*+]|\d{1,9}[.)])\[\s*[xX]?\s*\]/;
/** Closing hashes, possibly exposed by cleaning: they are not part of a heading's text. */
const CLOSING_HASHES = /(?:^| )#+$/;

/** Reads the children of the document's root, or of the root of a part of it. */
export function tasksParts(
  nodes: readonly RootContent[],
  source: TasksSource,
): readonly TasksPart[] {
  return nodes.flatMap((node) => readNode(node, source));
}

/** Where a part of a text begins in the text. */
export interface TextPlace {
  /** UTF-16 offset. */
  readonly start: number;
  /** Number of the lines before it. */
  readonly linesBefore: number;
}

/** The same contribution with its positions in the whole text, of which `place` names the part that was read. */
export function partAt(part: TasksPart, { start, linesBefore }: TextPlace): TasksPart {
  const onLine = <T extends { readonly line: number }>(at: T): T => ({
    ...at,
    line: at.line + linesBefore,
  });
  switch (part.kind) {
    case "milestone": {
      const heading = { start: part.heading.start + start, end: part.heading.end + start };
      return onLine({ ...part, heading });
    }
    case "task":
      return {
        kind: "task",
        task: onLine({ ...part.task, boxOffset: part.task.boxOffset + start }),
      };
    case "no-task":
    case "no-milestone":
      return { kind: part.kind, problem: onLine(part.problem) };
    case "heading":
      return part;
  }
}

/** Puts together what all nodes of a document contribute, in its order. */
export function sectionsOf(parts: Iterable<TasksPart>): Sections {
  const milestones: (ScannedMilestone & { readonly tasks: ScannedTask[] })[] = [];
  const names = new Set<string>();
  const problems: ScanProblem[] = [];
  let open: { readonly depth: number; readonly tasks: ScannedTask[] } | undefined;
  for (const part of parts) {
    switch (part.kind) {
      case "milestone": {
        const { line, heading, depth } = part;
        open = { depth, tasks: [] };
        const name = ownName(names, part);
        names.add(name);
        milestones.push({ name, line, heading, tasks: open.tasks });
        break;
      }
      case "heading":
        open = part.depth <= (open?.depth ?? 0) ? undefined : open;
        break;
      case "task":
        open?.tasks.push(part.task);
        break;
      case "no-task":
        problems.push(...(open === undefined ? [] : [part.problem]));
        break;
      case "no-milestone":
        problems.push(part.problem);
        break;
      default:
        unreachable(part);
    }
  }
  return { milestones, problems };
}

/**
 * Of two milestones with the same name, the earlier keeps it unchanged, so that a plan can be
 * extended.
 */
function ownName(
  names: ReadonlySet<string>,
  { name, number }: Pick<Extract<TasksPart, { kind: "milestone" }>, "name" | "number">,
): string {
  return number !== undefined && names.has(name) ? `${number}: ${name}` : name;
}

function readNode(node: RootContent, source: TasksSource): readonly TasksPart[] {
  if (node.type === "heading") return readHeading(node, source);
  if (node.type === "list") return readList(node, source);
  const isNearly = node.type === "paragraph" && NEARLY_ITEM.test(sourceOf(node, source));
  return isNearly ? [noTask(node)] : [];
}

function readHeading(heading: Heading, source: TasksSource): readonly TasksPart[] {
  const { depth } = heading;
  const line = lineOf(heading);
  const read = readMilestoneHeading(contentOf(heading, source));
  if (read === undefined) return [{ kind: "heading", depth }];
  // A setext heading can span several lines and has no closing hashes; only one form is accepted.
  const isOneLine = sourceOf(heading, source).startsWith("#");
  if (read.kind === "nearly" || !isOneLine) {
    const problem = "a milestone is written `## Milestone: <name>`, in one line";
    return [{ kind: "no-milestone", problem: { line, problem } }];
  }
  const name = cleaned(read.name).replace(CLOSING_HASHES, "");
  const number = read.number === undefined ? undefined : cleaned(read.number);
  const range = { start: startOf(heading), end: endOf(heading) };
  return [{ kind: "milestone", name, number, line, depth, heading: range }];
}

function readList(list: List, source: TasksSource): readonly TasksPart[] {
  return list.children.flatMap((item) => readItem(item, source));
}

function readItem(item: ListItem, source: TasksSource): readonly TasksPart[] {
  const boxOffset = source.boxes.get(item);
  if (boxOffset !== undefined) {
    const task = { ...readListItem(item, source), line: lineOf(item), boxOffset };
    return [{ kind: "task", task }];
  }
  const first = item.children[0];
  const isNearly = first !== undefined && NEARLY_BOX.test(sourceOf(first, source));
  // A plain bullet may introduce a group of tasks.
  const nested = item.children.flatMap((child) =>
    child.type === "list" ? readList(child, source) : [],
  );
  return isNearly ? [noTask(item), ...nested] : nested;
}

function noTask(node: ListItem | Paragraph): TasksPart {
  const problem = "a task is written `- [ ] <task>`, with a space in the box and text behind it";
  return { kind: "no-task", problem: { line: lineOf(node), problem } };
}

/** Reads a list item: its text, the bullets nested in it, and whether its box is ticked. */
export function readListItem(
  item: ListItem,
  source: TasksSource,
): Pick<ScannedTask, "text" | "steps" | "ticked"> {
  const boxOffset = source.boxes.get(item);
  return {
    text: itemText(item, source),
    steps: item.children.flatMap((child) => (child.type === "list" ? stepsOf(child, source) : [])),
    ticked: boxOffset !== undefined && /[xX]/.test(source.text.charAt(boxOffset)),
  };
}

/** The bullets nested in a task and in its steps, in reading order. */
export function stepsOf(list: List, source: TasksSource): readonly string[] {
  const steps = list.children.flatMap((item) => [
    itemText(item, source),
    ...item.children.flatMap((child) => (child.type === "list" ? stepsOf(child, source) : [])),
  ]);
  return steps.filter((step) => step !== "");
}

/** The first paragraph of an item as written, without the box, on one line. */
function itemText(item: ListItem, source: TasksSource): string {
  const paragraph = item.children.find((child) => child.type === "paragraph");
  if (paragraph === undefined) return "";
  const boxOffset = source.boxes.get(item);
  const start = boxOffset === undefined ? startOf(paragraph) : boxOffset + "x]".length;
  const written = source.text.slice(start, endOf(paragraph));
  return cleaned(written);
}

/**
 * Cleans a text to one line in NFC without truncating it: `tasks-md.ts` refuses what is too long.
 */
export function cleaned(text: string): string {
  return cleanText(text, { charsMax: text.length + 1, lines: "one" }).normalize("NFC");
}

/** A heading's text without its hashes or underline. */
export function contentOf(heading: Heading, source: TasksSource): string {
  const first = heading.children.at(0);
  const last = heading.children.at(-1);
  if (first === undefined || last === undefined) return "";
  return source.text.slice(startOf(first), endOf(last));
}

/** A node's text as written. */
export function sourceOf(node: Nodes, source: TasksSource): string {
  return source.text.slice(startOf(node), endOf(node));
}

function startOf(node: Nodes): number {
  return present(node.position?.start.offset, "a parsed node has a position");
}

function endOf(node: Nodes): number {
  return present(node.position?.end.offset, "a parsed node has a position");
}

/** The line, from 1, on which a node begins. */
export function lineOf(node: Nodes): number {
  return present(node.position, "a parsed node has a position").start.line;
}

/** The line, from 1, on which a node ends. */
export function lastLineOf(node: Nodes): number {
  return present(node.position, "a parsed node has a position").end.line;
}
