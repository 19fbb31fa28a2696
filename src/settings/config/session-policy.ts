import type { Policy } from "../../fs-protocol/home/policy.ts";
import { buildAttemptsMax } from "../schema/attempts-setting.ts";
import type { Config } from "../schema/config-schema.ts";
import { planApprovalOf } from "../schema/plan-setting.ts";
import { stuckStages } from "../schema/stuck-setting.ts";

/** What a session works on; `plain`: neither stories nor a revision. */
export type SessionWork = keyof Config["stuck"] | "plain";

/**
 * The limits of a session as its settings define them; frozen when it starts.
 *
 * @param usdPerTask what a task cost in earlier sessions, in US dollars; absent: nothing is known
 */
export function policyOf(config: Config, work: SessionWork, usdPerTask?: number): Policy {
  return {
    fixAttemptsMax: config.attempts.fix,
    fixRoundsMax: config.fixRounds,
    fixBatchMax: config.review.fixBatch,
    buildAttemptsMax: buildAttemptsMax(config.attempts),
    stuck: work === "plain" ? undefined : stuckStages(config.stuck[work]),
    unitAttemptsMax: config.attempts.unit,
    drainMs: config.drain,
    replan: config.replan,
    planApproval: planApprovalOf(config.plan, usdPerTask),
    strict: config.review.strict,
    floor: config.review.floor,
    noFix: config.review.noFix,
    reviewPerCommit: config.review.perCommit,
    requestedRevisionsMax: config.revisions.requestedMax,
    hibernateMs: config.revisions.hibernate === false ? 0 : config.revisions.hibernate,
  };
}
