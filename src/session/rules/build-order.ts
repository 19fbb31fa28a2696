import type { BuilderFold, StuckHint } from "../state/builder-state.ts";
import { stagesOf, type Policy } from "../../fs-protocol/home/policy.ts";
import type { PlanMilestone } from "../../fs-protocol/codec/record-fields.ts";

type Counted = Pick<BuilderFold, "plan" | "milestones" | "stalls">;

/** Attempts at a milestone in a row that made no progress. */
export function stalledAttempts({ stalls }: Pick<BuilderFold, "stalls">, name: string): number {
  return stalls.get(name)?.length ?? 0;
}

/**
 * The milestones that are not recorded yet, in the order in which they are built: that of the plan, but
 * those that have stalled for so long that they are set aside come last. A milestone never gets lost:
 * where all are to be set aside, the first of them is taken up again.
 */
export function buildOrder(fold: Counted, policy: Policy): readonly PlanMilestone[] {
  const left = fold.plan.filter(({ name }) => !fold.milestones.some((one) => one.name === name));
  const isAside = ({ name }: PlanMilestone) => isStalled(fold, name, policy);
  return [...left.filter((milestone) => !isAside(milestone)), ...left.filter(isAside)];
}

/** The milestone that is built next, or is in hand; undefined: all are recorded. */
export function currentMilestone(fold: Counted, policy: Policy): PlanMilestone | undefined {
  return buildOrder(fold, policy)[0];
}

/** Milestones that were given up for now, and come after the current one. */
export function setAside(fold: Counted, policy: Policy): readonly PlanMilestone[] {
  const [, ...later] = buildOrder(fold, policy);
  return later.filter(({ name }) => isStalled(fold, name, policy));
}

function isStalled(fold: Counted, name: string, policy: Policy): boolean {
  const { skip, pause } = stagesOf(policy);
  return skip !== undefined && skip < pause && stalledAttempts(fold, name) >= skip;
}

/** What a hint is made of that comes before the next attempt; undefined: none is due. */
export function dueHint(
  fold: Pick<BuilderFold, "stalls" | "buildAttempts" | "hints">,
  m: string,
  policy: Policy,
): Omit<StuckHint, "text"> | undefined {
  const { hint = Infinity, pause } = stagesOf(policy);
  const stalled = stalledAttempts(fold, m);
  const attempts = fold.buildAttempts.get(m) ?? 0;
  const isDue = stalled > 0 && stalled < pause && stalled % hint === 0;
  return isDue && fold.hints.get(m)?.attempts !== attempts ? { m, attempts, stalled } : undefined;
}

/**
 * Whether a milestone that is not recorded is begun, so that a new plan of the planner's has to leave it
 * alone: it has ticks, or it was set aside with commits on the branch. Where the session halts at it, or
 * goes on after that, commits alone do not keep it as it is: a smaller milestone may be the way out.
 */
export function isBegun(
  { ticks, backed, stage, stalls }: Pick<BuilderFold, "ticks" | "backed" | "stage" | "stalls">,
  name: string,
): boolean {
  const isTried = backed.has(name) && stalledAttempts({ stalls }, name) > 0;
  return ticks.has(name) || (isTried && stage.kind !== "halt");
}
