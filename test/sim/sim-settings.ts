import type { Policy } from "../../src/fs-protocol/home/policy.ts";
import type { SessionJson } from "../../src/fs-protocol/home/session-json.ts";
import { Random } from "../rig/random.ts";
import { SESSION } from "../rig/session.ts";
import { STUCK_STAGES } from "./stuck-stages.ts";

/** The settings of a session, which the seed determines. */
export function sessionOf(seed: number, base: string): SessionJson {
  const random = Random.for(seed, "session");
  const policy: Policy = {
    fixAttemptsMax: random.between(1, 3),
    fixRoundsMax: random.between(1, 3),
    fixBatchMax: 1 + (seed % 3),
    buildAttemptsMax: random.between(2, 4),
    stuck: STUCK_STAGES[seed % STUCK_STAGES.length],
    unitAttemptsMax: random.between(1, 3),
    drainMs: {
      planner: random.pick([2_000, 60_000]),
      reviewer: random.pick([500, 5_000, 60_000]),
      tester: random.pick([500, 5_000, 60_000]),
    },
    replan: random.pick(["changed", "always", "never"]),
    strict: random.chance(0.3),
    noFix: random.chance(0.1),
  };
  const review = { batch: random.between(1, 3), parallel: random.between(1, 3) };
  return { ...SESSION, base, policy, review, verify: random.chance(0.8) ? [["verify"]] : [] };
}

/** The same session without anything that depends on its seed. */
export function steadily(session: SessionJson): SessionJson {
  const policy: Policy = {
    ...session.policy,
    ...{ fixAttemptsMax: 3, fixRoundsMax: 3, buildAttemptsMax: 3, unitAttemptsMax: 3 },
    ...{ stuck: undefined, replan: "changed", strict: false, noFix: false },
    drainMs: { planner: 60_000, reviewer: 60_000, tester: 60_000 },
  };
  return { ...session, policy, verify: [["verify"]] };
}
