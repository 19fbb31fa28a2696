import { expect, test } from "vitest";
import type { Role } from "../../../src/base/role.ts";
import { BATCH_END, batchRun } from "./batch-run.ts";
import type { Kill } from "./killed-role.ts";

/** Its commit is on the branch, and no record says so yet; one entry of two stands in PROGRESS.txt; one verdict of two is on record. */
const MOMENTS: readonly (readonly [Role, Kill])[] = [
  ["builder", { like: / fix\.end /, nth: 1 }],
  ["builder", { like: /^\[Review Fix\] /, nth: 2 }],
  ["reviewer", { like: / verify\.end /, nth: 2 }],
];

test.each(MOMENTS)(
  "the %s, killed in the midst of a batch before %o, does nothing of it twice",
  async (role, kill) => {
    expect(await batchRun(role, kill)).toEqual(BATCH_END);
  },
  60_000,
);
