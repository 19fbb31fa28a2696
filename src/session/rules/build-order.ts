import type { BuilderFold, StuckHint } from "../state/builder-state.ts";
import { stagesOf, type Policy } from "../../fs-protocol/home/policy.ts";
import type { PlanMilestone } from "../../fs-protocol/codec/record-fields.ts";

type Counted = Pick<BuilderFold, "plan" | "milestones" | "stalls">;

/** Returns the names of the milestones that are recorded. */
export function recordedNames({
  milestones,
}: Pick<BuilderFold, "milestones">): ReadonlySet<string> {
  const known = namesOf.get(milestones);
  if (known !== undefined) return known;
  const names = new Set(milestones.map(({ name }) => name));
  namesOf.set(milestones, names);
  return names;
}

const namesOf = new WeakMap<BuilderFold["milestones"], ReadonlySet<string>>();

/** Counts the latest consecutive attempts at a milestone that made no progress. */
export function stalledAttempts({ stalls }: Pick<BuilderFold, "stalls">, name: string): number {
  return stalls.get(name)?.length ?? 0;
}

/**
 * Returns the milestones that are not recorded yet, in the order in which they are built: the order
 * of the plan, with milestones that stalled long enough to be set aside moved to the end. No
 * milestone is ever dropped: if all of them are set aside, the first one is tried again.
 */
export function buildOrder(fold: Counted, policy: Policy): readonly PlanMilestone[] {
  const known = orders.get(fold.milestones);
  if (known?.plan === fold.plan && known.stalls === fold.stalls && known.policy === policy) {
    return known.order;
  }
  const order = orderOf(fold, policy);
  orders.set(fold.milestones, { plan: fold.plan, stalls: fold.stalls, policy, order });
  return order;
}

/** The last order of each list of recorded milestones: it follows from these four values, which never change. */
const orders = new WeakMap<Counted["milestones"], Order>();

interface Order extends Pick<Counted, "plan" | "stalls"> {
  readonly policy: Policy;
  readonly order: readonly PlanMilestone[];
}

function orderOf(fold: Counted, policy: Policy): readonly PlanMilestone[] {
  const recorded = recordedNames(fold);
  const unbuilt = fold.plan.filter(({ name }) => !recorded.has(name));
  const isAside = ({ name }: PlanMilestone) => isStalled(fold, name, policy);
  return [...unbuilt.filter((milestone) => !isAside(milestone)), ...unbuilt.filter(isAside)];
}

/**
 * Returns the milestone that is being built or is built next; undefined if all milestones are
 * recorded.
 */
export function currentMilestone(fold: Counted, policy: Policy): PlanMilestone | undefined {
  return buildOrder(fold, policy)[0];
}

/** Returns the milestones that are set aside for now: they come after the current one. */
export function setAside(fold: Counted, policy: Policy): readonly PlanMilestone[] {
  const [, ...later] = buildOrder(fold, policy);
  return later.filter(({ name }) => isStalled(fold, name, policy));
}

function isStalled(fold: Counted, name: string, policy: Policy): boolean {
  const { skip, pause } = stagesOf(policy);
  return skip !== undefined && skip < pause && stalledAttempts(fold, name) >= skip;
}

/** Whether a milestone is set aside, or the session pauses, if the present attempt at it makes no progress. */
export function isLastAttempt(
  fold: Pick<BuilderFold, "stalls">,
  m: string,
  policy: Policy,
): boolean {
  const { skip, pause } = stagesOf(policy);
  const stalled = stalledAttempts(fold, m) + 1;
  return stalled >= pause || stalled === skip;
}

/** Returns the data for a hint that is due before the next attempt; undefined if none is due. */
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
 * Whether a milestone that is not recorded counts as started, so that the planner's new plan must
 * leave it unchanged: it has ticks, or it stalled with commits on the branch. While the session is
 * halted, commits alone do not protect a milestone, because replacing it with a smaller one may be
 * the way out.
 */
export function isBegun(
  { ticks, backed, stage, stalls }: Pick<BuilderFold, "ticks" | "backed" | "stage" | "stalls">,
  name: string,
): boolean {
  const isTried = backed.has(name) && stalledAttempts({ stalls }, name) > 0;
  return ticks.has(name) || (isTried && stage.kind !== "halt");
}
