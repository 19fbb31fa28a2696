import type { LookNetwork } from "../../fs-protocol/records/look-record.ts";
import type { RanCommand } from "../../fs-protocol/records/command-result.ts";
import { needsNetwork, type NetworkedLook } from "../../evidence/look/choose-network.ts";

/** How a run of a bug's command ended, and what of it is recorded. */
export type RunOnNetwork =
  | {
      readonly kind: "judged";
      readonly result: Pick<RanCommand, "outcome" | "reason" | "failing" | "tally" | "output">;
      /** Whether it says nothing of the commit because of something that passes. */
      readonly isPassing: boolean;
      /** Undefined if the sandbox leaves no choice. */
      readonly network: LookNetwork | undefined;
    }
  | { readonly kind: "stopped" }
  /** There was no tree to run it in. */
  | { readonly kind: "failed"; readonly reason: string };

/**
 * Runs a bug's command on the network that verify has. If it fails on a loopback of its own, it is run once more with
 * the machine's network, which then decides, unless it is sure that the command gains nothing by it.
 *
 * @param network undefined if the sandbox leaves no choice
 */
export async function runOnNetworks(
  network: LookNetwork | undefined,
  run: (network: LookNetwork | undefined) => Promise<RunOnNetwork>,
): Promise<RunOnNetwork> {
  const first = await run(network);
  if (network !== "own" || first.kind !== "judged" || first.result.outcome !== "failed") {
    return first;
  }
  const again = await run("machine");
  if (again.kind !== "judged") return again;
  return needsNetwork(lookOf(first, "own"), lookOf(again, "machine")) ? again : first;
}

function lookOf(
  { result: { outcome, failing, tally } }: Extract<RunOnNetwork, { readonly kind: "judged" }>,
  network: LookNetwork,
): NetworkedLook {
  const isCounted = tally?.passed !== undefined || tally?.failed !== undefined;
  const ran = isCounted ? (tally.passed ?? 0) + (tally.failed ?? 0) : undefined;
  switch (outcome) {
    case "passed":
      return { verdict: "green", network, ran };
    case "failed":
      return { verdict: "red", failing, tally, network, ran };
    case "unstarted":
      return { verdict: "unknown", cause: "not-started", reason: "", network, ran };
  }
}
