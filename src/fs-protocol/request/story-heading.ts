import { withoutEmphasis } from "../tasks/emphasis.ts";

/** Letters before the number of a story, without the hyphen: `US`, or `RI` for an item of a revision. */
export type StoryPrefix = "US" | "RI";

/** What a heading says about a story. */
export type StoryHeading =
  /** Both trimmed; the title may be empty. */
  | { readonly kind: "story"; readonly id: string; readonly title: string }
  /** Meant as one, or about several: `problem` goes behind the line. */
  | { readonly kind: "nearly"; readonly problem: string };

interface Forms {
  /** `US-001: x`, `us1 - x`, `**US-1.1:** x`, `User story US-001a – x`, `US-7`. */
  readonly written: RegExp;
  /** An id at the start, whatever stands around it. */
  readonly nearly: RegExp;
}

/** Other levels, separators and ids than `### US-001: <title>` say the same. */
function formsOf(prefix: StoryPrefix): Forms {
  const id = String.raw`${prefix}-?\d+(?:[.-]\d+)*[a-z]?(?![\p{L}\p{N}])`;
  const word = String.raw`(?:(?:user[ \t]+)?story[ \t]*:?[ \t]+)?`;
  const separator = String.raw`[ \t]*:|[ \t]*[–—]|[ \t]+-(?=[ \t])|[ \t]*$`;
  return {
    written: new RegExp(
      String.raw`^(?<open>[*_]*)${word}(?<id>${id})(?<inner>[*_]*)(?:${separator})(?<rest>.*)$`,
      "iu",
    ),
    nearly: new RegExp(String.raw`^[^\p{L}\p{N}]*${word}${id}`, "iu"),
  };
}

const FORMS = { US: formsOf("US"), RI: formsOf("RI") } as const;

/** Reads the cleaned text of a heading, of whatever level; undefined: it is about no story. */
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

/** Whether a line of a text that is too large to be parsed looks like the heading of a story. */
export function hasStoryLine(text: string, prefix: StoryPrefix): boolean {
  return new RegExp(String.raw`^ {0,3}#{1,6}[ \t]+[*_]*${prefix}-?\d+`, "im").test(text);
}
