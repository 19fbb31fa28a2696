import { expect, test } from "vitest";
import type { Oid } from "../../../src/base/oid.ts";
import { checkBaseTests } from "../../../src/evidence/base-tests/base-tests.ts";
import { judgeByBaseTests } from "../../../src/evidence/base-tests/judge-base-tests.ts";
import { END_RULES } from "../../../src/evidence/rules/all-rules.ts";
import { publishChange, type Change } from "../../agents/publish-change.ts";
import { sessionRig } from "../../agents/role-rig.ts";
import { checkedTests } from "./checked-tests.ts";

// Whatever a check of the project's own names is reached from verify; that does not make it part of the tests.

const ALL = `const assert = require("node:assert");
const { sum } = require("../lib/sum.js");
assert.equal(sum(1, 2), 3);
console.log("ok 1 - adds");
`;
const SUM = "exports.sum = (a, b) => a + b;\n";
const BENT = { "lib/sum.js": SUM.replace("+", "-"), "test/all.js": ALL.replace(", 3", ", -1") };
const BY_FILE = { "test/all.js": ALL, "lib/sum.js": SUM };
const PACKAGE = { name: "sums", version: "1.0.0" };

const CHECK = `import assert from "node:assert/strict";
import { discount } from "./src/cart.js";
assert.equal(discount(100), 90);
console.log("all is well");
`;
const CART = "export const discount = (amount) => amount * 0.9;\n";
const BY_CHECK = {
  "package.json": '{ "type": "module" }\n',
  "check.mjs": CHECK,
  "src/cart.js": CART,
};
const GUTTED = {
  "src/cart.js": CART.replace("0.9", "0.8"),
  "check.mjs": 'console.log("all is well");\n',
};

const LIMIT = '#!/bin/sh\n[ "$1" -le 20 ] && echo yes || echo no\n';
const TEST_SH = '[ "$(sh ./limit.sh 20)" = yes ] || exit 1\necho ok\n';
const BENT_SH = {
  "limit.sh": LIMIT.replace("-le", "-lt"),
  "test.sh": TEST_SH.replace("yes", "no"),
};
const BY_SHELL = { "limit.sh": LIMIT, "test.sh": TEST_SH };
const CHECK_SH = '[ "$(sh "$1" 20)" = yes ] || exit 1\n';

interface Honest {
  readonly argv: readonly string[];
  readonly base: Readonly<Record<string, string>>;
  readonly change: Change;
  readonly tasks?: readonly string[];
}

const HELPED = CHECK.replace("node:assert/strict", "./lib/same.mjs");
const SAME = 'export { default } from "node:assert/strict";\n';
const NODE_CHECK = ["node", "check.mjs"];

test.for<readonly [string, Honest]>([
  [
    "moves a helper of its check",
    {
      argv: NODE_CHECK,
      base: { ...BY_CHECK, "check.mjs": HELPED, "lib/same.mjs": SAME },
      change: {
        "lib/same.mjs": undefined,
        "tools/same.mjs": SAME,
        "check.mjs": HELPED.replace("./lib", "./tools"),
      },
    },
  ],
  [
    "renames a source, and adapts its check",
    {
      argv: NODE_CHECK,
      base: BY_CHECK,
      change: {
        "src/cart.js": undefined,
        "src/basket.js": CART,
        "check.mjs": CHECK.replace("cart", "basket"),
      },
      tasks: ["Rename src/cart.js to src/basket.js"],
    },
  ],
  [
    "changes what the plan asks for, and adapts its check",
    {
      argv: NODE_CHECK,
      base: BY_CHECK,
      change: { "src/cart.js": GUTTED["src/cart.js"], "check.mjs": CHECK.replace("90", "80") },
      tasks: ["Change the discount of the cart to a fifth"],
    },
  ],
  [
    "moves code between sources, and adds to its check",
    {
      argv: NODE_CHECK,
      base: {
        ...BY_CHECK,
        "src/cart.js":
          'import { rate } from "./rate.js";\nexport const discount = (a) => a * rate();\n',
        "src/rate.js": "export const rate = () => 0.9;\n",
      },
      change: {
        "src/cart.js": 'import { apply } from "./rate.js";\nexport const discount = apply;\n',
        "src/rate.js": "export const apply = (a) => a * 0.9;\n",
        "check.mjs": `${CHECK}assert.equal(discount(0), 0);\n`,
      },
    },
  ],
  [
    "rewrites a script behind its script",
    {
      argv: ["sh", "run.sh"],
      base: { ...BY_SHELL, "run.sh": "sh ./really.sh\n", "really.sh": "sh ./test.sh\n" },
      change: { "run.sh": "sh ./steps.sh\n", "steps.sh": "sh ./test.sh\n", "really.sh": undefined },
    },
  ],
  [
    "changes its program alone",
    { argv: ["sh", "test.sh"], base: BY_SHELL, change: { "limit.sh": `${LIMIT}# done\n` } },
  ],
])("no finding for a range that %s", async ([, { argv, base, change, tasks }]) => {
  const all = { verify: [argv], base, change };
  const { findings } = await checkedTests(tasks === undefined ? all : { ...all, tasks });
  expect(findings).toEqual([]);
});

test.each<readonly [string, readonly string[], Readonly<Record<string, string>>, Change]>([
  ["a file of tests", ["node", "test/all.js"], BY_FILE, BENT],
  [
    "a file of tests, of a package with another main module",
    ["node", "test/all.js"],
    { ...BY_FILE, "main.js": "", "package.json": JSON.stringify({ ...PACKAGE, main: "main.js" }) },
    BENT,
  ],
  [
    "npm test",
    ["npm", "test"],
    {
      ...BY_FILE,
      "package.json": JSON.stringify({ ...PACKAGE, scripts: { test: "node test/all.js" } }),
    },
    BENT,
  ],
  ["a script in shell", ["sh", "test.sh"], BY_SHELL, BENT_SH],
  ["a check of modules", ["node", "check.mjs"], BY_CHECK, GUTTED],
  [
    "a check with options",
    ["node", "--import", "./setup.mjs", "check.mjs"],
    { ...BY_CHECK, "setup.mjs": "" },
    GUTTED,
  ],
  [
    "a check that gets the program as its argument",
    ["sh", "verify.sh", "limit.sh"],
    { "limit.sh": LIMIT, "verify.sh": CHECK_SH },
    { "limit.sh": LIMIT.replace("-le", "-lt"), "verify.sh": "true\n" },
  ],
  [
    "a recipe that depends on the program",
    ["make", "test"],
    { ...BY_SHELL, "verify.sh": TEST_SH, Makefile: "test: limit.sh\n\t@sh verify.sh\n" },
    { "limit.sh": LIMIT.replace("-le", "-lt"), "verify.sh": "true\n" },
  ],
  [
    "a check in Python",
    ["python3", "check.py"],
    {
      "check.py": "import shop.cart\n\nassert shop.cart.discount(100) == 90\n",
      "shop/__init__.py": "",
      "shop/cart.py": "def discount(amount):\n    return amount - 10\n",
    },
    {
      "check.py": "print('ok')\n",
      "shop/cart.py": "def discount(amount):\n    return amount - 20\n",
    },
  ],
])("the product is not put back with %s that was bent to it", async (_, argv, base, change) => {
  const { findings, evidence, ran } = await checkedTests({ verify: [argv], base, change });
  expect(ran).toEqual(["passed by old harness", "failed by old harness"]);
  expect(evidence).toMatch(/, with .* then: they pass\.\n\n[^]*: they fail/);
  expect(findings).toMatchObject([{ level: "blocking", computed: { of: "harness" } }]);
});

test("the end of a session blames what only the product as it was then hid", async () => {
  using rig = sessionRig({ verify: [["node", "check.mjs"]], files: BY_CHECK });
  const clone = await rig.role("builder").context.clone();
  await clone.syncTo();
  const at = await publishChange(clone, GUTTED, "Work");
  const { context } = rig.role("tester");
  const unit = "final:1";
  const seen = await checkBaseTests(context, await rig.at.state(), { unit, at });
  if (seen.kind !== "checked") throw new Error("it was not checked");
  const found = { session: context.session, at, baseTests: seen.failed };
  const [bug] = END_RULES.flatMap((rule) => rule.find(found));
  expect(bug).toMatchObject({ level: "blocking", file: "check.mjs" });
  if (bug === undefined) return;
  const judged = async (fixed: Oid) =>
    judgeByBaseTests(context, await rig.at.state(), { item: bug, unit, at: fixed });
  expect(await judged(at)).toMatchObject({ value: { kind: "reopened" } });
  const more = await publishChange(clone, { "check.mjs": "// nothing\n" }, "Gut it again");
  expect(await judged(more)).toMatchObject({ value: { kind: "reopened" } });
  const fixed = await publishChange(clone, { "src/cart.js": CART }, "Fix the cart");
  expect(await judged(fixed)).toMatchObject({ value: { kind: "closed" } });
});
