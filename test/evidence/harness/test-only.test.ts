import fc from "fast-check";
import { expect, test } from "vitest";
import { importEdges } from "../../../src/evidence/harness/import-edges.ts";
import { shadowing } from "../../../src/evidence/harness/shadowing.ts";
import { isPartOfTests, onlyTestsImport } from "../../../src/evidence/harness/test-only.ts";

type Files = Readonly<Record<string, string>>;

function edgesOf(files: Files) {
  const lines = Object.entries(files).flatMap(([path, text]) =>
    text.split("\n").map((line) => ({ path, text: line })),
  );
  return importEdges(lines, new Set(Object.keys(files)));
}

function led(files: Files): readonly string[] {
  return edgesOf(files).map(({ from, to }) => `${from} > ${to}`);
}

test.each<readonly [string, string, string, string | undefined]>([
  ["a.js", 'import { x } from "./b.js";', "b.js", "b.js"],
  ["a.ts", 'export * from "./b.js";', "b.ts", "b.ts"],
  ["a.js", "const { x } = require('./b');", "b.cjs", "b.cjs"],
  ["t/a.js", 'await import("../lib");', "lib/index.mjs", "lib/index.mjs"],
  ["t/a.ts", 'import x from "@/lib/b";', "src/lib/b.ts", "src/lib/b.ts"],
  ["a.js", 'import x from "vitest";', "vitest/index.js", undefined],
  ["t/test_a.py", "from lib.b import x", "lib/b.py", "lib/b.py"],
  ["t/test_a.py", "from lib import b, c", "lib/b.py", "lib/b.py"],
  ["t/test_a.py", "from . import b", "t/b.py", "t/b.py"],
  ["t/u/a.py", "from ..b import x", "t/b.py", "t/b.py"],
  [
    "t/test_a.py",
    "import lib.b as c  # import z",
    "src/lib/b/__init__.py",
    "src/lib/b/__init__.py",
  ],
  ["t/test_a.py", "print('import lib')", "lib.py", undefined],
])("import edges of %s: %s", (from, line, path, to) => {
  expect(led({ [from]: line, [path]: "" })).toEqual(to === undefined ? [] : [`${from} > ${to}`]);
});

const GRAPH = {
  "test/a.test.js": 'import "../lib/one.js";\nimport "../src/code.js";\n',
  "lib/one.js": 'import "./two.js";\nimport "./three.js";\n',
  "lib/two.js": 'import "./one.js";\n',
  "lib/three.js": "",
  "src/code.js": 'import "../lib/three.js";\n',
  "src/main.js": 'import "./code.js";\n',
  "src/alone.js": "",
};

test("modules that only tests import are distinguished from those that the product needs", () => {
  const isTest = (path: string) => path.startsWith("test/");
  const graph = { edges: edgesOf(GRAPH), isTest };
  expect(onlyTestsImport(Object.keys(GRAPH), graph)).toEqual(["lib/one.js", "lib/two.js"]);
});

const CHECK = "export function same(a, b) { if (a !== b) throw new Error('differs'); }\n";
const uses = (...lines: readonly string[]) => [
  { name: "../lib/x.js", text: ['import { same } from "../lib/x.js";', ...lines].join("\n") },
];

test.each<readonly [string, string, string, ReturnType<typeof uses>, boolean]>([
  ["it is in a folder for tests", "lib/testing/x.js", "1;", [], true],
  ["it imports a test library", "lib/x.js", 'import { expect } from "vitest";', [], true],
  [
    "tests call it only to fail",
    "lib/x.js",
    CHECK,
    uses('test("a", () => {', "  same(f(1), 2);", "});"),
    true,
  ],
  [
    "a test uses its result",
    "lib/x.js",
    CHECK,
    uses("  same(f(1), 2);", "  assert.equal(same(1), 2);"),
    false,
  ],
  ["it cannot fail", "lib/x.js", "export const same = () => 1;\n", uses("same(f(1), 2);"), false],
  ["it is the code under test", "src/latest.js", CHECK, uses("const x = same(1, 2);"), false],
])("isPartOfTests of a module: %s", (...row) => {
  const [, path, text, users, isPart] = row;
  expect(isPartOfTests(path, text, users)).toBe(isPart);
});

test("new files shadow only modules that old tests imported from elsewhere", () => {
  const files = {
    "tests/test_a.py": "import helper\nimport app.core\n",
    "tests/helper.py": "",
    "app/core.py": "",
    "app/json/x.py": "",
  };
  const added = [
    ...[
      "pytest.py",
      "unittest/case.py",
      "tests/json.py",
      "tests/helper/__init__.py",
      "web/node_modules/x/i.js",
    ],
    ...["app/types.py", "app/json/y.py", "tests/test_b.py", "lib.js", "json.js"],
  ];
  const before = new Set(Object.keys(files));
  const after = new Set([...before, ...added]);
  expect(shadowing(added, { edges: edgesOf(files), before, after })).toEqual(added.slice(0, 5));
});

test("import edges never throw, and none leads out of the tree", () => {
  const part = fc.constantFrom(
    "import ",
    "from ",
    '"./a"',
    "'../'",
    "require(",
    ".",
    "a",
    ",",
    "as",
    "\\",
  );
  const line = fc.array(fc.oneof(part, fc.string())).map((parts) => parts.join(""));
  fc.assert(
    fc.property(line, fc.constantFrom("b.js", "t/b.py"), (text, from) => {
      const files = { [from]: text, "a.js": "", "a.py": "" };
      for (const { to } of edgesOf(files)) expect(Object.keys(files)).toContain(to);
    }),
  );
});
