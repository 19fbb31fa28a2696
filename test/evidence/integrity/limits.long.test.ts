import { expect, test } from "vitest";
import { checkBaseTests } from "../../../src/evidence/base-tests/base-tests.ts";
import { publishChange, type Change } from "../../agents/publish-change.ts";
import { sessionRig } from "../../agents/role-rig.ts";
import { checkedTests } from "../harness/checked-tests.ts";
import { SUMMING } from "./summing.ts";

const { verify, files, broken } = SUMMING;
const SUMS = "test/sum.test.js";
const ALWAYS_GREEN = [["true"]];

function numbered(count: number, pathOf: (n: number) => string, text: string): Change {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [pathOf(n), text]));
}

function described(count: number, rest = ""): string {
  return (
    Array.from({ length: count }, (_, n) => `test("t${String(n)}", () => {});\n`).join("") + rest
  );
}

test.each<readonly [string, Change]>([
  ["fixtures", numbered(320, (n) => `test/a/t${String(n)}.txt`, "x\n")],
  ["tests", numbered(1_100, (n) => `test/a/t${String(n)}.test.js`, "")],
])("new %s beside them hide no old test that was deleted", async (_, added) => {
  const { findings, ran } = await checkedTests({
    verify,
    base: files,
    change: { ...added, "sum.js": broken, [SUMS]: undefined, "test/other.test.js": "" },
  });
  expect(ran).toEqual(["failed"]);
  expect(findings.map(({ computed, file }) => [computed?.of, file])).toEqual([
    ["hidden", SUMS],
    ["old", SUMS],
  ]);
});

const TOO_MANY = numbered(1_010, (n) => `test/a/t${String(n)}.test.js`, "");
const CHANGED = numbered(1_010, (n) => `test/a/t${String(n)}.test.js`, "// changed\n");
const LONG = `test("one", () => { assert.equal(1, 1); });\n// ${"x".repeat(600_000)}\n`;
const FULL = described(2_100, 'test("last", () => { assert.equal(1, 1); });\n');
/** Each is called by the one before it. */
const CHAIN = Object.fromEntries(
  Array.from({ length: 510 }, (_, n) => [`ci/s${String(n)}.sh`, `sh ci/s${String(n + 1)}.sh\n`]),
);

test.each<readonly [string, Change, Change, string]>([
  ["more old test files than are compared", TOO_MANY, CHANGED, "10 more changed test files"],
  [
    "a test file that is too long",
    { "test/l.test.js": LONG },
    { "test/l.test.js": "" },
    "test/l.test.js",
  ],
  [
    "a test file with too many tests",
    { "test/l.test.js": FULL },
    { "test/l.test.js": "" },
    "test/l.test.js",
  ],
])("a comparison without %s is said to be unknown", async (_, base, change, says) => {
  const { evidence, notes } = await checkedTests({
    verify: ALWAYS_GREEN,
    base: filesOf(base),
    change,
  });
  expect(evidence).toMatch(/^wisp does not know/);
  expect(evidence).toContain(says);
  expect(notes).toEqual([expect.stringContaining(says)]);
});

test("scripts of verify that were not followed to their end make a comparison unknown", async () => {
  const { evidence } = await checkedTests({
    verify: [["sh", "-c", "true ci/s0.sh"]],
    base: CHAIN,
    change: { "ci/s505.sh": "true\n" },
  });
  expect(evidence).toMatch(/^wisp does not know/);
  expect(evidence).toContain("ci/s505.sh");
});

test("the end of a session says that the comparison with its base is unknown", async () => {
  using rig = sessionRig({ verify: ALWAYS_GREEN, files: { "test/l.test.js": LONG } });
  const clone = await rig.role("builder").context.clone();
  await clone.syncTo();
  const at = await publishChange(clone, { "test/l.test.js": "// none\n" }, "Work");
  const { context } = rig.role("tester");
  const seen = await checkBaseTests(context, await rig.at.state(), { unit: "final:1", at });
  if (seen.kind !== "checked") throw new Error("it was not checked");
  expect(seen.listed).toHaveLength(1);
  expect(seen.listed[0]).toMatchObject({ what: "unknown" });
  expect(seen.listed[0]?.why).toContain("test/l.test.js");
});

function filesOf(change: Change): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(change).map(([path, text]) => [path, text ?? ""]));
}
