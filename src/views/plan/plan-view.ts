import { recordedNames } from "../../session/rules/build-order.ts";
import { estimateCost, type Estimate, type PastWork } from "../../session/rules/estimate-cost.ts";
import { lintPlan, type PlanRemark } from "../../session/rules/lint-plan.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import type { TasksDocument } from "../../fs-protocol/tasks/tasks-md.ts";

/** One milestone of a shown plan. */
export interface ShownMilestone {
  readonly name: string;
  /** `new`: not in the plan in force. `open`: not recorded yet. */
  readonly state: "done" | "open" | "new";
  readonly tasks: readonly {
    readonly text: string;
    readonly steps: readonly string[];
    readonly ticked: boolean;
  }[];
}

/** What `wisp plan --json` prints; fields are added, never renamed or removed. */
export interface PlanView {
  readonly schema: "wisp.plan/1";
  readonly session: string;
  /** `waiting`: for a person's approval. `none`: there is no plan yet. */
  readonly status: "waiting" | "in-force" | "none";
  /** The digest of the plan's bytes, which an approval names; absent if there is no plan. */
  readonly sha256: string | undefined;
  readonly milestones: readonly ShownMilestone[];
  /** Milestones of the plan in force that this one drops. */
  readonly dropped: readonly string[];
  /** What to look at before approving it. */
  readonly remarks: readonly PlanRemark[];
  /** The tasks that are left, and what they are likely to take. */
  readonly tasksLeft: number;
  readonly estimate: Estimate;
}

/** The plan that is shown: the one that waits, or else the one in force. */
export interface ShownPlan {
  readonly sha256: string;
  readonly isWaiting: boolean;
  readonly document: TasksDocument;
}

/** A plan for a person who decides about it. */
export function planView(
  session: string,
  { builder }: Pick<SessionState, "builder">,
  { plan, past }: { readonly plan: ShownPlan | undefined; readonly past: readonly PastWork[] },
): PlanView {
  const recorded = recordedNames(builder);
  const known = new Set(builder.plan.map(({ name }) => name));
  const listed = plan?.document.milestones ?? [];
  const left = listed.filter(({ name }) => !recorded.has(name));
  const tasksLeft = left.flatMap(({ tasks }) => tasks.filter(({ ticked }) => !ticked)).length;
  const names = new Set(listed.map(({ name }) => name));
  return {
    schema: "wisp.plan/1",
    session,
    status: plan === undefined ? "none" : plan.isWaiting ? "waiting" : "in-force",
    sha256: plan?.sha256,
    milestones: listed.map(({ name, tasks }) => ({
      name,
      state: recorded.has(name) ? "done" : known.has(name) || known.size === 0 ? "open" : "new",
      tasks: tasks.map(({ text, steps, ticked }) => ({ text, steps, ticked })),
    })),
    dropped: plan === undefined ? [] : [...known].filter((name) => !names.has(name)),
    remarks: lintPlan({ milestones: left }),
    tasksLeft,
    estimate: estimateCost(past, tasksLeft),
  };
}
