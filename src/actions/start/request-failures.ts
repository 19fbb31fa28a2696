import { EXIT } from "../../base/exit-code.ts";
import { refusal, type Words } from "../../base/failure.ts";
import { shown } from "../../base/words/shown.ts";
import type { CompileFailure } from "../../session/rules/compile-request.ts";

const BYTES_PER_MIB = 1024 * 1024;
const EXAMPLE =
  "A request is a text file that describes what you want, such as user stories in Markdown.";
const FORMS =
  "A request with stories (`### US-001: <title>`, with acceptance criteria), with milestones " +
  "(`## Milestone: <name>`, with tasks), or a list in JSON is used as the plan. " +
  "Correct it, or have the planner plan it as it is: `--plan`. Nothing was created.";

interface Place {
  readonly path: string;
}

/** The file does not exist. */
export const RequestMissing = refusal("request-missing", EXIT.usage, ({ path }: Place) => [
  `There is no file ${shown(path)}.`,
  EXAMPLE,
]);

/** The file holds only white space. */
export const RequestEmpty = refusal("request-empty", EXIT.usage, ({ path }: Place) => [
  `The request ${shown(path)} is empty.`,
  EXAMPLE,
]);

/** It is a directory, a pipe or the like. */
export const RequestNoFile = refusal("request-no-file", EXIT.usage, ({ path }: Place) => [
  `${shown(path)} is not a regular file.`,
  EXAMPLE,
]);

/** It is not text. */
export const RequestBinary = refusal("request-binary", EXIT.usage, ({ path }: Place) => [
  `The request ${shown(path)} is not UTF-8 text.`,
  `${EXAMPLE} Save it as UTF-8.`,
]);

/** It is larger than a document may be. */
export const RequestTooLarge = refusal(
  "request-too-large",
  EXIT.usage,
  ({ path, bytesMax }: Place & { readonly bytesMax: number }) => [
    `The request ${shown(path)} is larger than ${String(bytesMax / BYTES_PER_MIB)} MiB.`,
    "Ask for one thing at a time, and refer to files in the repository instead of including them.",
  ],
);

/** `wisp start -` at a terminal: nothing would come before the person types it. */
export const RequestAtTerminal = refusal("request-at-terminal", EXIT.usage, () => [
  "`-` reads the request from standard input, but that is a terminal.",
  "Redirect a file or pipe a program into it, or name the file. Nothing was created.",
  "wisp start - < request.md",
]);

/** It looks like a plan (stories, a TASKS.md, a JSON list), but has an error. */
export const BadRequestPlan = refusal("request-plan", EXIT.usage, planWords);

export type RequestRefusal = ReturnType<
  | typeof RequestMissing
  | typeof RequestEmpty
  | typeof RequestNoFile
  | typeof RequestBinary
  | typeof RequestTooLarge
  | typeof RequestAtTerminal
  | typeof BadRequestPlan
>;

function planWords({ path, failure }: Place & { readonly failure: CompileFailure }): Words {
  const request = shown(path);
  switch (failure.kind) {
    case "tasks":
      return [`${request}, line ${String(failure.line)}: ${shown(failure.problem)}.`, FORMS];
    case "task-list": {
      const { item, problem } = failure;
      const place = item === undefined ? request : `${request}, item ${String(item)} of the list`;
      return [`${place}: ${shown(problem)}.`, FORMS];
    }
    case "all-done":
      return [`Every task of ${request} is ticked: there is nothing to do.`, FORMS];
  }
}
