import { z } from "zod";
import { REASON_CHARS_MAX } from "../../base/limits.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import { jsonOf } from "../../base/words/json-text.ts";
import { Divergences } from "../records/divergence.ts";

const said = z
  .string()
  .transform((text) => cleanText(text, { charsMax: REASON_CHARS_MAX, lines: "one" }))
  .optional()
  .catch(undefined);

/**
 * The last word of an engine: a JSON object such as `{"status":"NEEDS_INPUT","question":"Which port?"}`,
 * on one line or on several, fenced or not. Only `status` decides; a field of the wrong type counts as
 * absent, and what else the object holds is passed over.
 */
export const AgentWord = z.object({
  status: z.enum(["CONTINUE", "DONE", "NEEDS_INPUT", "BLOCKED"]),
  summary: said,
  question: said,
  error: said,
  divergence: Divergences.optional(),
});
export type AgentWord = z.infer<typeof AgentWord>;

/** Longer texts hold no word: an engine that dumps data must not have it parsed as one. */
const WORD_CHARS_MAX = 64 * 1024;
/** Lines of a word that is spread over several, and how often such a one is looked for in a text. */
const WORD_LINES_MAX = 40;
const WORD_ATTEMPTS_MAX = 1_000;

/** What no word at all means. */
const DONE: AgentWord = { status: "DONE" };

/** How engines of other orchestrators say that they are done, at the end of a line. */
const PROMISE = /<promise>\s*(?:STORY_COMPLETE|ALL_COMPLETE)\s*<\/promise>`?$/u;

/**
 * The last word in an engine's answer: the last JSON object with a known `status`, or a later
 * `<promise>STORY_COMPLETE</promise>` or `<promise>ALL_COMPLETE</promise>`, which mean DONE as no word
 * at all does. Nothing in `text` makes this fail.
 */
export function lastAgentWord(text: string): AgentWord {
  return findWord(text.split("\n"))?.word ?? DONE;
}

/** Where the last word stands, for readers of what is around it: indexes of lines, both included. */
export function agentWordLines(
  lines: readonly string[],
): { readonly first: number; readonly last: number } | undefined {
  return findWord(lines);
}

interface FoundWord {
  readonly first: number;
  readonly last: number;
  readonly word: AgentWord;
}

function findWord(lines: readonly string[]): FoundWord | undefined {
  const budget = { attempts: WORD_ATTEMPTS_MAX };
  for (let last = lines.length - 1; last >= 0; last--) {
    const line = lines[last]?.trim() ?? "";
    if (line.length <= WORD_CHARS_MAX && PROMISE.test(line)) {
      return { first: last, last, word: DONE };
    }
    const found = line.endsWith("}") ? objectUntil(lines, last, budget) : undefined;
    const word = AgentWord.safeParse(found?.value);
    if (found !== undefined && word.success) return { first: found.first, last, word: word.data };
    // What is inside an object that is no word is none either.
    last = found?.first ?? last;
  }
  return undefined;
}

/** The JSON object that ends with a line and begins with one. */
function objectUntil(
  lines: readonly string[],
  last: number,
  budget: { attempts: number },
): { readonly first: number; readonly value: object } | undefined {
  let text = "";
  for (let first = last; first >= 0 && first > last - WORD_LINES_MAX; first--) {
    const line = lines[first]?.trim() ?? "";
    text = `${line}\n${text}`;
    if (text.length > WORD_CHARS_MAX) return undefined;
    if (!line.startsWith("{") || !text.includes('"status"')) continue;
    // One line is always tried: only what is spread over lines could take quadratic time.
    if (first < last && --budget.attempts < 0) return undefined;
    const value = jsonOf(text);
    if (typeof value === "object" && value !== null) return { first, value };
  }
  return undefined;
}
