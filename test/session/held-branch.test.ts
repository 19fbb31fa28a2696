import { expect, test } from "vitest";
import { foldOpenUnit, type OpenUnit } from "../../src/session/state/open-unit.ts";

const UNIT = "build:One:1";
const AT = "c7e03b915ad84f62b0d9e1f7a3c58264d90b1e6f";
const REASON = "the session branch is checked out in /repo: check out another branch there";

const WAITS: Parameters<typeof foldOpenUnit>[1][] = [
  { kind: "unit.begin", unit: UNIT, base: AT },
  { kind: "unit.wait", unit: UNIT, reason: REASON, held: "/repo" },
];

/** Where the branch is held, and what the unit waits for, after these records. */
function after(...more: Parameters<typeof foldOpenUnit>[1][]) {
  let open: OpenUnit<never> | undefined;
  for (const record of [...WAITS, ...more]) open = foldOpenUnit(open, record);
  return [open?.heldAt, open?.waiting];
}

test("a unit that waits for the branch says where it is checked out, until the wait is over", () => {
  expect(after()).toEqual(["/repo", REASON]);
  const freed = {
    kind: "unit.wait",
    unit: UNIT,
    reason: "free again",
    over: "yes",
  } as const;
  expect(after(freed)).toEqual([undefined, undefined]);
});

test.each([
  ["it is published", { kind: "push.done", unit: UNIT, sha: AT }],
  [
    "it is found published after a restart",
    { kind: "unit.recover", unit: UNIT, found: "published" },
  ],
  [
    "nothing of it is found after a restart",
    { kind: "unit.recover", unit: UNIT, found: "nothing" },
  ],
])("once %s, a unit waits for nothing any more, whatever comes before its end", (_what, record) => {
  expect(after(record)).toEqual([undefined, undefined]);
});
