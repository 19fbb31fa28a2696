import { expect, test } from "vitest";
import { checkBaseTests } from "../../../src/evidence/base-tests/base-tests.ts";
import { END_RULES } from "../../../src/evidence/rules/all-rules.ts";
import { publishChange, type Change } from "../../agents/publish-change.ts";
import { sessionRig } from "../../agents/role-rig.ts";
import { checkedTests } from "./checked-tests.ts";

// What a test reads, and what leads from the names in it to files, is part of the test.

type Files = Readonly<Record<string, string>>;

const NODE_TEST = [["node", "--test"]];
const CART = "exports.discount = (amount) => amount * 0.9;\n";
const BROKEN = { "src/cart.js": CART.replace("0.9", "0.8") };
const HEAD = `const test = require("node:test");
const assert = require("node:assert");
const fs = require("node:fs");
const path = require("node:path");
const { discount } = require("../src/cart.js");
`;
const BY_CASES = `${HEAD}const cases = JSON.parse(fs.readFileSync(path.join(__dirname, "..", "data", "cases.json")));
test("discounts", () => { for (const [from, to] of cases) assert.equal(discount(from), to); });
`;
const CASES: Files = {
  "src/cart.js": CART,
  "data/cases.json": "[[100, 90]]\n",
  "test/cart.test.js": BY_CASES,
};
const BENT = { ...BROKEN, "data/cases.json": "[[100, 80]]\n" };

const FOLDER: Files = {
  "src/cart.js": CART,
  "expected/100.txt": "90\n",
  "test/cart.test.js": `${HEAD}test("discounts", () => {
  for (const name of [100]) {
    const text = fs.readFileSync(\`expected/\${name}.txt\`, "utf8");
    assert.equal(\`\${discount(name)}\\n\`, text);
  }
});
`,
};
const BUDGET: Files = {
  "src/cart.js": CART,
  "budget.json": '{ "most": 90 }\n',
  "check.js": `const { most } = require("./budget");
const { discount } = require("./src/cart.js");
if (discount(100) > most) process.exit(1);
console.log("within budget");
`,
};
const PYTHON: Files = {
  "shop/__init__.py": "",
  "shop/cart.py": "def discount(amount):\n    return amount - 10\n",
  "data/cases.csv": "100,90\n",
  "tests/test_cart.py": `import unittest
from pathlib import Path
from shop import cart


class TestCart(unittest.TestCase):
    def test_discount(self):
        for line in Path("data/cases.csv").read_text().splitlines():
            amount, wanted = line.split(",")
            self.assertEqual(cart.discount(int(amount)), int(wanted))
`,
};

const PACKAGE = { name: "shop", version: "1.0.0" };
const MAPPED: Files = {
  "package.json": JSON.stringify({ ...PACKAGE, exports: { "./cart": "./src/cart.js" } }),
  "src/cart.js": CART,
  "test/cart.test.js": HEAD.replace("../src/cart.js", "shop/cart").concat(
    'test("discounts", () => { assert.equal(discount(100), 90); });\n',
  ),
};
const SOUND = { "lib/cart.js": CART };
const OWN_NAMES: Files = {
  ...MAPPED,
  "package.json": JSON.stringify({ ...PACKAGE, imports: { "#*": "./src/*.js" } }),
  "test/cart.test.js": (MAPPED["test/cart.test.js"] ?? "").replace("shop/cart", "#cart"),
};
const MAIN: Files = {
  ...MAPPED,
  "package.json": JSON.stringify({ ...PACKAGE, main: "src/cart.js" }),
  "test/cart.test.js": (MAPPED["test/cart.test.js"] ?? "").replace("shop/cart", ".."),
};

test.for<readonly [string, readonly (readonly string[])[], Files, Change]>([
  ["cases that a test reads", NODE_TEST, CASES, BENT],
  [
    "the folder of what a test expects",
    NODE_TEST,
    FOLDER,
    { ...BROKEN, "expected/100.txt": "80\n" },
  ],
  [
    "a limit that a script of verify reads",
    [["node", "check.js"]],
    BUDGET,
    { "src/cart.js": CART.replace("0.9", "0.95"), "budget.json": '{ "most": 95 }\n' },
  ],
  [
    "cases that a test in Python reads",
    [["python3", "-m", "unittest", "discover", "-s", "tests", "-t", "."]],
    { ...PYTHON, "tests/__init__.py": "" },
    {
      "shop/cart.py": "def discount(amount):\n    return amount - 20\n",
      "data/cases.csv": "100,80\n",
    },
  ],
  [
    "the exports of the package",
    NODE_TEST,
    MAPPED,
    {
      ...BROKEN,
      ...SOUND,
      "package.json": JSON.stringify({ ...PACKAGE, exports: { "./cart": "./lib/cart.js" } }),
    },
  ],
  [
    "a nearer name among its imports",
    NODE_TEST,
    OWN_NAMES,
    {
      ...BROKEN,
      ...SOUND,
      "package.json": JSON.stringify({
        ...PACKAGE,
        imports: { "#*": "./src/*.js", "#cart": "./lib/cart.js" },
      }),
    },
  ],
  [
    "its main module",
    NODE_TEST,
    MAIN,
    { ...BROKEN, ...SOUND, "package.json": JSON.stringify({ ...PACKAGE, main: "lib/cart.js" }) },
  ],
])(
  "code that is broken behind %s is revealed by the tests as they were",
  async ([, verify, base, change]) => {
    const { findings, ran } = await checkedTests({ verify, base, change });
    expect(ran.at(-1)).toBe("failed by old harness");
    expect(findings).toMatchObject([{ level: "blocking", computed: { of: "harness" } }]);
  },
);

test("the end of a session blames code that is broken behind the data of its tests", async () => {
  using rig = sessionRig({ verify: [["node", "--test"]], files: CASES });
  const clone = await rig.role("builder").context.clone();
  await clone.syncTo();
  const at = await publishChange(clone, BENT, "Work");
  const { context } = rig.role("tester");
  const seen = await checkBaseTests(context, await rig.at.state(), { unit: "final:1", at });
  if (seen.kind !== "checked") throw new Error("it was not checked");
  const found = { session: context.session, at, baseTests: seen.failed };
  expect(END_RULES.flatMap((rule) => rule.find(found))).toMatchObject([
    { level: "blocking", file: "data/cases.json" },
  ]);
});

const NAMED = `const path = require("node:path");\nconst rates = require("../data/rates.json");\n`;
const RATED: Files = {
  "src/cart.js": `${NAMED}exports.discount = (amount) => amount * rates.discount;\n`,
  "data/rates.json": '{ "discount": 0.9 }\n',
  "test/cart.test.js": `${HEAD}test("discounts by data/rates.json", () => { assert.equal(discount(100), 90); });\n`,
};

test.for<readonly [string, Files, Change, readonly string[]]>([
  ["changes what a test expects, as the plan asks", CASES, BENT, ["Change the cases to a fifth"]],
  [
    "changes what a test expects, in a file that the plan names",
    FOLDER,
    { ...BROKEN, "expected/100.txt": "80\n" },
    ["Take a fifth off: expected/100.txt says how much"],
  ],
  ["adds cases", CASES, { "data/cases.json": "[[100, 90], [10, 9]]\n" }, ["Add a parser"]],
  [
    "changes the form of cases, and the test that reads them",
    {
      ...CASES,
      "fixtures/cases.json": "[[100, 90]]\n",
      "test/cart.test.js": BY_CASES.replace('"data"', '"fixtures"'),
    },
    {
      "fixtures/cases.json": '{ "100": 90 }\n',
      "test/cart.test.js": BY_CASES.replace('"data"', '"fixtures"').replace(
        "of cases)",
        "of Object.entries(cases))",
      ),
    },
    ["Add a parser"],
  ],
  [
    "moves a module that the package exports",
    MAPPED,
    {
      "src/cart.js": undefined,
      ...SOUND,
      "package.json": JSON.stringify({ ...PACKAGE, exports: { "./cart": "./lib/cart.js" } }),
    },
    ["Add a parser"],
  ],
  [
    "exports one more module, which the first one loads by its name",
    MAPPED,
    {
      "src/cart.js": 'exports.discount = require("shop/rate").discount;\n',
      "src/rate.js": CART,
      "package.json": JSON.stringify({
        ...PACKAGE,
        exports: { "./cart": "./src/cart.js", "./rate": "./src/rate.js" },
      }),
    },
    ["Add a parser"],
  ],
])("no finding for a range that %s", async ([, base, change, tasks]) => {
  const { findings } = await checkedTests({ verify: NODE_TEST, base, change, tasks });
  expect(findings).toEqual([]);
});

test("data that the product reads is not put back, although a test names it", async () => {
  const change = {
    "data/rates.json": '{ "discount": 0.8 }\n',
    "test/cart.test.js": (RATED["test/cart.test.js"] ?? "").replace("90)", "80)"),
  };
  const { findings, ran } = await checkedTests({ verify: NODE_TEST, base: RATED, change });
  expect(ran).toEqual(["failed"]);
  expect(findings).toMatchObject([{ level: "blocking", computed: { of: "old" } }]);
});

test("exports that no longer work are not hidden by those from before", async () => {
  const change = {
    "package.json": JSON.stringify({ ...PACKAGE, exports: { "./cart": "./src/rates.js" } }),
    "src/rates.js": "exports.discount = () => 0;\n",
    "test/cart.test.js": (MAPPED["test/cart.test.js"] ?? "").replace("shop/cart", "../src/cart.js"),
  };
  const { findings, evidence, ran } = await checkedTests({
    verify: NODE_TEST,
    base: MAPPED,
    change,
  });
  expect(ran).toEqual(["passed by old harness", "failed by old harness"]);
  expect(evidence).toContain("with package.json as it was then: they pass");
  expect(findings).toMatchObject([{ level: "blocking", computed: { of: "harness" } }]);
});
