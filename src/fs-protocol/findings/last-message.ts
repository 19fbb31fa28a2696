import { z } from "zod";
import { lateObject } from "../../base/late-object.ts";
import { REASON_CHARS_MAX } from "../../base/limits.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import { jsonOf } from "../../base/words/json-text.ts";
import { Divergences } from "../records/divergence.ts";

const sentence = z
  .string()
  .transform((text) => cleanText(text, { charsMax: REASON_CHARS_MAX, lines: "one" }))
  .optional()
  .catch(undefined);

/**
 * The last message of an engine: a JSON object such as `{"status":"NEEDS_INPUT","question":"Which
 * port?"}`, on one or several lines, fenced or not. Only `status` decides; a field of the wrong
 * type counts as absent, and unknown fields are ignored.
 */
export const LastMessage = lateObject(() => ({
  status: z.enum(["CONTINUE", "DONE", "NEEDS_INPUT", "BLOCKED"]),
  summary: sentence,
  question: sentence,
  error: sentence,
  divergence: Divergences.optional(),
}));
export type LastMessage = z.infer<typeof LastMessage>;

/**
 * Longer texts are not parsed: an engine that dumps data must not have it taken for its last
 * message.
 */
const MESSAGE_CHARS_MAX = 64 * 1024;
/** The maximum number of lines of a multi-line object, and of attempts to parse one in a text. */
const MESSAGE_LINES_MAX = 40;
const MESSAGE_ATTEMPTS_MAX = 1_000;

/** The result for an answer without such an object. */
const DONE: LastMessage = { status: "DONE" };

/** How engines of other orchestrators report that they are done, at the end of a line. */
const PROMISE = /<promise>\s*(?:STORY_COMPLETE|ALL_COMPLETE)\s*<\/promise>`?$/u;

/**
 * Finds the last message in an engine's answer: the last JSON object with a known `status`, or a
 * later `<promise>STORY_COMPLETE</promise>` or `<promise>ALL_COMPLETE</promise>`, which mean DONE,
 * as does an answer with none of these. Never fails.
 */
export function readLastMessage(text: string): LastMessage {
  return findMessage(text.split("\n"))?.message ?? DONE;
}

/** The lines of the last message, for parsers of the text around it: indexes, both included. */
export function lastMessageLines(
  lines: readonly string[],
): { readonly first: number; readonly last: number } | undefined {
  return findMessage(lines);
}

interface FoundMessage {
  readonly first: number;
  readonly last: number;
  readonly message: LastMessage;
}

function findMessage(lines: readonly string[]): FoundMessage | undefined {
  const budget = { attempts: MESSAGE_ATTEMPTS_MAX };
  for (let last = lines.length - 1; last >= 0; last--) {
    const line = lines[last]?.trim() ?? "";
    if (line.length <= MESSAGE_CHARS_MAX && PROMISE.test(line)) {
      return { first: last, last, message: DONE };
    }
    const found = line.endsWith("}") ? objectUntil(lines, last, budget) : undefined;
    const message = LastMessage.safeParse(found?.value, { jitless: true });
    if (found !== undefined && message.success)
      return { first: found.first, last, message: message.data };
    // Nothing inside an object that is not a last message is one either.
    last = found?.first ?? last;
  }
  return undefined;
}

/** The JSON object that ends with the line `last` and starts at the beginning of a line. */
function objectUntil(
  lines: readonly string[],
  last: number,
  budget: { attempts: number },
): { readonly first: number; readonly value: object } | undefined {
  let text = "";
  for (let first = last; first >= 0 && first > last - MESSAGE_LINES_MAX; first--) {
    const line = lines[first]?.trim() ?? "";
    text = `${line}\n${text}`;
    if (text.length > MESSAGE_CHARS_MAX) return undefined;
    if (!line.startsWith("{") || !text.includes('"status"')) continue;
    // A single line is always tried: only objects that span lines could take quadratic time.
    if (first < last && --budget.attempts < 0) return undefined;
    const value = jsonOf(text);
    if (typeof value === "object" && value !== null) return { first, value };
  }
  return undefined;
}
