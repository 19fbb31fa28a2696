import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import type { SessionState } from "../../session/state/session-state.ts";

/**
 * What the verify commands said last: `none`: there are none. `no-worse`: they fail no more than where the work began.
 * `excused`: they are worse, and a person dismissed the bug about it.
 */
export type VerifyOutcome = "none" | "passed" | "no-worse" | "excused";

/** Of work that is complete: the final pass has the last word, and before it the builder's last run. */
export function verifyOutcome(
  { verify }: Pick<SessionJson, "verify">,
  { builder, tester }: Pick<SessionState, "builder" | "tester">,
): VerifyOutcome {
  if (verify.length === 0) return "none";
  switch (tester.finalVerify) {
    case "passed":
      return "passed";
    case "excused":
      return "excused";
    case "asbase":
      return "no-worse";
    default: {
      const last = [...builder.verified.values()].at(-1);
      return last?.outcome === "failed" ? "no-worse" : "passed";
    }
  }
}
