import type { List, ListItem, Nodes, Paragraph, RootContent } from "mdast";
import { parseMarkdown } from "../tasks/tasks-scan.ts";
import {
  cleaned,
  contentOf,
  lastLineOf,
  lineOf,
  sourceOf,
  type TasksSource,
} from "../tasks/tasks-sections.ts";
import type { LineRange } from "./loose-boxes.ts";

/** The part of a document from one heading to the next, of whatever level. */
export interface BoxedSection {
  /** Cleaned; empty for what precedes the first heading. */
  readonly heading: string;
  /** Level of its heading; 0 for what precedes the first one. */
  readonly depth: number;
  /** Everything but the boxes, line by line as written, with an empty line between two blocks. */
  readonly about: readonly string[];
  /** The outermost boxes, in order. */
  readonly boxes: readonly Box[];
}

/** A list item with a checkbox. */
export interface Box extends LineRange {
  /** The first paragraph without its box, on one line; may be empty. */
  readonly text: string;
  readonly ticked: boolean;
  /** Written `- [ ]* 2.2 …`, as Kiro does. */
  readonly isOptional: boolean;
  /** Whatever else stands in the item outside of its boxes, each line cleaned. */
  readonly details: readonly string[];
  /** The boxes nested in it. */
  readonly boxes: readonly Box[];
}

/**
 * Splits a document at its headings and finds the boxes of each section. Boxes in code, comments
 * and quotations are none. Returns undefined if the text is too large to parse.
 */
export function readBoxedSections(text: string): readonly BoxedSection[] | undefined {
  const parsed = parseMarkdown(text);
  if (!parsed.ok) return undefined;
  const { nodes, source } = parsed.value;
  const sections: OpenSection[] = [{ heading: "", depth: 0, about: [], boxes: [] }];
  for (const node of nodes) {
    if (node.type === "heading") {
      const heading = cleaned(contentOf(node, source)).replace(/(?:^| )#+$/, "");
      sections.push({ heading, depth: node.depth, about: [], boxes: [] });
    } else addNode(sections.at(-1), node, source);
  }
  return sections;
}

interface OpenSection extends BoxedSection {
  readonly about: string[];
  readonly boxes: Box[];
}

function addNode(section: OpenSection | undefined, node: RootContent, source: TasksSource): void {
  if (section === undefined || isSilent(node, source)) return;
  const found = node.type === "list" ? boxesIn(node, source) : [];
  section.boxes.push(...found);
  const lines =
    found.length === 0 || node.type !== "list" ? linesOf(node, source) : plainLines(node, source);
  if (lines.length === 0) return;
  if (section.about.length > 0) section.about.push("");
  section.about.push(...lines);
}

const COMMENT = /<!--[^]*?(?:-->|$)/g;

/** A rule or a comment. */
function isSilent(node: RootContent, source: TasksSource): boolean {
  if (node.type === "thematicBreak") return true;
  return node.type === "html" && sourceOf(node, source).replace(COMMENT, "").trim() === "";
}

function linesOf(node: Nodes, source: TasksSource): readonly string[] {
  return sourceOf(node, source).split(/\r\n|\n|\r/);
}

/** The outermost boxes of a list, also of those below a plain bullet. */
function boxesIn(list: List, source: TasksSource): readonly Box[] {
  return list.children.flatMap((item) => {
    const mark = markOf(item, source);
    return mark === undefined ? nestedBoxes(item, source) : [toBox(item, mark, source)];
  });
}

function nestedBoxes(item: ListItem, source: TasksSource): readonly Box[] {
  return item.children.flatMap((child) => (child.type === "list" ? boxesIn(child, source) : []));
}

/** What stands beside the boxes of a list: plain items, without the boxes in them. */
function plainLines(list: List, source: TasksSource): readonly string[] {
  return list.children.flatMap((item) => {
    if (markOf(item, source) !== undefined) return [];
    return nestedBoxes(item, source).length === 0
      ? linesOf(item, source)
      : item.children.flatMap((child) =>
          child.type === "list" ? plainLines(child, source) : linesOf(child, source),
        );
  });
}

/** A checkbox as it was read. */
interface Mark {
  readonly ticked: boolean;
  readonly isOptional: boolean;
  /** The rest of the item's first paragraph. */
  readonly rest: string;
}

/** `[ ]* 2.2 …`, also with an escaped star, and the marks for what is under way: `[-]`, `[~]`, `[/]`. */
const OTHER_MARK = /^\[([ xX~/-])\](\\?\*)?[ \t]+(?=\S)/;

function markOf(item: ListItem, source: TasksSource): Mark | undefined {
  const first = item.children[0];
  if (first?.type !== "paragraph") return undefined;
  const offset = source.boxes.get(item);
  if (offset !== undefined) {
    const rest = source.text.slice(offset + "x]".length, endOf(first, source));
    return { ticked: /[xX]/.test(source.text.charAt(offset)), isOptional: false, rest };
  }
  const written = sourceOf(first, source);
  const [mark, tick = " ", star] = OTHER_MARK.exec(written) ?? [];
  if (mark === undefined) return undefined;
  const rest = written.slice(mark.length);
  return { ticked: /[xX]/.test(tick), isOptional: star !== undefined, rest };
}

function endOf(paragraph: Paragraph, source: TasksSource): number {
  return paragraph.position?.end.offset ?? source.text.length;
}

function toBox(item: ListItem, { ticked, isOptional, rest }: Mark, source: TasksSource): Box {
  return {
    text: cleaned(rest),
    ticked,
    isOptional,
    details: item.children.slice(1).flatMap((child) => detailsOf(child, source)),
    boxes: nestedBoxes(item, source),
    line: lineOf(item),
    lastLine: lastLineOf(item),
  };
}

/** The lines of a block of an item, without the boxes in it. */
function detailsOf(node: RootContent, source: TasksSource): readonly string[] {
  if (isSilent(node, source)) return [];
  if (node.type !== "list") {
    return node.type === "paragraph" ? [cleaned(sourceOf(node, source))] : cleanLines(node, source);
  }
  return node.children
    .filter((item) => markOf(item, source) === undefined)
    .flatMap((item) => item.children.flatMap((child) => detailsOf(child, source)))
    .filter((line) => line !== "");
}

function cleanLines(node: RootContent, source: TasksSource): readonly string[] {
  return linesOf(node, source)
    .map(cleaned)
    .filter((line) => line !== "");
}
