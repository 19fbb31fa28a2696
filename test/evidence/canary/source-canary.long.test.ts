import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkSource } from "../../../src/evidence/canary/source-canary.ts";
import { modulesOfTests } from "../../../src/evidence/canary/imported-modules.ts";
import type { SessionJson } from "../../../src/fs-protocol/home/session-json.ts";
import { SOURCE } from "../../../src/fs-protocol/records/command-result.ts";
import { CART, LOADS_COPY } from "../../rig/copied-shop.ts";
import { timeAt } from "../../rig/records.ts";
import { write } from "../../agents/role-rig.ts";
import { SANDBOXES, TreeRig, type Tree } from "../verify-tree/tree-rig.ts";

const CART_TEST = `const test = require("node:test");
const assert = require("node:assert");
const { discount } = require("../src/cart.js");
test("takes a tenth off", () => { assert.equal(discount(100), 90); });
`;
const SHOP: Tree = { "src/cart.js": CART, "test/cart.test.js": CART_TEST };
const NODE_TEST = [["node", "--test"]];

/** One more test file, which has nothing to do with the module. */
const TWO_FILES: Tree = {
  ...SHOP,
  "test/other.test.js": `require("node:test")("is not concerned", () => {});\n`,
};

/**
 * Takes an installed copy of what cannot be loaded. Its test needs what another file's test leaves, unless a variable says
 * that it is alone.
 */
const COPY_ON_FAILURE: Tree = {
  "copy.js": CART,
  "src/cart.js": CART,
  "alone.env": "IS_ALONE=yes\n",
  "test/a.test.js": `require("node:test")("leaves", () => require("node:fs").writeFileSync("left", ""));\n`,
  "test/cart.test.js": `${LOADS_COPY}const { discount } = loaded();
test("takes a tenth off", () => {
  assert.ok(process.env.IS_ALONE || require("node:fs").existsSync("left"));
  assert.equal(discount(100), 90);
});
`,
};
const IN_ORDER = [["node", "--test", "--test-concurrency=1"]];

/** A package that setup installs as a copy, and tests that load that copy. */
const INSTALLED: Tree = {
  ".gitignore": "made/\n",
  "src/shop/__init__.py": "",
  "src/shop/cart.py": "def discount(amount):\n    return amount - 10\n",
  "tests/test_cart.py": `import unittest
from shop import cart


class TestCart(unittest.TestCase):
    def test_discount(self):
        self.assertEqual(cart.discount(100), 90)
`,
};
const UNITTEST = ["python3", "-m", "unittest", "discover", "-s", "tests"];
const BY_COPY: Partial<SessionJson> = {
  setup: [["cp", "-r", "src", "made"]],
  verify: [["env", "PYTHONPATH=made", ...UNITTEST]],
};

/** A session whose verify was run at the base, and the tester's look at it. */
async function session(files: Tree, fields: Partial<SessionJson>, bwrap?: string) {
  const rig = new TreeRig(bwrap, { version: 3, ...fields }, { files });
  const { outcome } = await rig.verify(rig.rig.session.base);
  const tester = rig.tester();
  const answers = new Map<string, string>();
  const check = async () => {
    const state = await rig.rig.at.state();
    const answered = { ...state, human: { ...state.human, answers } };
    const check = { unit: "test:One:0", base: state.builder.baseline, isCheap: false };
    return checkSource(tester.context, answered, check);
  };
  const results = () =>
    tester.recordsOf("command.result").filter(({ command }) => command.startsWith(SOURCE));
  const answer = (asked: Awaited<ReturnType<typeof check>>, text: string) => {
    const ask = asked.kind === "question" ? asked.question : "";
    const end = { unit: "test:One:0", m: "One", outcome: "needs_input" } as const;
    const question = `tester-${String(answers.size + 1)}`;
    write(rig.rig.at, {
      tester: [{ kind: "test.end", time: timeAt(1), ...end, bugs: [], commits: [], question, ask }],
    });
    answers.set(question, text);
  };
  const printed = () => {
    const { output = "" } = results().at(-1) ?? {};
    return readFileSync(join(rig.rig.at.home.turns, `${output}.out`), "utf8");
  };
  const narrowedRuns = () =>
    readdirSync(rig.rig.at.home.turns).filter((name) => name.endsWith("-narrowed.out")).length;
  return {
    outcome,
    check,
    results,
    answer,
    printed,
    narrowedRuns,
    [Symbol.dispose]: () => rig[Symbol.dispose](),
  };
}

describe.each(SANDBOXES.filter(({ isThere }) => isThere))("with $sandbox", ({ bwrap }) => {
  test("a verify that loads the code of its tree is trusted, and looked at once", async () => {
    using at = await session(SHOP, { verify: NODE_TEST }, bwrap);
    expect(await at.check()).toEqual({ kind: "checked" });
    expect(await at.check()).toEqual({ kind: "checked" });
    expect(at.results()).toMatchObject([{ outcome: "failed", reason: "src/cart.js" }]);
  });

  test("of a suite that can be narrowed, one test file is run that imports the module", async () => {
    using at = await session(TWO_FILES, { verify: NODE_TEST }, bwrap);
    expect(await at.check()).toEqual({ kind: "checked" });
    expect(at.results()).toMatchObject([{ outcome: "failed", reason: "src/cart.js" }]);
    expect(at.results()[0]?.output).toMatch(/-narrowed$/);
    expect(at.printed()).toContain("cart.test.js");
    expect(at.printed()).not.toContain("is not concerned");
  });

  test("a verify that loads an installed copy is a question to a person, until it is answered", async () => {
    using at = await session(INSTALLED, BY_COPY, bwrap);
    expect(at.outcome).toBe("passed");
    const asked = await at.check();
    expect(asked.kind === "question" ? asked.question : "").toMatch(
      /cannot be loaded, one after the other: src\/shop\/__init__\.py, src\/shop\/cart\.py/,
    );
    // Killed before it was asked: nothing is run again.
    expect(await at.check()).toEqual(asked);
    expect(at.results()).toMatchObject([{ outcome: "passed" }]);
    at.answer(asked, "accept");
    expect(await at.check()).toEqual({ kind: "checked" });
    expect(at.results()).toHaveLength(1);
  });
});

const BY_VITEST = [join(import.meta.dirname, "../../../node_modules/.bin/vitest"), "run"];
const IN_TYPESCRIPT: Tree = {
  "src/cart.ts": "export const discount = (amount: number): number => amount * 0.9;\n",
  "test/cart.test.ts": `import { expect, test } from "${join(import.meta.dirname, "../../../node_modules/vitest/dist/index.js")}";
import { discount } from "../src/cart";
test("takes a tenth off", () => expect(discount(100)).toBe(90));
`,
};
const IN_PYTHON: Tree = { ...INSTALLED, "tests/__init__.py": "", "src/__init__.py": "" };
const BELOW_SRC: Tree = {
  ...IN_PYTHON,
  "tests/test_cart.py": (INSTALLED["tests/test_cart.py"] ?? "").replace("shop", "src.shop"),
};

test("the question to a project of Python without a lock file says how each tree gets an environment", async () => {
  const files = {
    ...INSTALLED,
    "pyproject.toml":
      '[project]\nname = "shop"\nversion = "1"\n[project.optional-dependencies]\ntest = []\n',
    // A copy that is found first, as one in a folder of installed packages.
    "tests/__init__.py": 'import sys\nsys.path.insert(0, "copy")\n',
    "copy/shop/__init__.py": "",
    "copy/shop/cart.py": INSTALLED["src/shop/cart.py"] ?? "",
  };
  const verify = [["python3", "-m", "unittest", "discover", "-s", "tests", "-t", "."]];
  using at = await session(files, { verify });
  expect(at.outcome).toBe("passed");
  const asked = await at.check();
  expect(asked.kind === "question" ? asked.question : "").toContain(
    'for example with `setup: [[python3, -m, venv, .venv], [.venv/bin/pip, install, -e, ".[test]", pytest]]` and `verify: [.venv/bin/python, -m, pytest]`',
  );
});

test.each<readonly [string, Tree, readonly string[]]>([
  ["vitest", IN_TYPESCRIPT, BY_VITEST],
  ["unittest", BELOW_SRC, ["python3", "-m", "unittest", "discover", "-s", "tests", "-t", "."]],
])("%s prints a part of what it cannot load", async (_, files, argv) => {
  using at = await session(files, { verify: [[...argv]] });
  expect(at.outcome).toBe("passed");
  expect(await at.check()).toEqual({ kind: "checked" });
  expect(at.results()).toMatchObject([{ outcome: "failed" }]);
  expect(at.results()[0]?.output).toMatch(/-narrowed$/);
});

test.each<readonly [string, Partial<SessionJson>]>([
  ["fails alone, and does not show that it loaded that module", { verify: IN_ORDER }],
  ["passes alone", { verify: [["node", "--test", "--env-file=alone.env"]] }],
])("one test file that %s proves nothing: the whole suite says it", async (_, fields) => {
  using at = await session(COPY_ON_FAILURE, fields);
  expect(at.outcome).toBe("passed");
  expect((await at.check()).kind).toBe("question");
  expect(at.results()).toMatchObject([{ outcome: "passed", reason: "src/cart.js" }]);
  expect(at.results()[0]?.output).not.toMatch(/-narrowed$/);
  expect(at.narrowedRuns()).toBe(1);
});

test("what the build prints of that module is no proof that a test loaded it", async () => {
  const show = "console.log(require('node:fs').readFileSync('src/cart.js', 'utf8'))";
  using at = await session(COPY_ON_FAILURE, { verify: IN_ORDER, build: [["node", "-e", show]] });
  expect((await at.check()).kind).toBe("question");
});

test("any other answer has it looked at again", async () => {
  using at = await session(INSTALLED, BY_COPY);
  const asked = await at.check();
  at.answer(asked, "again");
  expect(await at.check()).toEqual(asked);
  expect(at.results()).toHaveLength(2);
});

test("a build that fails has noticed it", async () => {
  using at = await session(
    { ...SHOP, "test/cart.test.js": CART_TEST, ".gitignore": "dist/\n" },
    { verify: [["true"]], build: [["node", "--check", "src/cart.js"]] },
  );
  expect(await at.check()).toEqual({ kind: "checked" });
  expect(at.results()).toMatchObject([{ outcome: "failed" }]);
});

test.each<readonly [string, Tree, Partial<SessionJson>, string]>([
  [
    "no test imports anything by a path",
    { "main.go": "package main\n", "main_test.go": "package main\n" },
    { verify: [["true"]] },
    "no module is known",
  ],
  ["verify is red at the base", SHOP, { verify: [["false"]] }, "not green at the base"],
])("where %s, that is on record, and nothing is run", async (_, files, fields, why) => {
  using at = await session(files, fields);
  expect(await at.check()).toEqual({ kind: "checked" });
  expect(await at.check()).toEqual({ kind: "checked" });
  expect(at.results()).toMatchObject([{ outcome: "unstarted" }]);
  expect(at.results()[0]?.reason).toContain(why);
});

test("a session of an earlier version goes on as it began", async () => {
  using at = await session(INSTALLED, { ...BY_COPY, version: 2 });
  expect(await at.check()).toEqual({ kind: "checked" });
  expect(at.results()).toEqual([]);
});

test("the module that most test files import comes first; none that is there for tests", () => {
  const line = (path: string, name: string) => ({ path, text: `import "${name}";` });
  const lines = [
    line("test/a.test.js", "../src/a.js"),
    line("test/a.test.js", "../src/b.js"),
    line("test/a.test.js", "../testing/help.js"),
    line("test/b.test.js", "../src/b.js"),
    line("test/b.test.js", "../src/data.json"),
    line("src/c.js", "./a.js"),
  ];
  const paths = new Set(["src/a.js", "src/b.js", "src/c.js", "testing/help.js", "src/data.json"]);
  const found = modulesOfTests(lines, paths, (path) => path.startsWith("test/"));
  expect(found).toEqual([
    { path: "src/b.js", tests: ["test/a.test.js", "test/b.test.js"] },
    { path: "src/a.js", tests: ["test/a.test.js"] },
  ]);
});
