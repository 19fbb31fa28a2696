import { join } from "node:path";
import type { FileFailure, Files } from "../../base/ports/files.ts";
import { CONFIG_CHARS_MAX } from "../../base/limits.ts";
import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { configProblemAt, type ConfigProblem } from "../config/config-problem.ts";
import { parseReviewer } from "./parse-reviewer.ts";
import type { Reviewer } from "./reviewer.ts";

interface BrokenFiles {
  /** Never empty; each file has at least one problem, in the order of the file. */
  readonly files: readonly {
    readonly path: string;
    readonly problems: readonly ConfigProblem[];
  }[];
}

/** Files of reviewers that cannot be used. */
export const ReviewersFailure = refusal("reviewers", EXIT.usage, ({ files }: BrokenFiles) => {
  const lines = files.flatMap(({ path, problems }) =>
    problems.map((problem) => configProblemAt(path, problem)),
  );
  const what = files.length === 1 ? "A reviewer" : "Reviewers";
  return [`${what} cannot be used as written.`, "By file, line and column:", ...lines];
});
export type ReviewersFailure = ReturnType<typeof ReviewersFailure>;

/** Names used for findings whose author is not a reviewer. */
const RESERVED = new Set(["human", "tester", "wisp"]);
const NAME = /^[a-z0-9](?:[a-z0-9-]{0,48}[a-z0-9])?$/;
const REVIEWERS_MAX = 50;

/**
 * Reads all reviewers, sorted by name; if two files have the same name, the one in the earlier
 * directory wins. Only names that end in `.md` count. Reads the files again at each call.
 *
 * @param directories absolute, in order of preference: the user's own, then the shipped ones
 */
export function readReviewers(
  files: Files,
  directories: readonly string[],
): Result<readonly Reviewer[], ReviewersFailure | FileFailure> {
  const paths = new Map<string, string>();
  // Later entries overwrite earlier ones, so the preferred directory comes last.
  for (const directory of directories.toReversed()) {
    const names = files.list(directory);
    if (!names.ok) return names;
    for (const file of names.value.filter((name) => /^[^.].*\.md$/.test(name))) {
      paths.set(file.slice(0, -".md".length), join(directory, file));
    }
  }
  return readAll(files, paths);
}

function readAll(
  files: Files,
  paths: ReadonlyMap<string, string>,
): Result<readonly Reviewer[], ReviewersFailure | FileFailure> {
  const reviewers: Reviewer[] = [];
  const broken: ReviewersFailure["files"][number][] = [];
  for (const [name, path] of paths) {
    const bytes = files.read(path, CONFIG_CHARS_MAX);
    if (!bytes.ok) return bytes;
    const parsed = readOne(name, bytes.value ?? new Uint8Array(), reviewers.length);
    if (parsed.ok) reviewers.push(parsed.value);
    else broken.push({ path, problems: parsed.failure });
  }
  if (broken.length > 0) return fail(ReviewersFailure({ files: broken }));
  return ok(reviewers.sort((one, other) => (one.name < other.name ? -1 : 1)));
}

function readOne(
  name: string,
  bytes: Uint8Array,
  before: number,
): Result<Reviewer, readonly ConfigProblem[]> {
  const problem = nameProblem(name, before);
  if (problem !== undefined) return fail([{ kind: "syntax", line: 1, column: 1, problem }]);
  try {
    return parseReviewer(name, new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return fail([{ kind: "syntax", line: 1, column: 1, problem: "the file is not UTF-8" }]);
  }
}

function nameProblem(name: string, before: number): string | undefined {
  if (before >= REVIEWERS_MAX) return `there are more than ${String(REVIEWERS_MAX)} reviewers`;
  if (RESERVED.has(name))
    return `the name ${name} is reserved: findings that are not a reviewer's carry it`;
  if (NAME.test(name)) return undefined;
  return "a reviewer's name consists of at most 50 lowercase letters, digits and dashes";
}
