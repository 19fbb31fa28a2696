import { expect, test } from "vitest";
import type { Change } from "../../agents/publish-change.ts";
import { checkedTests } from "./checked-tests.ts";
import { PYTEST_VERSION, runsHere } from "../../rig/runs-here.ts";

const SUM_TEST = `const test = require("node:test");
const assert = require("node:assert");
const { sum } = require("../sum.js");
test("adds", () => { assert.equal(sum(1, 2), 3); });
`;
const NODE = {
  "package.json": JSON.stringify({ name: "sums", scripts: { test: "node --test" } }),
  "sum.js": "exports.sum = (a, b) => a + b;\n",
  "test/sum.test.js": SUM_TEST,
};
const NPM_TEST = [["npm", "test"]];
const PRODUCT_TEST = `const test = require("node:test");
const assert = require("node:assert");
const { product } = require("../product.js");
test("multiplies", () => { assert.equal(product(2, 3), 6); });
`;
const PRODUCT = {
  "product.js": "exports.product = (a, b) => a * b;\n",
  "test/product.test.js": PRODUCT_TEST,
};
const CHECK = `const assert = require("node:assert");
exports.check = (actual, expected) => { assert.deepEqual(actual, expected); };
`;
const CHECK_TEST = SUM_TEST.replace(
  'const assert = require("node:assert")',
  'const { check } = require("../testing/check.js")',
).replace("assert.equal", "check");
const HELPED = { ...NODE, "testing/check.js": CHECK, "test/sum.test.js": CHECK_TEST };
const MAKE = {
  ...NODE,
  Makefile: "test: list.txt\n\tcat list.txt\n\tnode --test\n",
  "list.txt": "sum\n",
};
const PYTHON = {
  "cart.py": "def total(numbers):\n    return sum(numbers)\n",
  "tests/test_cart.py":
    "import sys\nsys.path.insert(0, '.')\nfrom cart import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n",
};
const HAS_PYTEST = runsHere(PYTEST_VERSION);
const PYTEST = [["python3", "-m", "pytest", "-q", "-p", "no:cacheprovider"]];
const SUM_BY_VALUE = "exports.sum = (a, b) => Number(a) + Number(b);\n";

interface Honest {
  readonly base: Readonly<Record<string, string>>;
  readonly change: Change;
  readonly verify?: readonly (readonly string[])[];
  readonly says?: string;
}

const HONEST: Readonly<Record<string, Honest>> = {
  "adds a module with its tests, and a script for it": {
    base: NODE,
    change: {
      ...PRODUCT,
      "package.json": JSON.stringify({
        name: "sums",
        scripts: { test: "node --test", "test:product": "node --test test/product.test.js" },
      }),
    },
    says: "",
  },
  "adds a check before the tests": {
    base: NODE,
    change: {
      "package.json": JSON.stringify({
        name: "sums",
        scripts: { pretest: "node --check sum.js", test: "node --test" },
      }),
      "sum.js": SUM_BY_VALUE,
    },
    says: "they pass",
  },
  "renames a helper that only tests import, all tests kept": {
    base: HELPED,
    change: {
      "testing/check.js": undefined,
      "testing/expect-equal.js": CHECK,
      "test/sum.test.js": CHECK_TEST.replace("testing/check", "testing/expect-equal"),
    },
    says: "they pass",
  },
  "adds a function to a helper for new tests": {
    base: HELPED,
    change: {
      "testing/check.js": `${CHECK}exports.no = (actual) => { assert.equal(actual, false); };\n`,
      "test/no.test.js": `const test = require("node:test");
const { no } = require("../testing/check.js");
test("says no", () => { no(false); });
`,
    },
    says: "they pass",
  },
  "adds a function to a helper in the test folder for new tests": {
    base: { ...HELPED, "test/helper.js": CHECK },
    change: {
      "test/helper.js": `${CHECK}exports.no = (actual) => { assert.equal(actual, false); };\n`,
      "test/no.test.js": `const test = require("node:test");
const { no } = require("./helper.js");
test("says no", () => { no(false); });
`,
    },
    says: "they pass",
  },
  "moves all tests to another runner": {
    base: {
      ...NODE,
      "package.json": JSON.stringify({ name: "sums", scripts: { test: "node run.js" } }),
      "run.js": `globalThis.test = (name, body) => body();\nrequire("./test/sum.test.js");\n`,
      "test/sum.test.js": SUM_TEST.replace('const test = require("node:test");\n', ""),
    },
    change: {
      "run.js": undefined,
      "package.json": NODE["package.json"],
      "test/sum.test.js": SUM_TEST,
      ...PRODUCT,
    },
    says: "they pass",
  },
  "removes a file that the old recipe needs": {
    base: MAKE,
    verify: [["make", "test"]],
    change: { "list.txt": undefined, Makefile: "test:\n\tnode --test\n", "sum.js": SUM_BY_VALUE },
    says: "could not be loaded",
  },
  "moves the code, and adds a conftest.py so that tests find it": {
    base: {
      ...PYTHON,
      "tests/test_cart.py": PYTHON["tests/test_cart.py"].replace(
        "import sys\nsys.path.insert(0, '.')\n",
        "",
      ),
    },
    verify: PYTEST,
    change: {
      "cart.py": undefined,
      "src/cart.py": PYTHON["cart.py"],
      "conftest.py": "import sys\nsys.path.insert(0, 'src')\n",
    },
    says: "could not be loaded",
  },
  "adds fixtures, and tests that use them": {
    base: PYTHON,
    verify: PYTEST,
    change: {
      "conftest.py": "import pytest\n\n\n@pytest.fixture\ndef numbers():\n    return [1, 2]\n",
      "tests/test_more.py":
        "import sys\nsys.path.insert(0, '.')\nfrom cart import total\n\n\ndef test_more(numbers):\n    assert total(numbers) == 3\n",
    },
    says: "they pass",
  },
  "adds settings of the runner": {
    base: PYTHON,
    verify: PYTEST,
    change: {
      "pyproject.toml":
        '[project]\nname = "cart"\nversion = "1"\n\n[tool.pytest.ini_options]\npythonpath = ["."]\n',
      "cart.py": `${PYTHON["cart.py"]}\n\ndef count(numbers):\n    return len(numbers)\n`,
    },
    says: "they pass",
  },
  "changes code that only tests import": {
    base: NODE,
    change: {
      "sum.js": `const assert = require("node:assert");\n${SUM_BY_VALUE}exports.two = () => { assert.ok(true); };\n`,
    },
    says: "",
  },
};

test.for(Object.entries(HONEST))("no finding for a range that %s", async ([, honest], { skip }) => {
  const { base, change, verify = NPM_TEST, says } = honest;
  skip(verify === PYTEST && !HAS_PYTEST, "pytest is not here");
  const { findings, evidence } = await checkedTests({ verify, base, change });
  expect(findings).toEqual([]);
  if (says === "") expect(evidence).toBe("");
  else expect(evidence).toContain(says);
});

test("no finding for a runner that the plan replaces: the old one is not run", async () => {
  const { findings } = await checkedTests({
    verify: NPM_TEST,
    base: { ...NODE, ".npmrc": "fund=false\n" },
    change: { ".npmrc": "audit=false\n", "sum.js": "exports.sum = (a, b) => a - b;\n" },
    tasks: ["Replace the settings in .npmrc"],
  });
  expect(findings).toEqual([]);
});
