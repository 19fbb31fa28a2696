import type { BuilderRecord } from "../../fs-protocol/records/builder-log.ts";
import type { BuilderFold, VerifyResult } from "./builder-state.ts";
import { ask } from "./fold-build.ts";
import type { HumanFold } from "./fold-human.ts";

type BaseEnd = Extract<BuilderRecord, { readonly kind: "base.end" }>;

/** What a person decided about a base that is red without test names. */
export type BaseAnswer = "accept" | "again";

/**
 * The answer that accepts such a base, with the quotation marks in which a question may show it.
 */
const ACCEPT = /^["'`]?accept["'`]?$/i;

/** `accept`: continue with the base as it is. Any other answer: run verify there again. */
function baseAnswerOf(text: string): BaseAnswer {
  return ACCEPT.test(text.trim()) ? "accept" : "again";
}

/**
 * Returns the answer to the open question about the base in `builder.log`; undefined if there is no
 * such question or no answer yet.
 */
export function answerOnBase(
  { baseOutcome }: Pick<BuilderFold, "baseOutcome">,
  { answers }: Pick<HumanFold, "answers">,
): BaseAnswer | undefined {
  const text = baseOutcome?.kind === "asked" ? answers.get(baseOutcome.question) : undefined;
  return text === undefined ? undefined : baseAnswerOf(text);
}

/**
 * Whether verify failed without naming a test, for example because its output could not be parsed.
 */
export function isRedUnnamed({
  outcome,
  failing,
}: Pick<VerifyResult, "outcome" | "failing">): boolean {
  return outcome === "failed" && failing === undefined;
}

/**
 * Whether the base has no verdict yet: verify has not run there, or it is red without test names
 * and no person was asked about that.
 */
export function isBaseUnjudged({
  stage,
  baseOutcome,
  baseline,
}: Pick<BuilderFold, "stage" | "baseOutcome" | "baseline">): boolean {
  if (stage.kind !== "plan" || baseOutcome !== undefined) return false;
  return baseline === undefined || isRedUnnamed(baseline);
}

/**
 * Whether a red result without test names counts as no worse than a red base without test names. If
 * the base was red without names and no person was asked, the session was past its plan stage
 * before wisp could ask: it keeps the rule it started with, and accepts.
 */
export function isRedAccepted({
  baseOutcome,
  baseline,
}: Pick<BuilderFold, "baseOutcome" | "baseline">): boolean {
  if (baseOutcome !== undefined) return baseOutcome.kind === "accepted";
  return baseline === undefined || isRedUnnamed(baseline);
}

/**
 * Applies the end of the base unit. `accepted` counts only if it answers the question that was
 * asked.
 */
export function foldBaseEnd(fold: BuilderFold, record: BaseEnd): BuilderFold {
  switch (record.outcome) {
    case "needs_input": {
      const { question = "" } = record;
      const questions = ask(fold.questions, record);
      return { ...fold, questions, baseOutcome: { kind: "asked", question } };
    }
    case "accepted": {
      const { baseOutcome } = fold;
      const isAsked = baseOutcome?.kind === "asked" && baseOutcome.question === record.by;
      return isAsked ? { ...fold, baseOutcome: { kind: "accepted" } } : fold;
    }
    case "judged":
      return { ...fold, baseOutcome: { kind: "judged" } };
  }
}
