import { expect, test } from "vitest";
import { END_RULES } from "../../../src/evidence/rules/all-rules.ts";
import { CANARY_ID } from "../../../src/evidence/rules/canary.ts";
import { judgeByCanary, checkWithCanary } from "../../../src/evidence/canary/check-with-canary.ts";
import type { Oid } from "../../../src/base/oid.ts";
import { commit, put } from "../../rig/in-process-session.ts";
import { PYTEST_VERSION, runsHere } from "../../rig/runs-here.ts";
import { sessionRig, type SessionRig } from "../../agents/role-rig.ts";

type Files = Readonly<Record<string, string>>;

const VERIFY = [["npm", "test"]];
const PROJECT: Files = {
  "package.json": '{ "name": "sums", "scripts": { "test": "node --test" } }\n',
  "test/sum.test.js": 'const test = require("node:test");\ntest("adds", () => {});\n',
};
const HOLLOW: Files = { ".npmrc": "script-shell=/bin/true\n" };

/** A session with this base and end, and the tester's check of verify with a failing test. */
async function session(rig: SessionRig, base: Files, change: Files, verify = VERIFY) {
  const clone = await rig.role("builder").context.clone();
  await clone.syncTo();
  const publish = async (files: Files, message: string): Promise<Oid> => {
    for (const [path, text] of Object.entries(files)) put(clone.directory, path, text);
    commit(clone.directory, message);
    const head = await clone.head();
    if (!head.ok) throw new Error("there is no HEAD");
    await clone.publish(head.value);
    return head.value;
  };
  const start = await publish(base, "Base");
  const end = await publish({ "a.txt": "a\n", ...change }, "Work");
  const role = rig.role("tester");
  const context = { ...role.context, session: { ...rig.session, verify, base: start } };
  const look = async (at = end, unit = "final:1") => {
    const seen = await checkWithCanary(context, await rig.at.state(), { unit, at });
    if (seen.kind === "stopped") return seen;
    const found = { session: context.session, at, canary: seen.planted };
    return { kind: seen.kind, findings: END_RULES.flatMap((rule) => rule.find(found)) };
  };
  const judge = async (at: Oid) =>
    judgeByCanary(context, await rig.at.state(), { unit: `verify:${CANARY_ID}`, at });
  const outcomes = () =>
    role
      .recordsOf("command.result")
      .map(({ at, outcome }) => [at === start ? "base" : "end", outcome]);
  const notes = () => role.recordsOf("note").map(({ text }) => text);
  return { look, judge, publish, outcomes, notes, context, recordsOf: role.recordsOf, end };
}

test("a verify that notices a failing test at the end is trusted, and the base is not tried", async () => {
  using rig = sessionRig();
  const { look, outcomes, notes, context, recordsOf } = await session(rig, PROJECT, {});
  expect(await look()).toEqual({ kind: "checked", findings: [] });
  expect(outcomes()).toEqual([["end", "failed"]]);
  expect(notes()).toEqual([]);
  expect(recordsOf("command.result").every(({ command }) => command.startsWith("canary:"))).toBe(
    true,
  );
  const clone = await context.clone();
  expect(await clone.isDirty()).toEqual({ ok: true, value: false });
});

test("a verify that notices a failing test at the base but not at the end is a blocking finding", async () => {
  using rig = sessionRig();
  const { look, judge, publish, outcomes } = await session(rig, PROJECT, HOLLOW);
  const seen = await look();
  expect(seen).toMatchObject({
    kind: "checked",
    findings: [{ id: CANARY_ID, level: "blocking", reviewer: "tester" }],
  });
  expect(outcomes()).toEqual([
    ["end", "passed"],
    ["base", "failed"],
  ]);
  const vain = await publish({ "b.txt": "b\n" }, "Do something else");
  expect(await judge(vain)).toMatchObject({ kind: "done", value: { kind: "reopened" } });
  const fixed = await publish({ ".npmrc": "fund=false\n" }, "Fix it");
  expect(await judge(fixed)).toEqual({ kind: "done", value: { kind: "closed" } });
});

test("a failing test is planted once at the end, despite restarts and repetitions", async () => {
  using rig = sessionRig();
  const { look, publish, outcomes } = await session(rig, PROJECT, {});
  await look();
  await look();
  await look(await publish({ "b.txt": "b\n" }, "More work"), "final:2");
  expect(outcomes()).toHaveLength(1);
});

test("a tester that was killed after a failing test was missed goes on from there, and reports it", async () => {
  using rig = sessionRig();
  const { look, outcomes } = await session(rig, PROJECT, HOLLOW);
  await look();
  expect(await look()).toMatchObject({ findings: [{ id: CANARY_ID }] });
  expect(outcomes()).toHaveLength(2);
  expect(await look(undefined, "final:2")).toEqual({ kind: "checked", findings: [] });
  expect(outcomes()).toHaveLength(2);
});

test("if verify misses a failing test at the base, that is noted once and nothing is claimed", async () => {
  using rig = sessionRig();
  const { look, outcomes, notes } = await session(rig, { ...PROJECT, ...HOLLOW }, {});
  expect(await look()).toEqual({ kind: "checked", findings: [] });
  expect(await look()).toEqual({ kind: "checked", findings: [] });
  expect(outcomes()).toEqual([
    ["end", "passed"],
    ["base", "passed"],
  ]);
  expect(notes()).toEqual([
    expect.stringMatching(
      /^verify does not see a failing test planted at the base \(test\/x\w+\.test\.js\)/,
    ),
  ]);
});

test("without a known runner, nothing is planted", async () => {
  using rig = sessionRig();
  const { look, outcomes, notes } = await session(rig, PROJECT, HOLLOW, [["true"]]);
  expect(await look()).toEqual({ kind: "checked", findings: [] });
  expect([outcomes(), notes()]).toEqual([[], []]);
});

const CART = "exports.discount = (amount) => amount * 0.9;\n";
const CART_TEST = `const test = require("node:test");
const assert = require("node:assert");
const { discount } = require("../src/cart.js");
test("takes a tenth off", () => { assert.equal(discount(100), 90); });
`;
const SHOP: Files = {
  ...PROJECT,
  "src/cart.js": CART,
  "test/zz/cart.test.js": CART_TEST.replace("../", "../../"),
};
const MODULES: Files = {
  ...PROJECT,
  "src/cart.mjs": "export const discount = (amount) => amount * 0.9;\n",
  "test/cart.test.mjs":
    'import test from "node:test";\nimport {\n  discount,\n} from "../src/cart.mjs";\ntest("a", () => { discount(1); });\n',
};
const PY_VERIFY = [["python3", "-m", "pytest", "-q", "-p", "no:cacheprovider"]];
const PY_CASE = `import sys
import unittest
sys.path.insert(0, ".")
from shop import (
    cart,
)


class TestCart(unittest.TestCase):
    def test_discount(self):
        self.assertEqual(cart.discount(100), 90)
`;
const PYTHON: Files = {
  "shop/__init__.py": "",
  "shop/cart.py": "def discount(amount):\n    return amount - 10\n",
  "tests/test_cart.py": PY_CASE,
};
const HAS_PYTEST = runsHere(PYTEST_VERSION);
const BLUNT = "import unittest\nunittest.TestCase.assertEqual = lambda *_: None\n";

test.for<readonly [string, Files, Files, readonly (readonly string[])[]]>([
  ["ends the process", SHOP, { "src/cart.js": `process.exit(0);\n${CART}` }, VERIFY],
  [
    "ends the process of a module",
    MODULES,
    { "src/cart.mjs": `${MODULES["src/cart.mjs"] ?? ""}process.exit(0);\n` },
    VERIFY,
  ],
  [
    "replaces an assertion",
    SHOP,
    { "src/cart.js": `require("assert").strictEqual = () => undefined;\n${CART}` },
    VERIFY,
  ],
  ["replaces an assertion of unittest", PYTHON, { "shop/__init__.py": BLUNT }, PY_VERIFY],
  [
    "replaces an assertion of unittest, which runs the tests,",
    PYTHON,
    { "shop/__init__.py": BLUNT },
    [["python3", "-m", "unittest", "discover", "-s", "tests"]],
  ],
  ["ends the process of pytest", PYTHON, { "shop/cart.py": "import os\nos._exit(0)\n" }, PY_VERIFY],
])("code under test that %s is noticed", async ([, base, change, verify], { skip }) => {
  skip(verify === PY_VERIFY && !HAS_PYTEST, "pytest is not here");
  using rig = sessionRig();
  const { look, judge, publish, outcomes, notes } = await session(rig, base, change, [
    ...verify.map((argv) => [...argv]),
  ]);
  expect(await look()).toMatchObject({ findings: [{ id: CANARY_ID }] });
  expect(outcomes()).toEqual([
    ["end", "passed"],
    ["base", "failed"],
  ]);
  expect(notes()).toEqual([]);
  const fixed = await publish(base, "Fix it");
  expect(await judge(fixed)).toEqual({ kind: "done", value: { kind: "closed" } });
});

test("code that cannot be loaded beside the tests at the base is left out, which is noted", async () => {
  using rig = sessionRig();
  const base = {
    ...SHOP,
    "src/cart.js": `if (!process.argv[1].includes("cart")) throw new Error("no");\n${CART}`,
  };
  const { look, outcomes, notes } = await session(rig, base, { "b.js": "" });
  expect(await look()).toEqual({ kind: "checked", findings: [] });
  expect(outcomes()).toEqual([
    ["end", "unstarted"],
    ["base", "unstarted"],
    ["base", "unstarted"],
    ["base", "failed"],
    ["end", "failed"],
  ]);
  expect(notes()).toEqual([
    expect.stringContaining(", which loads what the tests load"),
    expect.stringContaining(", which loads what the test beside it loads"),
  ]);
});
