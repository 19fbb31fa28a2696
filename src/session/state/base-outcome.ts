import type { BuilderRecord } from "../../fs-protocol/records/builder-log.ts";
import type { BuilderFold, VerifyResult } from "./builder-state.ts";
import { ask } from "./fold-build.ts";
import type { HumanFold } from "./fold-human.ts";

type BaseEnd = Extract<BuilderRecord, { readonly kind: "base.end" }>;

/** What a person's answer says about such a base. */
export type BaseAnswer = "accept" | "again";

/** The word by which a person accepts it, as a question may quote it. */
const ACCEPT = /^["'`]?accept["'`]?$/i;

/** `accept`: go on with it as it is. Everything else: verify is to be run there again. */
function baseAnswerOf(text: string): BaseAnswer {
  return ACCEPT.test(text.trim()) ? "accept" : "again";
}

/** The answer to the question about the base that stands open in `builder.log`; undefined: there is none. */
export function answerOnBase(
  { baseOutcome }: Pick<BuilderFold, "baseOutcome">,
  { answers }: Pick<HumanFold, "answers">,
): BaseAnswer | undefined {
  const text = baseOutcome?.kind === "asked" ? answers.get(baseOutcome.question) : undefined;
  return text === undefined ? undefined : baseAnswerOf(text);
}

/** A verify that failed and did not get as far as naming a test, or whose output nobody can read. */
export function isRedUnnamed({
  outcome,
  failing,
}: Pick<VerifyResult, "outcome" | "failing">): boolean {
  return outcome === "failed" && failing === undefined;
}

/** Whether it is not known yet what verify says of the base, or a person has yet to be asked about that. */
export function isBaseUnjudged({
  stage,
  baseOutcome,
  baseline,
}: Pick<BuilderFold, "stage" | "baseOutcome" | "baseline">): boolean {
  if (stage.kind !== "plan" || baseOutcome !== undefined) return false;
  return baseline === undefined || isRedUnnamed(baseline);
}

/**
 * Whether red against red without names counts as no worse. Where nobody was asked about a base that was red without
 * names, the session was beyond its plan before anybody could be: it goes on by the rule that it began with.
 */
export function isRedAccepted({
  baseOutcome,
  baseline,
}: Pick<BuilderFold, "baseOutcome" | "baseline">): boolean {
  if (baseOutcome !== undefined) return baseOutcome.kind === "accepted";
  return baseline === undefined || isRedUnnamed(baseline);
}

/** A look at the base ends. Accepted is only what was asked. */
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
