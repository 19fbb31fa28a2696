import { z } from "zod";
import { fail, ok, type Result } from "../../base/result.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import { problemsOfIssues } from "../config/config-issues.ts";
import type { ConfigProblem } from "../config/config-problem.ts";
import { inOrder, readPlainYaml } from "../config/plain-yaml.ts";
import { ReviewerSettings, type Reviewer } from "./reviewer.ts";

/** Each turn of the reviewer carries its prompt, so its length is limited. */
const PROMPT_CHARS_MAX = 32_000;

const FENCE = /^---[ \t]*$/;

/**
 * Parses a reviewer's file: settings as YAML between two lines `---`, the first of which is the
 * file's first line, and the prompt below. Reports all problems at once, by line of the file.
 */
export function parseReviewer(
  name: string,
  text: string,
): Result<Reviewer, readonly ConfigProblem[]> {
  const parts = split(text);
  if (!parts.ok) return fail([parts.failure]);
  const { settings, body, bodyLine } = parts.value;
  const read = readPlainYaml(settings);
  if (!read.ok) return fail(inOrder(read.failure));
  const parsed = ReviewerSettings.safeParse(read.value.value ?? {}, { jitless: true });
  const wrong = parsed.success
    ? []
    : problemsOfIssues(parsed.error.issues, read.value, reviewerJsonSchema());
  const prompt = cleanText(body, { charsMax: Number.MAX_SAFE_INTEGER, lines: "many" });
  const isAsked = !parsed.success || parsed.data.when !== "never";
  const problems = [...wrong, ...promptProblems(prompt, { bodyLine, isAsked })];
  if (!parsed.success || problems.length > 0) return fail(inOrder(problems));
  return ok({ ...parsed.data, name, prompt });
}

/** A reviewer's settings as a JSON Schema for editors. */
export function reviewerJsonSchema() {
  return {
    ...z.toJSONSchema(ReviewerSettings, { io: "input" }),
    title: "Settings of a reviewer of wisp (.wisp/reviewers/<name>.md)",
  };
}

interface Parts {
  /**
   * Starts with an empty line in place of the first fence, so that line numbers match the file's.
   */
  readonly settings: string;
  readonly body: string;
  readonly bodyLine: number;
}

function split(text: string): Result<Parts, ConfigProblem> {
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\n|\r/);
  const [first = ""] = lines;
  if (!FENCE.test(first)) {
    return fail(problemAt(1, "a reviewer begins with a line of three dashes and its settings"));
  }
  const end = lines.findIndex((line, index) => index > 0 && FENCE.test(line));
  if (end === -1) {
    return fail(
      problemAt(1, "the settings are not closed: the second line of three dashes is missing"),
    );
  }
  return ok({
    settings: ["", ...lines.slice(1, end)].join("\n"),
    body: lines.slice(end + 1).join("\n"),
    bodyLine: end + 2,
  });
}

function promptProblems(
  prompt: string,
  { bodyLine, isAsked }: { readonly bodyLine: number; readonly isAsked: boolean },
): readonly ConfigProblem[] {
  if (prompt === "" && isAsked) {
    return [
      problemAt(bodyLine, "there is no prompt below the settings; describe what to look for"),
    ];
  }
  if (prompt.length <= PROMPT_CHARS_MAX) return [];
  return [problemAt(bodyLine, `the prompt is longer than ${String(PROMPT_CHARS_MAX)} characters`)];
}

function problemAt(line: number, problem: string): ConfigProblem {
  return { kind: "syntax", line, column: 1, problem };
}
