import type { Policy } from "../../src/fs-protocol/home/policy.ts";

/** Every second session has stages before a milestone without progress ends it. */
export const STUCK_STAGES: readonly Policy["stuck"][] = [
  undefined,
  { hint: 1, skip: 1, pause: 3 },
  undefined,
  { hint: 2, pause: 4 },
  undefined,
  { hint: 2, skip: 2, pause: 3 },
];
