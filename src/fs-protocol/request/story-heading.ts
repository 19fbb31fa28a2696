import { withoutEmphasis } from "../tasks/emphasis.ts";

/**
 * The letters before a story's number, without the hyphen: `US`, or `RI` for an item of a revision.
 */
export type StoryPrefix = "US" | "RI";

/** What a heading states about a story. */
export type StoryHeading =
  /** Both trimmed; the title may be empty. */
  | { readonly kind: "story"; readonly id: string; readonly title: string }
  /** Meant as a story, or names several. `problem` is reported after the line number. */
  | { readonly kind: "nearly"; readonly problem: string };

interface Forms {
  /** `US-001: x`, `us1 - x`, `**US-1.1:** x`, `User story US-001a – x`, `US-7`. */
  readonly written: RegExp;
  /** An id at the start, whatever surrounds it. */
  readonly nearly: RegExp;
}

/** Accepts levels, separators and ids other than those of `### US-001: <title>`. */
function formsOf(prefix: StoryPrefix): Forms {
  const id = String.raw`${prefix}-?\d+(?:[.-]\d+)*[a-z]?(?![\p{L}\p{N}])`;
  const word = String.raw`(?:(?:user[ \t]+)?story[ \t]*:?[ \t]+)?`;
  const separator = String.raw`[ \t]*:|[ \t]*[\u2013\u2014]|[ \t]+-(?=[ \t])|[ \t]*$`;
  return {
    written: new RegExp(
      String.raw`^(?<open>[*_]*)${word}(?<id>${id})(?<inner>[*_]*)(?:${separator})(?<rest>.*)$`,
      "iu",
    ),
    nearly: new RegExp(String.raw`^[^\p{L}\p{N}]*${word}${id}`, "iu"),
  };
}

const FORMS = { US: formsOf("US"), RI: formsOf("RI") } as const;

/**
 * Reads the cleaned text of a heading of any level. Returns undefined if it is not about a story.
 */
export function readStoryHeading(text: string, prefix: StoryPrefix): StoryHeading | undefined {
  const { written, nearly } = FORMS[prefix];
  const groups = written.exec(text)?.groups;
  if (groups === undefined) {
    if (!nearly.test(text)) return undefined;
    return { kind: "nearly", problem: `a story is written \`### ${prefix}-001: <title>\`` };
  }
  const { open = "", inner = "", id = "", rest = "" } = groups;
  const title = withoutEmphasis(rest, { open, isClosed: inner === open }).trim();
  if (!nearly.test(title)) return { kind: "story", id, title };
  return { kind: "nearly", problem: `the heading names several stories; each has one of its own` };
}

/** Whether a line of a text that is too large to parse looks like a story's heading. */
export function hasStoryLine(text: string, prefix: StoryPrefix): boolean {
  return new RegExp(String.raw`^ {0,3}#{1,6}[ \t]+[*_]*${prefix}-?\d+`, "im").test(text);
}
