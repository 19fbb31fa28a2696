import { onceForPair } from "../../base/once-for-pair.ts";
import type { EndedMilestone } from "../../fs-protocol/records/builder-log.ts";
import type { BuilderFold } from "../state/builder-state.ts";
import type { JudgeFold } from "../state/fold-judge.ts";

/**
 * Returns the oldest recorded milestone that reviewer or tester has not answered; undefined if they answered all. Every
 * decision asks, and most of them after other records than those of milestones.
 */
export function oldestUnanswered(
  { answered }: Pick<JudgeFold, "answered">,
  { milestones }: Pick<BuilderFold, "milestones">,
): EndedMilestone | undefined {
  return oldestWithout(answered, milestones);
}

const oldestWithout = onceForPair(
  (answered: JudgeFold["answered"], milestones: BuilderFold["milestones"]) =>
    milestones.find(({ name }) => !answered.has(name)),
);
