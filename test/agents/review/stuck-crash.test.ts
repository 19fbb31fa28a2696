import { expect, test } from "vitest";
import type { Kill } from "./killed-role.ts";
import { STUCK_END, stuckRun } from "./stuck-run.ts";

/** The second time it is the copy of the log: the record stands, and the file does not yet. */
const MOMENTS: readonly Kill[] = [
  { like: / turn\.end unit=hint:/, nth: 1 },
  { like: / hint\.end /, nth: 1 },
  { like: / hint\.end /, nth: 2 },
  { like: / note text=.*is set aside/, nth: 1 },
];

test.each(MOMENTS)(
  "a builder that is killed before %o makes one hint, uses no attempt for it, and builds all",
  async (kill) => {
    expect(await stuckRun(kill)).toEqual(STUCK_END);
  },
  60_000,
);
