/**
 * Removes the tags that engines wrap around their answers, line by line: a closing tag at the end
 * of a line that the line does not open, and an opening tag at the start of a line that matches
 * such a closing tag. HTML tags are part of the text, and so are tags between backticks or in
 * fenced code.
 */
export function withoutStrayTags(text: string): string {
  const lines = text.split("\n");
  const isCode = fenced(lines);
  const closed = new Set<string>();
  const unclosed = lines.map((line, index) =>
    isCode[index] ? line : withoutClosing(line, closed),
  );
  return unclosed
    .map((line, index) => (isCode[index] ? line : withoutOpening(line, closed)))
    .join("\n");
}

/** Engines do not use longer tag names. */
const CLOSING = /<\/([a-z][\w-]{0,40})\s*>\s*$/u;
const OPENING = /^(\s*(?:(?:[-*+]|\d{1,9}[.)])\s+)?)<([a-z][\w-]{0,40})\s*>\s*/u;
const FENCE = /^\s*(?:```|~~~)/u;

/** HTML and SVG elements that feedback may mention. */
const ELEMENTS = new Set(
  (
    "a abbr address article aside audio b base blockquote body br button canvas caption center circle cite code col " +
    "colgroup data datalist dd defs del details dfn dialog div dl dt ellipse em embed fieldset figcaption figure font " +
    "footer form frame g h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li line " +
    "link main map mark menu meta meter nav noscript object ol optgroup option output p param path picture polygon " +
    "polyline pre progress q rect s samp script search section select slot small source span strong style sub summary " +
    "sup svg table tbody td template text textarea tfoot th thead time title tr track u ul use var video wbr"
  ).split(" "),
);

function fenced(lines: readonly string[]): readonly boolean[] {
  let isInside = false;
  return lines.map((line) => {
    const isFence = FENCE.test(line);
    if (isFence) isInside = !isInside;
    return isFence || isInside;
  });
}

function withoutClosing(line: string, closed: Set<string>): string {
  for (let rest = line; ;) {
    const { 0: tag = "", 1: name = "" } = CLOSING.exec(rest) ?? [];
    const before = rest.slice(0, rest.length - tag.length);
    if (name === "" || ELEMENTS.has(name) || isOpenedIn(before, name)) return rest;
    closed.add(name);
    rest = before.trimEnd();
  }
}

/** A line that also opens the tag mentions it in its text, unless the tag wraps the whole line. */
function isOpenedIn(before: string, name: string): boolean {
  const at = before.lastIndexOf(`<${name}`);
  return at >= 0 && OPENING.exec(before)?.[2] !== name;
}

function withoutOpening(line: string, closed: ReadonlySet<string>): string {
  const [whole = "", marker = "", name = ""] = OPENING.exec(line) ?? [];
  return closed.has(name) ? marker + line.slice(whole.length) : line;
}
