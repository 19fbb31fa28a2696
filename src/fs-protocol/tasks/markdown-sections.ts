/** A part of a text that a Markdown parser most probably reads alike on its own and in the text. */
export interface MarkdownSection {
  /** UTF-16 offset. */
  readonly start: number;
  readonly text: string;
}

/** A line that begins with a heading, a fence or a comment. Lines end as in CommonMark. */
const MARKED_LINE = /(?<![^\r\n])(?:#{1,6}(?![^ \t\r\n])| {0,3}(?:`{3,}(?!.*`)|~{3,}|<!--))/g;

/**
 * Cuts a text before its headings, except where a heading seems to be inside of fenced code or a comment. It only
 * seems so, because what a fence is depends on what precedes it: a parser of the sections must make sure that each
 * ends before the next heading, and otherwise parse the text as a whole.
 */
export function markdownSections(text: string): readonly MarkdownSection[] {
  const starts = [0];
  let fence: string | undefined;
  let end = 0;
  for (const { 0: whole, index } of text.matchAll(MARKED_LINE)) {
    if (index < end) continue;
    const mark = whole.trimStart();
    if (fence !== undefined) fence = closesFence(lineAt(text, index), fence) ? undefined : fence;
    else if (mark === "<!--") end = endOfComment(text, index + whole.length);
    else if (!mark.startsWith("#")) fence = mark;
    else if (index > 0) starts.push(index);
  }
  return starts.map((start, index) => ({ start, text: text.slice(start, starts[index + 1]) }));
}

function endOfComment(text: string, start: number): number {
  const end = text.indexOf("-->", start);
  return end < 0 ? text.length : end;
}

function lineAt(text: string, start: number): string {
  return /[^\r\n]*/.exec(text.slice(start, start + FENCE_CHARS_MAX))?.[0] ?? "";
}

/** A longer line closes no fence here: its section is only longer. */
const FENCE_CHARS_MAX = 200;

function closesFence(line: string, fence: string): boolean {
  const marks = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1];
  return marks !== undefined && marks.startsWith(fence);
}
