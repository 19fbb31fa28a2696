import { z } from "zod";
import type { PlanApproval } from "../../fs-protocol/home/policy.ts";

const ANY = "ask, auto, or { ask: { tasks: N, usd: N } }";
const TASKS = "a whole number of tasks, such as 20";
const USD = "an amount in US dollars, such as 5";

const tasks = z
  .int({ error: TASKS })
  .min(0, { error: TASKS })
  .max(1_000_000, { error: TASKS })
  .describe("Ask if the plan has more tasks than this.");
const usd = z
  .number({ error: USD })
  .min(0, { error: USD })
  .max(1_000_000, { error: USD })
  .describe(
    "Ask if the plan is estimated to cost more than this many US dollars, or cannot be estimated.",
  );

/** At least one of the limits: without any, `ask` alone says the same. */
const Limits = z.union(
  [
    z.strictObject({ tasks, usd: usd.optional() }, { error: ANY }),
    z.strictObject({ tasks: tasks.optional(), usd }, { error: ANY }),
  ],
  { error: ANY },
);

/** `plan`: whether a person approves a plan before anything is built. */
export const PlanSetting = z
  .union([z.enum(["ask", "auto"]), z.strictObject({ ask: Limits }, { error: ANY })], { error: ANY })
  .default("auto")
  .describe(
    "Whether you approve each plan, and each later one that adds milestones, before it is built: ask · auto · " +
      "{ ask: { tasks: 20, usd: 5 } } only above a limit.",
  );
export type PlanSetting = z.infer<typeof PlanSetting>;

/**
 * The setting as a session stores it.
 *
 * @param usdPerTask what a task cost in earlier sessions, in US dollars; undefined if nothing is known
 */
export function planApprovalOf(
  setting: PlanSetting,
  usdPerTask: number | undefined,
): PlanApproval | undefined {
  if (setting === "auto") return undefined;
  return setting === "ask" ? {} : { ...setting.ask, usdPerTask };
}

/** Whether an estimate of the cost decides. */
export function needsEstimate(setting: PlanSetting): boolean {
  return typeof setting === "object" && setting.ask.usd !== undefined;
}
