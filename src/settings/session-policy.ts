import type { Policy } from "../fs-protocol/policy.ts";
import type { Config } from "./config-schema.ts";

/** The bounds of a session as its settings state them; frozen when it starts. */
export function policyOf(config: Config): Policy {
  return {
    fixAttemptsMax: config.attempts.fix,
    fixRoundsMax: config.fixRounds,
    fixBatchMax: config.review.fixBatch,
    buildAttemptsMax: config.attempts.build,
    unitAttemptsMax: config.attempts.unit,
    drainMs: config.drain,
    replan: config.replan,
    strict: config.review.strict,
    floor: config.review.floor,
    noFix: config.review.noFix,
  };
}
