import { expect, test } from "vitest";
import type { Kill } from "./killed-role.ts";
import { STUCK_END, stuckRun } from "./stuck-run.ts";

/** The rest of the writes that are about a hint, and the first after a milestone was set aside. */
const MOMENTS: readonly Kill[] = [
  { like: / unit\.begin unit=hint:/, nth: 1 },
  { like: / turn\.begin unit=hint:/, nth: 1 },
  { like: / unit\.begin unit=build:One:3/, nth: 1 },
  { like: / unit\.begin unit=build:Two:1/, nth: 1 },
  { like: / unit\.begin unit=build:One:4/, nth: 1 },
];

test.each(MOMENTS)(
  "a builder that is killed before %o makes one hint, uses no attempt for it, and builds all",
  async (kill) => {
    expect(await stuckRun(kill)).toEqual(STUCK_END);
  },
  60_000,
);
