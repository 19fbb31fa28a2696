import type { FileFailure } from "../base/files.ts";
import { shown, type Words } from "./explanation.ts";
import type { CompileFailure } from "../fs-protocol/compile-request.ts";
import type { AlreadyStarted } from "./failures.ts";
import { shellWord } from "./shell-word.ts";
import type { RequestFailure } from "./read-request.ts";

const BYTES_PER_MIB = 1024 * 1024;
const EXAMPLE =
  "A request is a text file that says what is wanted, such as user stories in Markdown.";

/** Words for what is wrong with the file that a session is to be made for. */
export function explainRequest(failure: Exclude<RequestFailure, FileFailure>): Words {
  const path = shown(failure.path);
  switch (failure.kind) {
    case "request-missing":
      return [`There is no file ${path}.`, EXAMPLE];
    case "request-empty":
      return [`The request ${path} is empty.`, EXAMPLE];
    case "request-no-file":
      return [`${path} is not a regular file.`, EXAMPLE];
    case "request-binary":
      return [`The request ${path} is not text in UTF-8.`, `${EXAMPLE} Save it as UTF-8.`];
    case "request-plan":
      return explainPlan(path, failure.failure);
    case "request-too-large": {
      const limit = `${String(failure.bytesMax / BYTES_PER_MIB)} MiB`;
      return [
        `The request ${path} is larger than ${limit}.`,
        "Ask for one thing at a time, and refer to files in the repository instead of including them.",
      ];
    }
  }
}

/** Words for a request that a session has already. */
export function explainStarted({ session, branch, path, stands }: AlreadyStarted): Words {
  const id = shellWord(session);
  const again = `wisp start ${shellWord(shown(path))} --again`;
  const has = `the session ${shown(session)} on ${shown(branch)} has this very request`;
  if (stands === "complete") {
    return [
      `${shown(path)} was done already: ${has} and is complete.`,
      "Nothing was made. Look at its work, change what is there, or take it; or have the request done anew, on a branch of its own.",
      `wisp review ${id}`,
      `wisp revise ${id}`,
      `wisp done ${id}`,
      again,
    ];
  }
  const isRunning = stands === "running";
  return [
    `${shown(path)} was started already: ${has} ${isRunning ? "and runs" : "and is not finished"}.`,
    "Nothing was made. Look at that session, go on with it or give it up; or have it done once more, on a branch of its own.",
    `wisp status ${id}`,
    isRunning ? `wisp up ${id}` : `wisp resume ${id}`,
    `wisp abandon ${id}`,
    again,
  ];
}

const FORMS =
  "A request with stories (`### US-001: <title>`, with acceptance criteria), with milestones " +
  "(`## Milestone: <name>`, with tasks), or a list in JSON is taken as the plan. " +
  "Put it right there, or have the planner make a plan of it as it stands: `--plan`. Nothing was made.";

function explainPlan(path: string, failure: CompileFailure): Words {
  switch (failure.kind) {
    case "tasks":
      return [`${path}, line ${String(failure.line)}: ${shown(failure.problem)}.`, FORMS];
    case "task-list": {
      const { item, problem } = failure;
      const place = item === undefined ? path : `${path}, item ${String(item)} of the list`;
      return [`${place}: ${shown(problem)}.`, FORMS];
    }
    case "all-done":
      return [`Every task of ${path} is ticked: there is nothing to do.`, FORMS];
  }
}
