/**
 * The block structure of a Markdown text, line by line, as far as parsing verdicts and findings
 * requires: which lines are code, which are headings, and which open list items. It follows
 * CommonMark for lists, fences, indented code, comments and quotes, but supports no setext headings
 * (`---` under a text is a rule) and no inline syntax.
 *
 * It does not use the Markdown library because the text comes from a model and may be hostile: the
 * library takes seconds for some texts of 16 kB, while this takes linear time. A property test
 * compares it with the library.
 */
export interface MarkdownLine {
  readonly kind: "blank" | "fence" | "indented" | "html" | "quote" | "heading" | "rule" | "text";
  /** How many list items contain the line; 0 is the document itself. */
  readonly depth: number;
  /** Set if the line opens a list item that is not nested in another. */
  readonly opens: "ordered" | "bullet" | undefined;
  /**
   * Whether the line continues a paragraph of a list item or quote despite its smaller indentation.
   */
  readonly isLazy: boolean;
  /** Column of `content`, from 0, with tab stops every four columns. */
  readonly column: number;
  /** The line without indentation and list markers; for a heading, also without its hashes. */
  readonly content: string;
  readonly raw: string;
}

/** Classifies each line of `text`. Lines are separated by newlines. */
export function markdownLines(text: string): readonly MarkdownLine[] {
  const state: State = { items: [], leaf: NO_LEAF };
  return text.split("\n").map((raw) => readLine(state, raw));
}

/** Deeper lists are read as text: each open list item costs time on every later line. */
const DEPTH_MAX = 50;

interface Item {
  /** Column at which the item's content starts. */
  readonly offset: number;
  /** Whether only its marker was read so far: a blank line ends such an item. */
  isEmpty: boolean;
}

type Leaf =
  | { readonly kind: "none" }
  | { readonly kind: "paragraph" }
  | { readonly kind: "quote" }
  | { readonly kind: "fence"; readonly marks: string; readonly depth: number }
  | { readonly kind: "html"; readonly end: RegExp | "blank"; readonly depth: number };

interface State {
  items: Item[];
  leaf: Leaf;
}

interface Place {
  readonly raw: string;
  readonly depth: number;
  readonly base: number;
  readonly column: number;
  readonly rest: string;
  readonly opens: "ordered" | "bullet" | undefined;
  /** Whether this line opened a list item of any depth. */
  readonly isOpening: boolean;
}

const NO_LEAF: Leaf = { kind: "none" };

function readLine(state: State, raw: string): MarkdownLine {
  const rest = raw.trimStart();
  const column = columnsOf(raw.slice(0, raw.length - rest.length), 0);
  const depth = rest === "" ? state.items.length : holding(state.items, column);
  const base = offsetOf(state, depth);
  const start: Place = { raw, depth, base, column, rest, opens: undefined, isOpening: false };
  const inside = readInside(state, start);
  if (inside !== undefined) return inside;
  return rest === "" ? readBlank(state, start) : readLeaf(state, openItems(state, start));
}

/** How many of the open items contain a line at `column`. */
function holding(items: readonly Item[], column: number): number {
  const outside = items.findIndex((item) => item.offset > column);
  return outside === -1 ? items.length : outside;
}

function offsetOf(state: State, depth: number): number {
  return depth === 0 ? 0 : (state.items[depth - 1]?.offset ?? 0);
}

/**
 * Reads a line within an open fence or HTML block; `undefined` if none is open, or if its item has
 * ended.
 */
function readInside(state: State, place: Place): MarkdownLine | undefined {
  const { leaf } = state;
  if (leaf.kind !== "fence" && leaf.kind !== "html") return undefined;
  if (place.depth < leaf.depth) {
    state.leaf = NO_LEAF;
    return undefined;
  }
  if (leaf.kind === "fence") {
    if (closesFence(leaf.marks, place)) state.leaf = NO_LEAF;
    return lineAs("fence", place);
  }
  const isBlankEnd = leaf.end === "blank" && place.rest === "";
  if (isBlankEnd || (leaf.end !== "blank" && leaf.end.test(place.rest))) state.leaf = NO_LEAF;
  return lineAs(isBlankEnd ? "blank" : "html", place);
}

function closesFence(marks: string, place: Place): boolean {
  const closing = place.rest.trimEnd();
  return (
    place.column - place.base < 4 &&
    closing.length >= marks.length &&
    closing.startsWith(marks) &&
    closing === marks.charAt(0).repeat(closing.length)
  );
}

function readBlank(state: State, place: Place): MarkdownLine {
  if (state.items.at(-1)?.isEmpty === true) state.items.pop();
  state.leaf = NO_LEAF;
  return lineAs("blank", place);
}

/** Opens list items for the line's markers. */
function openItems(state: State, start: Place): Place {
  let place = start;
  for (;;) {
    const marker = markerOf(state, place);
    if (marker === undefined) return place;
    const after = place.rest.slice(marker.length);
    const rest = after.trimStart();
    const markerEnd = place.column + marker.length;
    const gap = columnsOf(after.slice(0, after.length - rest.length), markerEnd);
    const isTight = rest === "" || gap > 4;
    const base = markerEnd + (isTight ? 1 : gap);
    settle(state, place);
    state.items.push({ offset: base, isEmpty: rest === "" });
    state.leaf = NO_LEAF;
    const opens = place.depth > 0 ? place.opens : /^\d/u.test(marker) ? "ordered" : "bullet";
    place = {
      ...place,
      depth: place.depth + 1,
      base,
      opens,
      isOpening: true,
      rest,
      column: markerEnd + gap,
    };
  }
}

/** The list marker at the start of `place`, if it may open an item there. */
function markerOf(state: State, place: Place): string | undefined {
  if (place.column - place.base >= 4 || place.depth >= DEPTH_MAX || isRule(place.rest))
    return undefined;
  const marker = /^(?:[-*+]|\d{1,9}[.)])(?=\s|$)/u.exec(place.rest)?.[0];
  if (marker === undefined || !continuesParagraph(state, place)) return marker;
  // Within a paragraph, `1986. What a year` is text, and so is an empty marker.
  const isEmpty = place.rest.trimEnd().length === marker.length;
  return isEmpty || (/^\d/u.test(marker) && Number.parseInt(marker, 10) !== 1) ? undefined : marker;
}

function continuesParagraph(state: State, place: Place): boolean {
  return state.leaf.kind === "paragraph" && !place.isOpening && place.depth === state.items.length;
}

function readLeaf(state: State, place: Place): MarkdownLine {
  if (place.rest === "") return lineAs("text", place);
  const isDeep = place.column - place.base >= 4;
  const started = isDeep ? undefined : startBlock(state, place);
  if (started !== undefined) {
    settle(state, place);
    state.leaf = started.leaf;
    return { ...lineAs(started.kind, place), content: started.content ?? place.rest };
  }
  if (!place.isOpening && (state.leaf.kind === "paragraph" || state.leaf.kind === "quote")) {
    const isLazy = place.depth < state.items.length;
    const kind = state.leaf.kind === "quote" ? "quote" : "text";
    return { ...lineAs(kind, place), depth: state.items.length, isLazy };
  }
  settle(state, place);
  state.leaf = isDeep ? NO_LEAF : { kind: "paragraph" };
  return lineAs(isDeep ? "indented" : "text", place);
}

/** Closes the list items that do not contain the line. */
function settle(state: State, place: Place): void {
  state.items.length = Math.min(state.items.length, place.depth);
  const last = state.items.at(-1);
  if (last !== undefined) last.isEmpty = false;
}

interface Started {
  readonly kind: MarkdownLine["kind"];
  readonly leaf: Leaf;
  readonly content?: string;
}

/** The block other than a paragraph that starts at `place`, if any. */
function startBlock(state: State, place: Place): Started | undefined {
  const { rest, depth } = place;
  if (/^#{1,6}(?:\s|$)/u.test(rest))
    return { kind: "heading", leaf: NO_LEAF, content: headingText(rest) };
  if (isRule(rest)) return { kind: "rule", leaf: NO_LEAF };
  const marks = fenceMarks(rest);
  if (marks !== undefined) return { kind: "fence", leaf: { kind: "fence", marks, depth } };
  if (rest.startsWith(">")) return { kind: "quote", leaf: leafOfQuote(rest) };
  const isInParagraph = state.leaf.kind === "paragraph" && !place.isOpening;
  const end = htmlEnd(rest, isInParagraph);
  if (end === undefined) return undefined;
  const isOver = end !== "blank" && end.test(rest.slice(2));
  return { kind: "html", leaf: isOver ? NO_LEAF : { kind: "html", end, depth } };
}

function fenceMarks(rest: string): string | undefined {
  const tildes = /^~{3,}/u.exec(rest)?.[0];
  if (tildes !== undefined) return tildes;
  const ticks = /^`{3,}/u.exec(rest)?.[0];
  return ticks === undefined || rest.slice(ticks.length).includes("`") ? undefined : ticks;
}

/** Only a paragraph inside a quote continues on a line without the quote mark. */
function leafOfQuote(rest: string): Leaf {
  const inner = rest.replace(/^[>\s]+/u, "");
  const hasText =
    inner !== "" && !inner.startsWith("#") && !isRule(inner) && fenceMarks(inner) === undefined;
  return hasText ? { kind: "quote" } : NO_LEAF;
}

const HTML_BLOCK =
  /^<\/?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?:\s|\/?>|$)/iu;

/** How the HTML block that starts here ends; `undefined` if none starts here. */
function htmlEnd(rest: string, isInParagraph: boolean): RegExp | "blank" | undefined {
  if (!rest.startsWith("<")) return undefined;
  if (rest.startsWith("<!--")) return /-->/u;
  if (rest.startsWith("<?")) return /\?>/u;
  if (rest.startsWith("<![CDATA[")) return /\]\]>/u;
  if (/^<![A-Za-z]/u.test(rest)) return />/u;
  if (/^<(?:script|pre|style|textarea)(?:\s|>|$)/iu.test(rest))
    return /<\/(?:script|pre|style|textarea)>/iu;
  if (HTML_BLOCK.test(rest)) return "blank";
  const isLoneTag = /^<\/?[A-Za-z][\w-]*(?:\s[^<>]*)?\/?>$/u.test(rest.trimEnd());
  return isLoneTag && !isInParagraph ? "blank" : undefined;
}

function isRule(rest: string): boolean {
  if (!/^[-*_]/u.test(rest)) return false;
  const packed = rest.replace(/\s/gu, "");
  return packed.length >= 3 && packed === packed.charAt(0).repeat(packed.length);
}

function headingText(rest: string): string {
  const text = rest.replace(/^#+/u, "").trim();
  let end = text.length;
  while (text.charAt(end - 1) === "#") end--;
  const isClosed = end === 0 || /\s/u.test(text.charAt(end - 1));
  return isClosed ? text.slice(0, end).trimEnd() : text;
}

/** The width, in columns, of white space that starts at column `from`. */
function columnsOf(space: string, from: number): number {
  let column = from;
  for (const char of space) column += char === "\t" ? 4 - (column % 4) : 1;
  return column - from;
}

function lineAs(kind: MarkdownLine["kind"], place: Place): MarkdownLine {
  const { depth, opens, column, raw, rest: content } = place;
  return { kind, depth, opens, isLazy: false, column, content, raw };
}
