import { hasVerifiedNothing, type VerifiedWork } from "../../session/rules/nothing-verified.ts";

/**
 * The last outcome of the verify commands. `none`: nothing was verified, as no test is known to have run. `no-worse`: they fail no worse than at the
 * base. `excused`: they fail worse, and a person dismissed the bug about it.
 */
export type VerifyOutcome = "none" | "passed" | "no-worse" | "excused";

/** The outcome for complete work: that of the final pass or, without one, of the builder's last run. */
export function verifyOutcome(state: VerifiedWork): VerifyOutcome {
  if (hasVerifiedNothing(state)) return "none";
  const { builder, tester } = state;
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
