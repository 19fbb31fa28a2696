import { fromMarkdown as parse } from "mdast-util-from-markdown";

/** The number of characters that were parsed. */
export const counted = { chars: 0 };

/** The parser, which counts what it is given. */
export function fromMarkdown(...args: Parameters<typeof parse>): ReturnType<typeof parse> {
  counted.chars += args[0].length;
  return parse(...args);
}
