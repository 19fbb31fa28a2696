import type { ListedJob } from "./jobs.ts";

/** What Slurm's words for states and reasons mean to people who do not use it every day. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/^(?:Resources|Priority)$/, "it waits for a free node"],
  [
    /^(?:ReqNodeNotAvail|NodeDown|Nodes required|PartitionDown|PartitionInactive)/,
    "the node is down or not available",
  ],
  [/^BeginTime$/, "it was requeued, and begins soon"],
  [/^JobHeld/, "it is held"],
  [/^(?:QOS|Assoc)/, "a limit of its account is reached"],
];

/** Why a job does not run, in words and in Slurm's own. */
export function waitingWords({ id, state, reason, nodes }: ListedJob): string {
  const own = reason === "" || reason === "None" ? state : `${state}, ${reason}`;
  const words =
    state === "SUSPENDED"
      ? "it is suspended"
      : state === "COMPLETING"
        ? `it is ending on ${nodes}`
        : state === "CONFIGURING"
          ? `${nodes} is getting ready`
          : WORDS.find(([pattern]) => pattern.test(reason))?.[1];
  return words === undefined ? `job ${id}: ${own}` : `job ${id}: ${words} (${own})`;
}
