import { logFolds } from "../../session/state/session-logs.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import type { Exit, ReviewerStep, Wait } from "../../session/steps/step.ts";
import type { Reviewer } from "../../settings/reviewers/reviewer.ts";
import { recomputeFinding } from "../../evidence/integrity/check-fix.ts";
import { roleProjector } from "../../work/role-projector.ts";
import { judgeMain } from "../judge/judge-main.ts";
import type { RoleContext } from "../../work/role-context.ts";
import type { RoleMain } from "../../work/role.ts";
import { reviewerProjections } from "./projections.ts";
import { ReviewMemory } from "./review-range.ts";
import { reviewCommit, reviewMilestone } from "./review.ts";

type Work = Exclude<ReviewerStep, Wait | Exit>;
type Review = Extract<Work, { kind: "review-commit" | "review-milestone" }>;

/** The reviewer: reviews every commit, every milestone and every fix of its own findings. It never writes code. */
export function reviewerMain(context: RoleContext<"reviewer">): RoleMain<Work> {
  const { home, session } = context;
  const project = reviewerProjections(home, session);
  const projector = roleProjector(context, { ...logFolds(session).reviewer, project });
  const memory = new ReviewMemory();
  return judgeMain<Review>(context, projector, {
    judgeWork: (state, step) =>
      step.kind === "review-commit"
        ? reviewCommit(context, state, step, memory)
        : reviewMilestone(context, state, step, memory),
    computeVerdict: (state, step) => recomputeFinding(context, state, step),
    openerOf: (state, id) => openerOf(context, state, id),
  });
}

/** The reviewer that opened an item, as its file is now; undefined if there is no such file, or it cannot be read. */
async function openerOf(
  { reviewers }: RoleContext<"reviewer">,
  { reviewer }: SessionState,
  id: string,
): Promise<Reviewer | undefined> {
  const read = await reviewers();
  const name = reviewer.items.get(id)?.reviewer;
  return read.ok ? read.value.find((each) => each.name === name) : undefined;
}
