import { z } from "zod";
import { REASON_CHARS_MAX } from "../base/limits.ts";
import { cleanText } from "./clean-text.ts";

const said = z
  .string()
  .transform((text) => cleanText(text, { charsMax: REASON_CHARS_MAX, lines: "one" }))
  .optional()
  .catch(undefined);

/**
 * The last word of an engine, as printed on a line of its own:
 * `{"status":"NEEDS_INPUT","question":"Which port?"}`. Only `status` decides; a field of the wrong
 * type counts as absent, and what else the object holds is passed over.
 */
export const AgentWord = z.object({
  status: z.enum(["CONTINUE", "DONE", "NEEDS_INPUT", "BLOCKED"]),
  summary: said,
  question: said,
  error: said,
});
export type AgentWord = z.infer<typeof AgentWord>;

/** Longer lines hold no word: an engine that dumps data must not have it parsed as one. */
const WORD_CHARS_MAX = 64 * 1024;

/**
 * The last word in an engine's standard output: the last line that is a JSON object with a known
 * `status`. No such line means DONE. Nothing in `stdout` makes this fail.
 */
export function lastAgentWord(stdout: string): AgentWord {
  const lines = stdout.split("\n");
  const index = agentWordLine(lines);
  return wordOf(lines[index] ?? "") ?? { status: "DONE" };
}

/** Index of the line that holds the last word, for readers of what stands around it; -1 without one. */
export function agentWordLine(lines: readonly string[]): number {
  return lines.findLastIndex((line) => wordOf(line) !== undefined);
}

function wordOf(line: string): AgentWord | undefined {
  if (line.length > WORD_CHARS_MAX) return undefined;
  const text = line.trim();
  if (!text.startsWith("{") || !text.endsWith("}") || !text.includes('"status"')) return undefined;
  const parsed = AgentWord.safeParse(jsonOf(text));
  return parsed.success ? parsed.data : undefined;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
