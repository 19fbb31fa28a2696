import type { RedBasePolicy } from "../../fs-protocol/home/policy.ts";
import type { BuilderRecord } from "../../fs-protocol/records/builder-log.ts";
import { decodeUnit } from "../../fs-protocol/records/unit-key.ts";
import type { BuilderFold, VerifyResult } from "./builder-state.ts";
import { ask } from "./fold-build.ts";
import type { HumanFold } from "./fold-human.ts";
import { isUnanswered, type Question } from "./open-unit.ts";

type BaseEnd = Extract<BuilderRecord, { readonly kind: "base.end" }>;

/** What a person decided about a red base. */
export type BaseAnswer = "accept" | "again";

/** The rule for red bases; undefined in sessions from before every such base was a question. */
type RedBaseRule = RedBasePolicy | undefined;

/** What is judged of verify at the base. */
type BaseResult = Pick<VerifyResult, "outcome" | "failing" | "tally">;

/**
 * The answer that accepts such a base, with the quotation marks in which a question may show it.
 */
const ACCEPT = /^["'`]?accept["'`]?$/i;

/** `accept`: continue with the base as it is. Any other answer: run verify there again. */
export function baseAnswerOf(text: string): BaseAnswer {
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

/** Whether a result at the base is a question: a red one, or before version 3 a red one that names no test. */
export function isRedBase({ outcome, failing }: BaseResult, rule: RedBaseRule): boolean {
  return outcome === "failed" && (rule !== undefined || failing === undefined);
}

/**
 * Whether a person answered in advance that the work may begin on this red base: for any, or for tests by name. Names
 * that were cut cover nothing.
 */
export function isRedKnown(
  { outcome, failing, tally }: BaseResult,
  { accept, known = [], remembered = [] }: RedBasePolicy,
): boolean {
  if (outcome === "passed") return false;
  if (accept === true) return true;
  const names = new Set([...known, ...remembered]);
  return failing !== undefined && tally?.isCut !== true && failing.every((name) => names.has(name));
}

/**
 * The open question about the base that the session's settings answer; undefined if there is none, or if a person has to
 * answer it.
 */
export function questionAnsweredBefore(
  { baseOutcome, baseline }: Pick<BuilderFold, "baseOutcome" | "baseline">,
  rule: RedBaseRule,
): string | undefined {
  if (baseOutcome?.kind !== "asked" || baseline === undefined || rule === undefined) {
    return undefined;
  }
  return isRedKnown(baseline, rule) ? baseOutcome.question : undefined;
}

/** Whether the base has no verdict yet: verify has not run there, or it is red and no person was asked about that. */
export function isBaseUnjudged(
  { stage, baseOutcome, baseline }: Pick<BuilderFold, "stage" | "baseOutcome" | "baseline">,
  rule: RedBaseRule,
): boolean {
  if (stage.kind !== "plan" || baseOutcome !== undefined) return false;
  return baseline === undefined || isRedBase(baseline, rule);
}

/** Whether a person let the work begin though nothing is known of verify at the base, or no name of what fails there. */
export function isUnnamedAccepted({
  baseOutcome,
  baseline,
}: Pick<BuilderFold, "baseOutcome" | "baseline">): boolean {
  return baseOutcome?.kind === "accepted" && isUnnamed(baseline);
}

/**
 * Whether a red result without test names counts as no worse than a red base without test names. If
 * the base was red without names and no person was asked, the session was past its plan stage
 * before wisp could ask: it keeps the rule it started with, and accepts.
 */
export function isRedAccepted(fold: Pick<BuilderFold, "baseOutcome" | "baseline">): boolean {
  return fold.baseOutcome === undefined ? isUnnamed(fold.baseline) : isUnnamedAccepted(fold);
}

function isUnnamed(baseline: BaseResult | undefined): boolean {
  return (
    baseline === undefined || (baseline.outcome === "failed" && baseline.failing === undefined)
  );
}

/**
 * Applies the end of the base unit. `accepted` counts only if it answers the question that was
 * asked.
 */
export function foldBaseEnd(fold: BuilderFold, record: BaseEnd, rule: RedBaseRule): BuilderFold {
  switch (record.outcome) {
    case "needs_input": {
      const { question = "" } = record;
      const questions = ask(fold.questions, record);
      return { ...fold, questions, baseOutcome: { kind: "asked", question } };
    }
    case "accepted": {
      const { baseOutcome } = fold;
      const isAsked = baseOutcome?.kind === "asked" && baseOutcome.question === record.by;
      return isAsked ? { ...accepted(fold, record), baseOutcome: { kind: "accepted" } } : fold;
    }
    case "judged":
      return { ...withoutReplaced(fold, rule), baseOutcome: { kind: "judged" } };
  }
}

/** A base that is judged while it is still red: an answer left no verify, so nothing that one showed counts. */
function withoutReplaced(fold: BuilderFold, rule: RedBaseRule): BuilderFold {
  const { baseline } = fold;
  if (baseline === undefined || !isRedBase(baseline, rule)) return fold;
  return { ...fold, baseline: undefined, verified: new Map() };
}

/** Whether a question is about the session's base. */
export function isOnBase({ unit }: Pick<Question, "unit">): boolean {
  return decodeUnit(unit)?.kind === "base";
}

/**
 * Whether the builder has gone on from a question about the base whose answer is not in view: then the view of human.log
 * is older than that of builder.log, and it may lack the commands that are in force.
 */
export function isBaseAnswerUnread(
  { questions, baseOutcome }: Pick<BuilderFold, "questions" | "baseOutcome">,
  human: Pick<HumanFold, "answers">,
): boolean {
  const open = baseOutcome?.kind === "asked" ? baseOutcome.question : undefined;
  return questions.some((one) => one.id !== open && isUnanswered(one, human) && isOnBase(one));
}

/** A question that the settings answered waits for nobody; one that a person answered has their record. */
function accepted(fold: BuilderFold, { by, how }: BaseEnd): BuilderFold {
  if (how === undefined) return fold;
  const settled = (one: Question): Question => (one.id === by ? { ...one, isSettled: true } : one);
  return { ...fold, questions: fold.questions.map(settled) };
}
