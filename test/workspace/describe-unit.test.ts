import { expect, test } from "vitest";
import { describeUnit } from "../../src/workspace/session/describe-unit.ts";
import { encodeUnit } from "../../src/fs-protocol/records/unit-key.ts";

const SHA = "0123456789abcdef0123456789abcdef01234567";
const OTHER = "fedcba9876543210fedcba9876543210fedcba98";

test.each([
  [encodeUnit({ kind: "plan", boundary: 0, request: 0, refusals: 0 }), "the plan"],
  [
    encodeUnit({ kind: "plan", boundary: 2, request: 1, refusals: 1 }),
    "re-planning after 2 milestones",
  ],
  [
    encodeUnit({ kind: "build", milestone: "API: models, and routes", attempt: 1 }),
    'building "API: models, and routes"',
  ],
  [encodeUnit({ kind: "build", milestone: "API", attempt: 2 }), 'building "API" (attempt 2)'],
  [
    encodeUnit({ kind: "hint", milestone: "API: models", attempts: 3 }),
    'a stuck hint for "API: models" after 3 attempts',
  ],
  [encodeUnit({ kind: "fix", ids: ["COR-3fa2b1"], attempt: 1 }), "fixing COR-3fa2b1"],
  [
    encodeUnit({ kind: "fix", ids: ["COR-3fa2b1", "COR-7f3a91"], attempt: 2 }),
    "fixing COR-3fa2b1+COR-7f3a91 (attempt 2)",
  ],
  [encodeUnit({ kind: "commit", first: SHA, last: SHA }), "reviewing commit 0123456789"],
  [
    encodeUnit({ kind: "commit", first: SHA, last: OTHER, reopens: 1 }),
    "reviewing commits 0123456789 to fedcba9876",
  ],
  [
    encodeUnit({ kind: "review", milestone: "API", end: SHA, reopens: 1 }),
    'reviewing milestone "API"',
  ],
  [
    encodeUnit({ kind: "verify", id: "BUG-3fa2b1", sha: SHA, attempt: 2 }),
    "rechecking BUG-3fa2b1 (attempt 2)",
  ],
  [encodeUnit({ kind: "test", milestone: "API", end: SHA }), 'testing milestone "API"'],
  [encodeUnit({ kind: "final", n: 3 }), "the final pass 3"],
])("%s is %s", (unit, words) => {
  expect(describeUnit(unit)).toBe(words);
});

test("shows an unknown unit key and a hostile name as clean text", () => {
  expect(describeUnit("dance:tango")).toBe('"dance:tango"');
  const acting = encodeUnit({ kind: "build", milestone: "\u001B[2Jgone\n", attempt: 1 });
  expect(describeUnit(acting)).toBe('building "gone"');
  // wisp does not write it like this, so it is not a valid key.
  expect(describeUnit("build:%1B%5B2Jgone%0A:1")).toBe('"build:%1B%5B2Jgone%0A:1"');
});
