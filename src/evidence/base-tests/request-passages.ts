import { cleanText } from "../../base/words/clean-text.ts";

const REQUEST_CHARS_MAX = 256 * 1024;
const PASSAGES_MAX = 2_000;
const PASSAGE_CHARS_MAX = 2_000;

/** The beginnings of a new passage: a list item, a heading, a table row, a quotation, a code fence. */
const BEGINS = /^\s*(?:[-*+]\s+(?:\[[ xX]\]\s+)?|\d+[.)]\s+|#{1,6}\s+|\||>|```|~~~)/u;

/**
 * Splits a request into passages, each on one line: headings, list items, and the sentences of paragraphs. So
 * what the request asks about one thing is not mistaken for a statement about another.
 */
export function requestPassages(request: string): readonly string[] {
  const text = cleanText(request, { charsMax: REQUEST_CHARS_MAX, lines: "many" });
  const blocks: string[] = [];
  let isOpen = false;
  for (const line of text.split("\n")) {
    const content = line.replace(BEGINS, "").trim();
    if (content === "") {
      isOpen = false;
    } else if (isOpen && !BEGINS.test(line)) {
      blocks.push(`${blocks.pop() ?? ""} ${content}`);
    } else {
      blocks.push(content);
      // A heading ends with its line.
      isOpen = !/^\s*#{1,6}\s/u.test(line);
    }
  }
  return blocks
    .flatMap((block) => block.split(/(?<=[.!?])\s+(?=[\p{Lu}`"'(])/u))
    .map((passage) => passage.slice(0, PASSAGE_CHARS_MAX))
    .slice(0, PASSAGES_MAX);
}
