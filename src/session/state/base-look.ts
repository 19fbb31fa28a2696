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
  { baseLook }: Pick<BuilderFold, "baseLook">,
  { answers }: Pick<HumanFold, "answers">,
): BaseAnswer | undefined {
  const text = baseLook?.kind === "asked" ? answers.get(baseLook.question) : undefined;
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
  baseLook,
  baseline,
}: Pick<BuilderFold, "stage" | "baseLook" | "baseline">): boolean {
  if (stage.kind !== "plan" || baseLook !== undefined) return false;
  return baseline === undefined || isRedUnnamed(baseline);
}

/**
 * Whether red against red without names counts as no worse. Where nobody was asked about a base that was red without
 * names, the session was beyond its plan before anybody could be: it goes on by the rule that it began with.
 */
export function isRedAccepted({
  baseLook,
  baseline,
}: Pick<BuilderFold, "baseLook" | "baseline">): boolean {
  if (baseLook !== undefined) return baseLook.kind === "accepted";
  return baseline === undefined || isRedUnnamed(baseline);
}

/** A look at the base ends. Accepted is only what was asked. */
export function endBase(fold: BuilderFold, record: BaseEnd): BuilderFold {
  switch (record.outcome) {
    case "needs_input": {
      const { question = "" } = record;
      const questions = ask(fold.questions, record);
      return { ...fold, questions, baseLook: { kind: "asked", question } };
    }
    case "accepted": {
      const { baseLook } = fold;
      const isAsked = baseLook?.kind === "asked" && baseLook.question === record.by;
      return isAsked ? { ...fold, baseLook: { kind: "accepted" } } : fold;
    }
    case "judged":
      return { ...fold, baseLook: { kind: "judged" } };
  }
}
