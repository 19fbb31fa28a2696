import { logFolds } from "../../session/state/log-folds.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import type { AdoptStep, Exit, ReviewerStep, Wait } from "../../session/steps/step.ts";
import { recomputeFinding } from "../integrity/recompute-finding.ts";
import { roleProjector } from "../home/role-projector.ts";
import type { RoleContext } from "../work/role-context.ts";
import type { RoleMain } from "../work/role.ts";
import { repairClone } from "../verify/repair-clone.ts";
import { verifyFix } from "../judge/verify-fix.ts";
import { Looks } from "./look-at-range.ts";
import { reviewerProjections } from "./projections.ts";
import { reviewCommit, reviewMilestone } from "./review.ts";

type Work = Exclude<ReviewerStep, Wait | Exit>;

/** The reviewer: every commit, every milestone, every fix of a finding of its own. Reads only. */
export function reviewerMain(context: RoleContext<"reviewer">): RoleMain<Work> {
  const { home, session } = context;
  const project = reviewerProjections(home, session);
  const projector = roleProjector(context, { ...logFolds(session).reviewer, project });
  const looks = new Looks();
  return {
    reconcile: () => projector.reconcile(),
    start: () => projector.reconcile(),
    async perform(work, state) {
      await act(context, state, { work, looks });
      await projector.advance();
    },
  };
}

async function act(
  context: RoleContext<"reviewer">,
  state: SessionState,
  { work, looks }: { readonly work: Work; readonly looks: Looks },
): Promise<void> {
  switch (work.kind) {
    case "recover":
      await repairClone(context, work.unit);
      return;
    case "verify":
      await verifyFix(context, state, work, () => recomputeFinding(context, state, work));
      return;
    case "adopt-human":
      adoptHuman(context, work);
      return;
    case "review-commit":
      await reviewCommit(context, state, work, looks);
      return;
    case "review-milestone":
      await reviewMilestone(context, state, work, looks);
  }
}

function adoptHuman({ journal }: RoleContext<"reviewer">, { item }: AdoptStep): void {
  const at = { kind: "adopt.end", time: journal.time(), human: item.index } as const;
  if (item.kind === "add") {
    // What wisp computes only wisp says.
    journal.append({ ...at, finding: { ...item.finding, computed: undefined } });
  } else journal.append({ ...at, dismiss: item.id, why: item.why });
}
