import { CannotGoOn } from "../../base/fatal.ts";
import { Usage } from "../../workspace/usage.ts";
import {
  FEEDBACK_CHARS_MAX,
  FEEDBACK_COMMENTS_MAX,
  FEEDBACK_CONTEXT_CHARS_MAX,
  FEEDBACK_POINTS_MAX,
  TASK_TEXT_CHARS_MAX,
} from "../../base/limits.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import {
  criterionOf,
  feedbackPoints,
  remarkOf,
} from "../../fs-protocol/findings/feedback-points.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import type { World } from "../../workspace/world.ts";
import { locate } from "../findings/locate.ts";

/** The changes that a review requests, as given. */
export interface FeedbackWords {
  readonly feedback: string;
  readonly comments: readonly CommentWords[];
  readonly context?: string | undefined;
}

/** A remark on a line of a file. */
export interface CommentWords {
  /** `path:line`. */
  readonly place: string;
  readonly text: string;
}

/**
 * The changes that a review requests: cleaned, bounded, with every place looked up in the branch.
 */
export interface Feedback {
  readonly text: string;
  /** `path:line: remark`. */
  readonly comments: readonly string[];
  readonly context: string;
  /** The acceptance criteria: one for each point of the text, and for each comment. */
  readonly criteria: readonly string[];
}

/** Checks a review's feedback against the branch as it is now. */
export async function checkFeedback(
  world: World,
  session: SessionJson,
  words: FeedbackWords,
): Promise<Feedback> {
  const text = clean(words.feedback);
  const context = clean(words.context ?? "");
  const bad = problemOf({ text, context, comments: words.comments.length });
  if (bad !== undefined) throw new CannotGoOn(Usage({ problem: bad }));
  const comments: string[] = [];
  const remarks: string[] = [];
  for (const { place, text: remark } of words.comments) {
    const { file, line } = await locate(world, session, place);
    const cleaned = cleanText(remark, { charsMax: Number.MAX_SAFE_INTEGER, lines: "one" });
    if (line === undefined || cleaned === "") {
      throw new CannotGoOn(
        Usage({ problem: `a comment must have the form "path:line text", not "${place}"` }),
      );
    }
    const at = `${file}:${String(line)}`;
    comments.push(`${at}: ${cleaned}`);
    remarks.push(`${at}: ${remarkOf(cleaned)}`);
  }
  const criteria = [...feedbackPoints(text), ...remarks].map(criterionOf);
  const long = comments.find((comment) => comment.length > TASK_TEXT_CHARS_MAX);
  if (long !== undefined) {
    const problem = lengthWords("a comment", TASK_TEXT_CHARS_MAX);
    throw new CannotGoOn(Usage({ problem }));
  }
  if (criteria.length === 0) throw new CannotGoOn(Usage({ problem: "the feedback is empty" }));
  if (criteria.length <= FEEDBACK_POINTS_MAX) return { text, comments, context, criteria };
  const max = String(FEEDBACK_POINTS_MAX);
  const problem = `the feedback has more than ${max} points; for more, use \`wisp revise\``;
  throw new CannotGoOn(Usage({ problem }));
}

/**
 * Parses the arguments of `--comment`: "path:line text" as one word, or as two.
 *
 * @param words of all comments, in order
 */
export function readComments(words: readonly string[]): readonly CommentWords[] {
  const comments: CommentWords[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? "";
    const [, place, rest = ""] = /^(\S+:[1-9]\d{0,6})(?:\s+(.+))?$/su.exec(word) ?? [];
    const text = rest === "" ? words[index + 1] : rest;
    if (place === undefined || text === undefined) {
      throw new CannotGoOn(
        Usage({ problem: `a comment must have the form "path:line text", not "${word}"` }),
      );
    }
    if (rest === "") index++;
    comments.push({ place, text });
  }
  return comments;
}

function problemOf({
  text,
  context,
  comments,
}: {
  readonly text: string;
  readonly context: string;
  readonly comments: number;
}): string | undefined {
  if (text.length > FEEDBACK_CHARS_MAX) return lengthWords("the feedback", FEEDBACK_CHARS_MAX);
  if (context.length > FEEDBACK_CONTEXT_CHARS_MAX)
    return lengthWords("the context", FEEDBACK_CONTEXT_CHARS_MAX);
  if (comments > FEEDBACK_COMMENTS_MAX)
    return `there are more than ${String(FEEDBACK_COMMENTS_MAX)} comments`;
  return undefined;
}

function lengthWords(what: string, max: number): string {
  return `${what} is longer than ${String(max)} characters`;
}

function clean(text: string): string {
  return cleanText(text, { charsMax: Number.MAX_SAFE_INTEGER, lines: "many" });
}
