import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeUnit, encodeUnit, type Unit } from "../../src/fs-protocol/records/unit-key.ts";

const SHA = "0123456789abcdef0123456789abcdef01234567";
const OTHER = "fedcba9876543210fedcba9876543210fedcba98";

const anyName = fc.string({ unit: "binary", minLength: 1 });
const anyCount = fc.nat();
const anyOid = fc.stringMatching(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/);
const anyId = fc.stringMatching(/^(?:BUG|COR|S3)-[0-9a-f]{6,8}$/);
const again = fc.option(
  anyCount.map((reopens) => ({ reopens })),
  { nil: {} },
);

const UNITS: { readonly [K in Unit["kind"]]: fc.Arbitrary<Extract<Unit, { kind: K }>> } = {
  plan: fc
    .tuple(fc.record({ boundary: anyCount, request: anyCount, refusals: anyCount }), again)
    .map(([facts, reopened]) => ({ kind: "plan", ...facts, ...reopened })),
  base: anyOid.map((at) => ({ kind: "base", at })),
  remote: anyCount.map((n) => ({ kind: "remote", n })),
  build: fc.record({ kind: fc.constant("build"), milestone: anyName, attempt: anyCount }),
  hint: fc.record({ kind: fc.constant("hint"), milestone: anyName, attempts: anyCount }),
  fix: fc.record({
    kind: fc.constant("fix"),
    ids: fc.array(anyId, { minLength: 1, maxLength: 5 }),
    attempt: anyCount,
  }),
  commit: fc
    .tuple(fc.record({ first: anyOid, last: anyOid }), again)
    .map(([facts, reopened]) => ({ kind: "commit", ...facts, ...reopened })),
  review: fc
    .tuple(fc.record({ milestone: anyName, end: anyOid }), again)
    .map(([facts, reopened]) => ({ kind: "review", ...facts, ...reopened })),
  verify: fc.record({ kind: fc.constant("verify"), id: anyId, sha: anyOid, attempt: anyCount }),
  test: fc
    .tuple(fc.record({ milestone: anyName, end: anyOid }), again)
    .map(([facts, reopened]) => ({ kind: "test", ...facts, ...reopened })),
  final: anyCount.map((n) => ({ kind: "final", n })),
};

test.each(Object.entries(UNITS))("every key of a '%s' is read back unchanged", (_, units) => {
  fc.assert(
    fc.property<[Unit]>(units, (unit) => {
      const key = encodeUnit(unit);
      expect(decodeUnit(key)).toEqual(unit);
      expect(key).toMatch(/^[^\s,]+$/u);
    }),
  );
});

test("decoding and encoding any key gives the same key", () => {
  const parts = fc.constantFrom(
    "build",
    "plan",
    "commit",
    "test",
    "b1",
    "r0",
    "re1",
    "1",
    "01",
    SHA,
  );
  const anyKey = fc.oneof(
    fc.array(parts).map((words) => words.join(":")),
    fc.string(),
  );
  fc.assert(
    fc.property(anyKey, (key) => {
      const unit = decodeUnit(key);
      expect(unit === undefined ? key : encodeUnit(unit)).toBe(key);
    }),
  );
});

test.each([
  [{ kind: "plan", boundary: 2, request: 1, refusals: 3, reopens: 4 }, "plan:b2:r1:again3:re4"],
  [{ kind: "plan", boundary: 0, request: 0, refusals: 0 }, "plan:b0:r0"],
  [{ kind: "base", at: SHA }, `base:${SHA}`],
  [{ kind: "remote", n: 1 }, "remote:1"],
  [{ kind: "build", milestone: "API: models, 1", attempt: 2 }, "build:API%3A%20models%2C%201:2"],
  [{ kind: "hint", milestone: "API", attempts: 3 }, "hint:API:3"],
  [{ kind: "fix", ids: ["COR-3fa2b1", "COR-7f3a91"], attempt: 1 }, "fix:COR-3fa2b1+COR-7f3a91:1"],
  [{ kind: "commit", first: SHA, last: SHA }, `commit:${SHA}`],
  [{ kind: "commit", first: SHA, last: OTHER, reopens: 1 }, `commit:${SHA}..${OTHER}:re1`],
  [{ kind: "review", milestone: "re1", end: SHA }, `review:re1:${SHA}`],
  [{ kind: "verify", id: "BUG-3fa2b1", sha: SHA, attempt: 2 }, `verify:BUG-3fa2b1:${SHA}:2`],
  [{ kind: "test", milestone: "API", end: SHA, reopens: 2 }, `test:API:${SHA}:re2`],
  [{ kind: "final", n: 3 }, "final:3"],
] satisfies [Unit, string][])("%j has the key %s", (unit, key) => {
  expect(encodeUnit(unit)).toBe(key);
  expect(decodeUnit(key)).toEqual(unit);
});

test.each([
  "",
  "dance:tango",
  "constructor",
  "build:API",
  "build:API:",
  "build:API:01",
  "build:API:1e3",
  "build:API:-1",
  "build:API:1:re1",
  "build:100%:1",
  "build:API: 1",
  "remote:",
  "remote",
  "final:99999999999999999999",
  "plan:b0",
  "plan:r0:b0",
  "plan:b0:r0:again0",
  "plan:b0:r0:re1:again1",
  "fix::1",
  "fix:A-1++B-2:1",
  `base:${SHA.toUpperCase()}`,
  `commit:${SHA}..${SHA}`,
  `commit:${SHA}..${OTHER}..${SHA}`,
  `commit:${SHA.slice(1)}`,
  `commit:${SHA}\n`,
  `review:API:${SHA}:re`,
  `verify:BUG-3fa2b1:${SHA}`,
])("%j is not a valid key", (key) => {
  expect(decodeUnit(key)).toBeUndefined();
});
