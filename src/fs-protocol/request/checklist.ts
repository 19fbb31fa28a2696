import type { Heading, List, ListItem, RootContent } from "mdast";
import { parseMarkdown } from "../tasks/tasks-scan.ts";
import {
  cleaned,
  contentOf,
  sourceOf,
  readListItem,
  type TasksSource,
} from "../tasks/tasks-sections.ts";

/** A heading and the task list items below it. */
export interface CheckedSection {
  readonly name: string;
  readonly tasks: readonly CheckedTask[];
}

interface CheckedTask {
  readonly text: string;
  readonly steps: readonly string[];
  readonly ticked: boolean;
}

/**
 * Reads a document that is nothing but a checklist: headings of level 2 or deeper, and below them
 * lists in which every item has a box. Each heading with boxes becomes a milestone.
 *
 * Returns undefined if the document holds anything else (a paragraph, a plain bullet, a box below a
 * box, boxes under no such heading): then it is uncertain what the boxes mean. In most documents
 * they are questions or conditions rather than the work.
 */
export function readChecklist(text: string): readonly CheckedSection[] | undefined {
  const parsed = parseMarkdown(text);
  if (!parsed.ok) return undefined;
  const { nodes, source } = parsed.value;
  const sections: OpenSection[] = [];
  for (const node of nodes) {
    if (node.type === "heading") sections.push(sectionOf(node, source));
    else if (!isPart(node, source, sections.at(-1))) return undefined;
  }
  const checked = sections.filter(({ tasks }) => tasks.length > 0);
  return checked.length === 0 ? undefined : checked;
}

interface OpenSection extends CheckedSection {
  readonly depth: number;
  readonly tasks: CheckedTask[];
}

function sectionOf(heading: Heading, source: TasksSource): OpenSection {
  return { name: cleaned(contentOf(heading, source)), depth: heading.depth, tasks: [] };
}

/** Whether a checklist may contain the node here. Adds the node's boxes to the section. */
function isPart(node: RootContent, source: TasksSource, section: OpenSection | undefined): boolean {
  if (node.type !== "list") return isSilent(node, source);
  if (section === undefined || section.depth < 2 || !isChecklist(node, source)) return false;
  section.tasks.push(...node.children.map((item) => readListItem(item, source)));
  return true;
}

/** A thematic break or a comment. */
function isSilent(node: RootContent, source: TasksSource): boolean {
  if (node.type === "thematicBreak") return true;
  if (node.type !== "html") return false;
  return /^<!--[^]*-->\s*$/.test(sourceOf(node, source));
}

function isChecklist({ children }: List, source: TasksSource): boolean {
  return children.every((item) => source.boxes.has(item) && isPlain(item, source));
}

/**
 * Whether an item is one paragraph, followed only by lists of such items without boxes: a task can
 * hold all of that.
 */
function isPlain(item: ListItem, source: TasksSource): boolean {
  const [first, ...rest] = item.children;
  return (
    first?.type === "paragraph" &&
    rest.every(
      (child) =>
        child.type === "list" &&
        child.children.every((step) => !source.boxes.has(step) && isPlain(step, source)),
    )
  );
}
