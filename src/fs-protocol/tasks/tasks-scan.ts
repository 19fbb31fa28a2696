import type { Nodes, RootContent } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmTaskListItemFromMarkdown } from "mdast-util-gfm-task-list-item";
import { gfmTaskListItem } from "micromark-extension-gfm-task-list-item";
import {
  TASKS_CHARS_MAX,
  TASKS_INDENT_CHARS_MAX,
  TASKS_LINES_MAX,
  TASKS_SECTION_LINES_MAX,
} from "../../base/limits.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { markdownSections, type MarkdownSection } from "./markdown-sections.ts";
import { changedBoxes, withBoxes } from "./changed-boxes.ts";
import { RecentTexts } from "./recent-texts.ts";
import {
  partAt,
  sectionsOf,
  tasksParts,
  type ScannedMilestone,
  type ScanProblem,
  type TasksPart,
  type TasksSource,
  type TextPlace,
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
 * problem. What was found in recent texts, and in their sections, is remembered by the text itself,
 * so that a changed box costs as much as its section. Results are shared, so nothing may change
 * them.
 */
export function scanTasks(text: string): TasksScan {
  const known = recentTexts.get(text);
  if (known !== undefined) return known;
  const scan = fromRecent(text) ?? scanAnew(text);
  recentTexts.set(text, scan);
  return scan;
}

/** The scan of a recent text that has the same boxes in the same places, some of which are ticked otherwise. */
function fromRecent(text: string): TasksScan | undefined {
  for (const [earlier, scan] of recentTexts.newest()) {
    const changed = changedBoxes(earlier, text, scan);
    if (changed !== undefined) return withBoxes(scan, changed);
  }
  return undefined;
}

function scanAnew(text: string): TasksScan {
  const sections = readSections(text);
  if (!sections.ok) return { milestones: [], problems: [sections.failure], boxOffsets: [] };
  const read = inSections(sections.value, scanSection);
  const placed = read.map(({ place, of }) => placedAt(place, of));
  const boxOffsets = placed.flatMap((section) => section.boxOffsets);
  return { ...sectionsOf(placed.flatMap(({ parts }) => parts)), boxOffsets };
}

/** What a section contributes to a text. */
interface SectionParts {
  readonly parts: readonly TasksPart[];
  readonly boxOffsets: readonly number[];
}

/** What a section contributes, with positions in the section. */
interface ScannedSection extends SectionParts, Openable {
  /** With the positions that were asked for last: a ticked box moves nothing that is behind it. */
  placed?: SectionParts & TextPlace;
}

function placedAt({ start, linesBefore }: TextPlace, section: ScannedSection): SectionParts {
  const { placed } = section;
  if (placed?.start === start && placed.linesBefore === linesBefore) return placed;
  const parts = section.parts.map((part) => partAt(part, { start, linesBefore }));
  const boxOffsets = section.boxOffsets.map((offset) => offset + start);
  section.placed = { start, linesBefore, parts, boxOffsets };
  return section.placed;
}

/** The plan, TASKS.md before and after a turn, and an edit. */
const recentTexts = new RecentTexts<TasksScan>({ textsMax: 4, charsMax: 4 * TASKS_CHARS_MAX });
/** All sections of the longest plan; those of a shorter one with many of their earlier forms. */
const recentSections = new RecentTexts<KnownSection>({
  textsMax: TASKS_LINES_MAX,
  charsMax: TASKS_CHARS_MAX,
});

function scanSection(text: string, isLast: boolean): ScannedSection {
  const known = knownOf(text);
  return isLast ? (known.last ??= scanned(text, true)) : (known.inner ??= scanned(text, false));
}

function scanned(text: string, isLast: boolean): ScannedSection {
  const { nodes, boxes, isOpen } = parseSection(text, isLast);
  return { parts: tasksParts(nodes, { text, boxes }), boxOffsets: [...boxes.values()], isOpen };
}

/** What is known about a section; it can be read otherwise if it is the last of its text. */
interface KnownSection {
  weighed?: Weighed;
  inner?: ScannedSection;
  last?: ScannedSection;
}

function knownOf(section: string): KnownSection {
  const known = recentSections.get(section);
  if (known !== undefined) return known;
  const fresh: KnownSection = {};
  recentSections.set(section, fresh);
  return fresh;
}

/** A document whose headings, lists and boxes were parsed, but no inline syntax. */
export interface ParsedMarkdown {
  readonly nodes: readonly RootContent[];
  readonly source: TasksSource;
}

/** Parses a text unless it is too large to parse quickly. */
export function parseMarkdown(text: string): Result<ParsedMarkdown, ScanProblem> {
  const sections = readSections(text);
  if (!sections.ok) return sections;
  const parsed = inSections(sections.value, parseSection);
  const boxes = new Map<object, number>();
  for (const { place, of } of parsed) {
    for (const node of of.nodes) moveTo(place, node);
    for (const [item, offset] of of.boxes) boxes.set(item, offset + place.start);
  }
  const source = { text: sections.value.text, boxes };
  return ok({ nodes: parsed.flatMap(({ of }) => of.nodes), source });
}

/** A text that is not too large, with the sections in which it is parsed. */
interface SectionedText {
  readonly text: string;
  readonly sections: readonly PlacedSection[];
}

interface PlacedSection extends MarkdownSection, TextPlace {}

function readSections(text: string): Result<SectionedText, ScanProblem> {
  if (text.length > TASKS_CHARS_MAX) {
    const problem = `the text is longer than ${String(TASKS_CHARS_MAX)} characters`;
    return fail({ line: 1, problem });
  }
  // The parser drops a byte order mark and counts offsets from after it. A space in its place keeps
  // all offsets and has no meaning in Markdown.
  const source = text.replace(/^\ufeff/, " ");
  const sections: PlacedSection[] = [];
  const left = { lines: TASKS_LINES_MAX, cost: TASKS_SECTION_LINES_MAX ** 2 };
  let linesBefore = 0;
  for (const section of markdownSections(source)) {
    const { weight, lines, problem } = weighed(section.text);
    left.lines -= weight;
    left.cost -= weight ** 2;
    const excess = problem ?? (isExceeded(left) ? { line: 1, problem: TOO_LONG } : undefined);
    if (excess !== undefined) return fail({ ...excess, line: excess.line + linesBefore });
    sections.push({ ...section, linesBefore });
    linesBefore += lines;
  }
  return ok({ text: source, sections });
}

const TOO_LONG = `there are more than ${String(TASKS_LINES_MAX)} lines, or too many in its longest sections`;

function isExceeded(left: { readonly lines: number; readonly cost: number }): boolean {
  return left.lines < 0 || left.cost < 0;
}

/** Whether a section does not end before the heading that follows it. */
interface Openable {
  readonly isOpen: boolean;
}

/** Reads each section, or the whole text at once if a section turns out to reach into the next one. */
function inSections<T extends Openable>(
  { text, sections }: SectionedText,
  read: (section: string, isLast: boolean) => T,
): readonly { readonly place: TextPlace; readonly of: T }[] {
  const all: { readonly place: TextPlace; readonly of: T }[] = [];
  for (const [index, section] of sections.entries()) {
    const of = read(section.text, index === sections.length - 1);
    if (of.isOpen) return [{ place: { start: 0, linesBefore: 0 }, of: read(text, true) }];
    all.push({ place: section, of });
  }
  return all;
}

interface ParsedSection extends Openable {
  readonly nodes: readonly RootContent[];
  readonly boxes: ReadonlyMap<object, number>;
}

/** The heading with which the next section begins, as far as it matters to this one. */
const NEXT = "#";

function parseSection(text: string, isLast: boolean): ParsedSection {
  const boxes = new Map<object, number>();
  const root = fromMarkdown(isLast ? text : `${text}${NEXT}`, {
    extensions: [gfmTaskListItem(), { disable: { null: INLINE_SYNTAX } }],
    mdastExtensions: [gfmTaskListItemFromMarkdown(), boxRecorder(boxes)],
  });
  if (isLast) return { nodes: root.children, boxes, isOpen: false };
  const next = root.children.at(-1);
  const isOpen = next?.type !== "heading" || next.position?.start.offset !== text.length;
  return { nodes: root.children.slice(0, -1), boxes, isOpen };
}

/** Changes the positions of a node and of everything in it to those in the whole text. */
function moveTo({ start, linesBefore }: TextPlace, node: Nodes): void {
  for (const point of [node.position?.start, node.position?.end]) {
    if (point === undefined) continue;
    point.line += linesBefore;
    if (point.offset !== undefined) point.offset += start;
  }
  if ("children" in node) for (const child of node.children) moveTo({ start, linesBefore }, child);
}

/** What it costs to parse a section. */
interface Weighed {
  /** Its lines, each of which counts once for each marker at its start. */
  readonly weight: number;
  /** Line ends. */
  readonly lines: number;
  /** Why the section alone is too large. */
  readonly problem: ScanProblem | undefined;
}

function weighed(section: string): Weighed {
  return (knownOf(section).weighed ??= weigh(section.split(/\r\n|\n|\r/)));
}

function weigh(lines: readonly string[]): Weighed {
  let weight = 0;
  // What follows the last line end is a line only if it is not empty.
  const counted = lines.at(-1) === "" ? lines.slice(0, -1) : lines;
  for (const [index, line] of counted.entries()) {
    const containers = CONTAINERS.exec(line)?.[0] ?? "";
    weight += Math.max(1, markersIn(containers));
    const problem =
      containers.length > TASKS_INDENT_CHARS_MAX
        ? "the line is nested too deeply"
        : weight > TASKS_SECTION_LINES_MAX
          ? `there are more than ${String(TASKS_SECTION_LINES_MAX)} lines below one heading`
          : undefined;
    if (problem !== undefined)
      return { weight, lines: index, problem: { line: index + 1, problem } };
  }
  return { weight, lines: lines.length - 1, problem: undefined };
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
