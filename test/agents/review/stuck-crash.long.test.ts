import { expect, test } from "vitest";
import type { Kill } from "./killed-role.ts";
import { STUCK_END, stuckRun } from "./stuck-run.ts";

/**
 * Every write about a hint, and the first after a milestone was set aside. A second match is the copy of the log: the
 * record exists, but the file does not yet.
 */
const MOMENTS: readonly Kill[] = [
  { like: / unit\.begin unit=hint:/, nth: 1 },
  { like: / turn\.begin unit=hint:/, nth: 1 },
  { like: / turn\.end unit=hint:/, nth: 1 },
  { like: / hint\.end /, nth: 1 },
  { like: / hint\.end /, nth: 2 },
  { like: / note text=.*is set aside/, nth: 1 },
  { like: / unit\.begin unit=build:One:3/, nth: 1 },
  { like: / unit\.begin unit=build:Two:1/, nth: 1 },
  { like: / unit\.begin unit=build:One:4/, nth: 1 },
];

test.each(MOMENTS)(
  "a builder that is killed before %o gets one hint, which uses up no attempt, and builds everything",
  async (kill) => {
    expect(await stuckRun(kill)).toEqual(STUCK_END);
  },
);
