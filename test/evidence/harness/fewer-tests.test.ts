import { expect, test } from "vitest";
import { checkedTests } from "./checked-tests.ts";

const VERIFY = [["./check"]];
const BASE = { "a.js": "1;\n", "test/a.test.js": 'test("a", () => { assert.ok(a()); });\n' };
const ran = (count: number) => `\n  ${String(count)} passing (5ms)\n`;

test.each([
  [100, 49],
  [3, 0],
])(
  "a drop from %i to %i tests without a removed test is a blocking finding",
  async (before, after) => {
    const change = { "a.js": "2;\n" };
    const printed = [ran(before), ran(after)] as const;
    const { findings, evidence } = await checkedTests({
      verify: VERIFY,
      base: BASE,
      change,
      printed,
    });
    expect(findings).toMatchObject([
      { level: "blocking", reviewer: "tests", brief: "Most tests are not run any more" },
    ]);
    expect(evidence).toContain(`verify ran ${String(before)} tests`);
  },
);

test("a smaller drop is reported without a finding", async () => {
  const change = { "a.js": "2;\n" };
  const printed = [ran(100), ran(99)] as const;
  const { findings, evidence } = await checkedTests({
    verify: VERIFY,
    base: BASE,
    change,
    printed,
  });
  expect(findings).toEqual([]);
  expect(evidence).toContain("verify ran 100 tests");
});

test.each([
  ["as many ran", ran(4), ran(4)],
  ["more ran", ran(4), ran(9)],
  ["either output does not say how many", ran(4), "all is well\n"],
])("there is no evidence if %s", async (_, start, end) => {
  const change = { "a.js": "2;\n" };
  const printed = [start, end] as const;
  const { findings, evidence } = await checkedTests({
    verify: VERIFY,
    base: BASE,
    change,
    printed,
  });
  expect([findings, evidence]).toEqual([[], ""]);
});

const FROM_TAPE =
  'const test = require("tape");\ntest("a", (t) => { t.ok(a()); t.equal(a(), 1); });\n';
const TO_NODE =
  'const { test } = require("node:test");\ntest("a", (t) => { t.assert.ok(a()); t.assert.equal(a(), 1); });\n';

test("tests that come to a runner that counts no checks are not fewer, and those that stay are", async () => {
  const [start, end] = ["# pass  9\n", "# pass 4\n"];
  const moving = {
    verify: VERIFY,
    base: { "test/a.test.js": FROM_TAPE },
    printed: [start, end],
  } as const;
  const moved = await checkedTests({ ...moving, change: { "test/a.test.js": TO_NODE } });
  expect(moved.findings).toEqual([]);
  expect(moved.evidence).not.toContain("wisp counted");
  const same = await checkedTests({ ...moving, change: { "test/a.test.js": `${FROM_TAPE}\n` } });
  expect(same.findings).toMatchObject([{ brief: "Most tests are not run any more" }]);
});

test("tests that the plan has removed do not count as missing", async () => {
  const { findings, evidence } = await checkedTests({
    verify: [["true"]],
    base: BASE,
    change: { "test/a.test.js": undefined },
    tasks: ["Remove test/a.test.js"],
    printed: [ran(4), ran(0)],
  });
  expect(findings).toEqual([]);
  expect(evidence).not.toContain("wisp counted");
});
