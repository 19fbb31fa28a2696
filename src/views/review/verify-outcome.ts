import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import type { SessionState } from "../../session/state/session-state.ts";

/**
 * The last outcome of the verify commands. `none`: there are no commands. `no-worse`: they fail no worse than at the
 * base. `excused`: they fail worse, and a person dismissed the bug about it.
 */
export type VerifyOutcome = "none" | "passed" | "no-worse" | "excused";

/** The outcome for complete work: that of the final pass or, without one, of the builder's last run. */
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
