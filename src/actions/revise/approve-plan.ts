import type { WorldFailure } from "../../base/fatal.ts";
import { inSentences } from "../../base/words/in-sentences.ts";
import { ok, type Result } from "../../base/result.ts";
import type { RevisionPlan } from "../../session/rules/revision-plan.ts";
import type { Drafted } from "./draft-revision.ts";
import { readPlan } from "./draft-revision.ts";
import type { PlanQuestion } from "./revision-material.ts";

/** The person's side of planning, and the planner's. */
export interface Approval {
  readonly problems: readonly string[];
  /** Approved in advance. */
  readonly isApproved: boolean;
  /** Reads one line from the person; undefined if the person left. */
  readonly ask: (question: string) => Promise<string | undefined>;
  readonly say: (text: string) => void;
  readonly show: (plan: RevisionPlan) => void;
  readonly draft: (question: PlanQuestion, round: number) => Promise<Result<Drafted, WorldFailure>>;
  /** Opens a plan in an editor; undefined if it could not be edited. */
  readonly edit: (text: string) => Promise<string | undefined>;
  /** Why there is no other plan, in words. */
  readonly explain: (failure: WorldFailure) => string;
}

const QUESTION = "Approve this plan? (yes / or give feedback): ";
const EXTRA = "e opens it in your editor; Ctrl-C leaves without creating anything.";

/**
 * Requests plans until the person approves one (seed 000, US-004). Each further request includes
 * the problems, the previous plan and all feedback. If no new plan comes, the last one stays.
 *
 * @returns undefined if the person left
 */
export async function approvedPlan(
  approval: Approval,
): Promise<Result<RevisionPlan | undefined, WorldFailure>> {
  const first = await nextPlan(approval, { previous: undefined, feedback: [] }, 1);
  if (!first.ok) return first;
  if (first.value === undefined) return ok(undefined);
  let plan = first.value.plan;
  let feedback = first.value.feedback;
  for (let round = 2; ; round++) {
    approval.show(plan);
    if (approval.isApproved) return ok(plan);
    const answer = await answerTo(approval, plan);
    if (answer === undefined || answer.kind === "approved") return ok(answer?.plan);
    if (answer.kind === "edited") {
      plan = answer.plan;
      continue;
    }
    feedback = [...feedback, answer.feedback];
    const next = await nextPlan(approval, { previous: plan.text, feedback }, round);
    if (!next.ok) approval.say(`${approval.explain(next.failure)}\nThe previous plan stays:`);
    else if (next.value === undefined) return ok(undefined);
    else ({ plan, feedback } = next.value);
  }
}

type PlanAnswer =
  | { readonly kind: "approved"; readonly plan: RevisionPlan }
  | { readonly kind: "edited"; readonly plan: RevisionPlan }
  | { readonly kind: "feedback"; readonly feedback: string };

/** Undefined if the person left. */
async function answerTo(
  { ask, say, edit }: Approval,
  plan: RevisionPlan,
): Promise<PlanAnswer | undefined> {
  let text = plan.text;
  say(EXTRA);
  for (;;) {
    const line = (await ask(QUESTION))?.trim();
    if (line === undefined) return undefined;
    if (/^(?:yes|y|approve)$/iu.test(line)) return { kind: "approved", plan };
    if (!/^(?:e|edit)?$/iu.test(line)) return { kind: "feedback", feedback: line };
    if (line === "") continue;
    text = (await edit(text)) ?? text;
    const edited = readPlan(text);
    if (edited.ok) return { kind: "edited", plan: edited.value };
    const why = `That is not a plan: ${edited.failure.reason}`;
    say(inSentences(why, "The previous plan stays; e opens yours again"));
  }
}

interface Plan {
  readonly plan: RevisionPlan;
  readonly feedback: readonly string[];
}

/** The planner may ask first; the answer counts as feedback. Undefined if the person left. */
async function nextPlan(
  approval: Approval,
  { previous, feedback }: Omit<PlanQuestion, "problems">,
  round: number,
): Promise<Result<Plan | undefined, WorldFailure>> {
  let allFeedback = feedback;
  for (;;) {
    const question = { problems: approval.problems, previous, feedback: allFeedback };
    const drafted = await approval.draft(question, round);
    if (!drafted.ok) return drafted;
    if (drafted.value.kind === "interrupted") return ok(undefined);
    if (drafted.value.kind === "plan")
      return ok({ plan: drafted.value.plan, feedback: allFeedback });
    approval.say(`The planner asks: ${drafted.value.question}`);
    const answer = await approval.ask("Your answer: ");
    if (answer === undefined) return ok(undefined);
    allFeedback = [...allFeedback, `To your question "${drafted.value.question}": ${answer}`];
  }
}
