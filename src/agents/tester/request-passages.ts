import { cleanText } from "../../base/words/clean-text.ts";

const REQUEST_CHARS_MAX = 256 * 1024;
const PASSAGES_MAX = 2_000;
const PASSAGE_CHARS_MAX = 2_000;

/** Where a new passage begins by its first characters: an item of a list, a heading, a row, a quotation. */
const BEGINS = /^\s*(?:[-*+]\s+(?:\[[ xX]\]\s+)?|\d+[.)]\s+|#{1,6}\s+|\||>|```|~~~)/u;

/**
 * What a request says, thing by thing: each heading, each item of a list, and of a paragraph each sentence, on one
 * line. So what it says of one thing is not taken for a word about another.
 */
export function requestPassages(request: string): readonly string[] {
  const text = cleanText(request, { charsMax: REQUEST_CHARS_MAX, lines: "many" });
  const blocks: string[] = [];
  let isOpen = false;
  for (const line of text.split("\n")) {
    const said = line.replace(BEGINS, "").trim();
    if (said === "") {
      isOpen = false;
    } else if (isOpen && !BEGINS.test(line)) {
      blocks.push(`${blocks.pop() ?? ""} ${said}`);
    } else {
      blocks.push(said);
      // What follows a heading is no part of it.
      isOpen = !/^\s*#{1,6}\s/u.test(line);
    }
  }
  return blocks
    .flatMap((block) => block.split(/(?<=[.!?])\s+(?=[\p{Lu}`"'(])/u))
    .map((passage) => passage.slice(0, PASSAGE_CHARS_MAX))
    .slice(0, PASSAGES_MAX);
}
