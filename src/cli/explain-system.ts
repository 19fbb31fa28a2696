import type { FileFailure } from "../base/files.ts";
import type { SpawnFailure } from "../base/processes.ts";
import type { GitFailure } from "../base/repo.ts";
import type { TasksFailure } from "../fs-protocol/tasks-md.ts";
import { shown, type Words } from "./explanation.ts";
import type { DemoDirectory, Usage } from "./failures.ts";

/** What the system, git or the command line refuses. */
export type SystemFailure =
  DemoDirectory | FileFailure | GitFailure | SpawnFailure | TasksFailure | Usage;

/** Words for what the system, git or the command line refuses. */
export function explainSystem(failure: SystemFailure): Words {
  switch (failure.kind) {
    case "file":
      return explainFile(failure);
    case "git":
      return [
        `git ${shown(failure.operation)} failed in ${shown(failure.directory)}: ${shown(failure.message)}`,
        "Nothing was forced and nothing is lost; when git works there again, so does wisp.",
      ];
    case "spawn":
      return [
        `${shown(failure.executable)} could not be started: ${meaningOf(failure.errno)}.`,
        "It has to be installed, executable, and found on PATH.",
      ];
    case "tasks":
      return [
        `TASKS.md, line ${String(failure.line)}: ${shown(failure.problem)}.`,
        "A plan has headings `## Milestone: <name>`, and below each a list of `- [ ] <task>`.",
      ];
    case "demo-directory":
      return [
        `${shown(failure.directory)} is there already, and is not empty.`,
        "Name another directory with --dir, or leave it out: then a new one is made.",
      ];
    case "usage":
      return [shown(failure.problem), "More about it:", "wisp --help"];
  }
}

const OPERATIONS: Readonly<Record<FileFailure["operation"], string>> = {
  read: "read",
  append: "written to",
  replace: "written",
  create: "made",
  link: "given a second name",
  list: "listed",
  remove: "removed",
  "make-directory": "made as a directory",
};

function explainFile({ operation, path, errno }: FileFailure): Words {
  return [
    `${shown(path)} could not be ${OPERATIONS[operation]}: ${meaningOf(errno)}.`,
    HINTS.get(errno) ?? "What was done before is on record; the same command goes on from there.",
  ];
}

const MEANINGS: ReadonlyMap<string, string> = new Map([
  ["EACCES", "permission denied"],
  ["EPERM", "not permitted"],
  ["ENOENT", "it is not there"],
  ["ENOTDIR", "a part of its path is no directory"],
  ["EISDIR", "it is a directory"],
  ["ELOOP", "it is a symbolic link, which wisp does not follow there"],
  ["ENXIO", "it is no regular file"],
  ["EIO", "the disk reports a failure"],
  ["ENOSPC", "the disk is full"],
  ["EDQUOT", "the disk quota is used up"],
  ["EROFS", "the file system is read-only"],
  ["EEXIST", "it is there already"],
  ["ENOTEMPTY", "it is there already"],
  ["EFBIG", "it is too large"],
  ["ELOCKED", "somebody else has held its lock for too long"],
  ["EALTERED", "it was changed, and so was its copy in the session's state directory"],
  ["EMFILE", "too many files are open"],
]);

const HINTS: ReadonlyMap<string, string> = new Map([
  ["ENOSPC", "Make room; the same command then goes on from what is on record."],
  ["EDQUOT", "Make room; the same command then goes on from what is on record."],
  [
    "EIO",
    "The system's log says more of the disk; the same command goes on from what is on record.",
  ],
  ["EROFS", "See how it is mounted; the same command then goes on from what is on record."],
  ["EACCES", "See who owns it: wisp works as the user who owns the repository."],
]);

function meaningOf(errno: string): string {
  const meaning = MEANINGS.get(errno);
  return meaning === undefined ? shown(errno) : `${meaning} (${errno})`;
}
