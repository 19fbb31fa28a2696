import { expect, test } from "vitest";
import type { Role } from "../../../src/base/role.ts";
import { BATCH_END, batchRun } from "./batch-run.ts";
import type { Kill } from "./killed-role.ts";

/** Every write of a batch. */
const MOMENTS: readonly (readonly [Role, Kill])[] = [
  ["builder", { like: / drain\.close /, nth: 1 }],
  ["builder", { like: / unit\.begin unit=fix:/, nth: 1 }],
  ["builder", { like: / turn\.begin unit=fix:/, nth: 1 }],
  ["builder", { like: / turn\.end unit=fix:/, nth: 1 }],
  ["builder", { like: / push\.intent unit=fix:/, nth: 1 }],
  ["builder", { like: /^\[Review Fix\] /, nth: 1 }],
  // Its commit is on the branch, and no record says so yet.
  ["builder", { like: / fix\.end /, nth: 1 }],
  // One entry of two is in PROGRESS.txt.
  ["builder", { like: /^\[Review Fix\] /, nth: 2 }],
  ["builder", { like: / fix\.end /, nth: 2 }],
  ["reviewer", { like: / unit\.begin unit=verify:/, nth: 1 }],
  ["reviewer", { like: / verify\.end /, nth: 1 }],
  // One verdict of two is on record.
  ["reviewer", { like: / verify\.end /, nth: 2 }],
  ["reviewer", { like: /^CLOSED /, nth: 1 }],
  ["reviewer", { like: /^REOPENED /, nth: 1 }],
];

test.each(MOMENTS)(
  "the %s, killed during a batch before %o, repeats no part of it",
  async (role, kill) => {
    expect(await batchRun(role, kill)).toEqual(BATCH_END);
  },
);
