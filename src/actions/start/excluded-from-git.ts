/** The parts of `.wisp` that are never committed (design, "Kept out of git"). */
export const EXCLUDED_FROM_GIT = [
  ".wisp/sessions/",
  ".wisp/queue/",
  ".wisp/current",
  ".wisp/.current.*.tmp",
  ".wisp/*-changes.md",
];
