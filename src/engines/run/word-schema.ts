import type { Purpose } from "../engine.ts";

/**
 * The agent's last word (`last-message.ts`) as a JSON schema, for CLIs that can make a model follow one. In the
 * strict form that OpenAI requires: every property is required, and one that does not apply is null.
 */
const WORD_SCHEMA = {
  type: "object",
  properties: {
    status: { type: "string", enum: ["CONTINUE", "DONE", "NEEDS_INPUT", "BLOCKED"] },
    summary: { type: "string", description: "What was done, in one sentence." },
    question: { type: ["string", "null"], description: "With NEEDS_INPUT: the question." },
    error: { type: ["string", "null"], description: "With BLOCKED: what is in the way." },
    divergence: {
      type: ["array", "null"],
      description: "Where the work left the request, and why.",
      items: {
        type: "object",
        properties: { what: { type: "string" }, reason: { type: "string" } },
        required: ["what", "reason"],
        additionalProperties: false,
      },
    },
  },
  required: ["status", "summary", "question", "error", "divergence"],
  additionalProperties: false,
} as const;

/** Purposes whose answer is only the last word. The answer of a review or a test is its findings. */
const ANSWERS_WITH_WORD: ReadonlySet<Purpose> = new Set(["plan", "replan", "build", "fix"]);

/** The schema of a turn's answer, as JSON; `undefined` if the answer is more than the last word. */
export function wordSchema(purpose: Purpose): string | undefined {
  return ANSWERS_WITH_WORD.has(purpose) ? JSON.stringify(WORD_SCHEMA) : undefined;
}
