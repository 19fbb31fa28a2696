import { shown } from "../../base/words/shown.ts";
import type { HomeProblem, OddKind } from "../../fs-protocol/home/home-issue.ts";

type ShapeProblem = Extract<
  HomeProblem,
  {
    readonly kind: "odd-entry" | "directory-missing" | "copy-differs" | "home-removed" | "log-lost";
  }
>;

/** What is wrong with what a home is made of, as sentences; the place is said beside it. */
export function shapeWords(issue: ShapeProblem): string {
  switch (issue.kind) {
    case "odd-entry":
      return `It is ${ODD_WORDS[issue.is]}, where wisp has a ${issue.expected}. wisp does not open it.`;
    case "directory-missing":
      return "The directory is not there.";
    case "copy-differs":
      return COPY_WORDS[issue.found];
    case "home-removed":
      return `The home of the session is not there. Its work is on the branch ${shown(issue.branch)}, and copies of its logs are left.`;
    case "log-lost":
      return `It is not there, and no copy is left: what was done cannot be told. The work is on the branch ${shown(issue.branch)}.`;
  }
}

/** What lies somewhere, as a noun. */
export const ODD_WORDS: Readonly<Record<OddKind, string>> = {
  file: "a file",
  directory: "a directory",
  link: "a symbolic link",
  pipe: "a pipe",
  socket: "a socket",
  device: "a device",
};

const COPY_WORDS = {
  missing: "It is not there. A copy is left.",
  cut: "Its end is missing. A copy holds it.",
  edited: "It is not what was written to it. A copy holds that.",
  grown: "It holds more than its copy.",
} as const;
