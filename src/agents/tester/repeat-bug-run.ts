import { SUITE_REPEATS_MAX, UNKNOWN_REPEATS_MAX } from "../../base/look-limits.ts";
import type { RunOnNetwork } from "./run-on-networks.ts";

type Judged = Extract<RunOnNetwork, { readonly kind: "judged" }>;

/** How the runs of a bug's command ended together, and how many there were. */
export type RepeatedRun =
  | (Pick<Judged, "kind" | "result"> & { readonly looks: number })
  | Exclude<RunOnNetwork, { readonly kind: "judged" }>;

/**
 * Runs a bug's command until that says something: one failure neither opens a bug nor sends a fix back. It fails if it fails
 * each time, in the same tests where it names them, and passes if it passes once.
 *
 * @param run `n`: the number of the run, from 1; `before`: the one before it, which decided on which network it is repeated
 */
export async function repeatBugRun(
  run: (n: number, before: Judged | undefined) => Promise<RunOnNetwork>,
): Promise<RepeatedRun> {
  const failed: Judged[] = [];
  let unknown = 0;
  let before: Judged | undefined;
  for (let n = 1; ; n++) {
    const ran = await run(n, before);
    if (ran.kind !== "judged") return ran;
    before = ran;
    const { outcome } = ran.result;
    if (outcome === "failed") failed.push(ran);
    if (ran.isPassing) unknown += 1;
    const isRepeated =
      outcome === "failed"
        ? failed.length <= SUITE_REPEATS_MAX
        : ran.isPassing && unknown <= UNKNOWN_REPEATS_MAX;
    if (!isRepeated) return { kind: "judged", result: together(ran, failed), looks: n };
  }
}

/** The last run, with what failed in every one. */
function together({ result }: Judged, failed: readonly Judged[]): Judged["result"] {
  const lists = failed.flatMap(({ result: { failing } }) =>
    failing === undefined ? [] : [failing],
  );
  if (result.outcome !== "failed" || result.failing === undefined) return result;
  const both = result.failing.filter((name) => lists.every((list) => list.includes(name)));
  if (both.length === result.failing.length) return result;
  if (both.length > 0) return { ...result, failing: both, tally: undefined };
  const reason = "it failed each time, and each test that failed passed in another run";
  return { ...result, outcome: "unstarted", reason, failing: undefined, tally: undefined };
}
