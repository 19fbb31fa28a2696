import {
  COVERED_COMMITS_MAX,
  HIBERNATE_MS,
  REQUESTED_REVISIONS_MAX,
} from "../../src/base/limits.ts";
import type { Policy } from "../../src/fs-protocol/home/policy.ts";

/** The limits of a session without settings; `load-config.test.ts` compares them with the real ones. */
export const DEFAULT_POLICY: Policy = {
  fixAttemptsMax: 3,
  fixRoundsMax: 3,
  fixBatchMax: 1,
  buildAttemptsMax: 3,
  unitAttemptsMax: 3,
  drainMs: { planner: 5 * 60_000, reviewer: 2 * 60_000, tester: 10 * 60_000 },
  replan: "changed",
  strict: false,
  floor: "blocking",
  noFix: false,
  reviewPerCommit: COVERED_COMMITS_MAX,
  requestedRevisionsMax: REQUESTED_REVISIONS_MAX,
  hibernateMs: HIBERNATE_MS,
};
