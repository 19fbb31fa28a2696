import { shown } from "../../base/words/shown.ts";
import type { HomeProblem, OddKind } from "../../fs-protocol/home/home-issue.ts";

type ShapeProblem = Extract<
  HomeProblem,
  {
    readonly kind: "odd-entry" | "directory-missing" | "copy-differs" | "home-removed" | "log-lost";
  }
>;

/** Describes a problem with the structure of a home; the caller shows the path. */
export function shapeWords(issue: ShapeProblem): string {
  switch (issue.kind) {
    case "odd-entry":
      return `It is ${ODD_WORDS[issue.is]}, where wisp expects a ${issue.expected}. wisp does not open it.`;
    case "directory-missing":
      return "The directory is missing.";
    case "copy-differs":
      return COPY_WORDS[issue.found];
    case "home-removed":
      return `The home of the session is missing. Its work is on the branch ${shown(issue.branch)}, and copies of its logs are left.`;
    case "log-lost":
      return `It is missing, and no copy is left: wisp cannot tell what was done. The work is on the branch ${shown(issue.branch)}.`;
  }
}

/** The kind of an entry, as a noun. */
export const ODD_WORDS: Readonly<Record<OddKind, string>> = {
  file: "a file",
  directory: "a directory",
  link: "a symbolic link",
  pipe: "a pipe",
  socket: "a socket",
  device: "a device",
};

const COPY_WORDS = {
  missing: "It is missing. A copy exists.",
  cut: "Its end is missing. A copy has it.",
  edited: "Its content is not what wisp wrote. A copy has that.",
  grown: "It has more than its copy.",
} as const;
