import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { unassertedTests } from "../../../src/evidence/integrity/unasserted-tests.ts";
import { SAMPLES } from "./planted.ts";

const NONE = new Map<string, string>();

/** Names of the tests of a new file that check nothing. */
function flagged(file: string, text: string): readonly string[] {
  return unassertedTests(NONE, new Map([[file, text]])).map(({ path }) => path.at(-1) ?? "");
}

const EMPTY: readonly [string, string, string][] = [
  ["javascript", "test/a.test.js", `test("adds", () => { add(1, 2); });`],
  ["an empty body", "test/a.test.ts", `it("adds", () => {});`],
  [
    "a check that always holds",
    "test/a.test.ts",
    `it("adds", () => { expect(true).toBe(true); });`,
  ],
  ["python", "tests/test_a.py", `def test_adds():\n    add(1, 2)\n`],
  ["python, empty", "tests/test_a.py", `def test_adds():\n    pass\n`],
  ["go", "a_test.go", `package a\n\nfunc TestAdds(t *testing.T) {\n\tadd(1, 2)\n}\n`],
  ["rust", "tests/a.rs", `#[test]\nfn adds() {\n    let _ = add(1, 2);\n}\n`],
  ["ruby", "test/a_test.rb", `def test_adds\n  add(1, 2)\nend\n`],
];

test.each(EMPTY)("a new test without checks is reported: %s", (_, file, text) => {
  expect(flagged(file, text)).toHaveLength(1);
});

const HONEST: readonly [string, string, string][] = [
  ["a helper by its name", "a.test.js", `test("adds", () => { expectValid(add(1, 2)); });`],
  ["a checker", "a.test.js", `test("adds", () => { sums.checkFoo(add(1, 2)); });`],
  ["a snapshot", "a.test.js", `test("adds", async (t) => { t.snapshot(add(1, 2)); });`],
  ["a plan", "a.test.js", `test("adds", (t) => { t.plan(1); add(1, (e) => t.ok(e)); });`],
  ["types", "a.test-d.ts", `test("adds", () => { expectTypeOf(add).toBeFunction(); });`],
  [
    "types that are errors",
    "a.test.ts",
    `test("adds", () => {\n  // @ts-expect-error a word\n  add("a");\n});`,
  ],
  [
    "a property",
    "a.test.ts",
    `test("adds", () => { fc.assert(fc.property(fc.nat(), (n) => add(n, 0) === n)); });`,
  ],
  ["it is to be done", "a.test.ts", `test.todo("adds");`],
  ["it is skipped", "a.test.ts", `test.skip("adds", () => { add(1, 2); });`],
  ["nothing is thrown", "a.test.ts", `test("does not throw on nothing", () => { add(); });`],
  [
    "a helper of this file",
    "a.test.ts",
    `const both = (n) => expect(add(n, n)).toBe(2 * n);\nconst twice = (n) => both(n);\ntest("adds", () => { twice(2); });`,
  ],
  [
    "a helper of a module",
    "a.test.ts",
    `import { sums } from "./helpers/sums.js";\ntest("adds", () => { sums(1, 2); });`,
  ],
  ["a helper that is given the test", "a.test.ts", `test("adds", (t) => { sums(t, 1, 2); });`],
  [
    "a check after each",
    "a.test.ts",
    `afterEach(() => { expect(total).toBe(3); });\ntest("adds", () => { add(1, 2); });`,
  ],
  ["a screen", "a.test.tsx", `test("adds", async () => { await screen.findByText("3"); });`],
  [
    "pytest raises",
    "test_a.py",
    `def test_adds():\n    with pytest.raises(TypeError):\n        add("a")\n`,
  ],
  [
    "pytest warns",
    "test_a.py",
    `def test_adds():\n    with pytest.warns(UserWarning):\n        add(1)\n`,
  ],
  [
    "a method of the class",
    "test_a.py",
    `class TestAdd(Base):\n    def test_adds(self):\n        self.sums(1, 2)\n`,
  ],
  ["a fixture", "test_a.py", `def test_adds(sums):\n    sums(1, 2)\n`],
  [
    "a table",
    "a_test.go",
    `package a\n\nfunc TestAdds(t *testing.T) {\n\tfor _, c := range cases {\n\t\tt.Run(c.name, func(t *testing.T) { c.run(t) })\n\t}\n}\n`,
  ],
  [
    "an example",
    "a_test.go",
    `package a\n\nfunc ExampleAdd() {\n\tfmt.Println(add(1, 2))\n\t// Output: 3\n}\n`,
  ],
  ["an unwrap", "tests/a.rs", `#[test]\nfn adds() {\n    add(1, 2).unwrap();\n}\n`],
  [
    "a question mark",
    "tests/a.rs",
    `#[test]\nfn adds() -> Result<(), Error> {\n    add(1, 2)?;\n    Ok(())\n}\n`,
  ],
  [
    "a subject",
    "spec/a_spec.rb",
    `describe Add do\n  it "adds" do\n    is_expected.to eq(3)\n  end\nend\n`,
  ],
];

test.each(HONEST)("a new test that may check something is not reported: %s", (_, file, text) => {
  expect(flagged(file, text)).toEqual([]);
});

test("tests that existed before are not new, even if moved or renamed", () => {
  const before = `test("adds one", () => { add(1, 2, 3, 4); });`;
  const after = `describe("add", () => { test("adds more", () => { add(1, 2, 3, 4); }); });`;
  expect(
    unassertedTests(new Map([["a.test.js", before]]), new Map([["b.test.js", after]])),
  ).toEqual([]);
});

test.each(Object.entries(SAMPLES))("no test of %s is reported", (file, text) => {
  expect(flagged(file, text)).toEqual([]);
});

test("none of this project's own tests is reported", () => {
  const root = join(import.meta.dirname, "../..");
  const files = readdirSync(root, { recursive: true, encoding: "utf8" });
  const texts = files
    .filter((path) => path.endsWith(".test.ts"))
    .map(
      (path) => [relative(root, join(root, path)), readFileSync(join(root, path), "utf8")] as const,
    );
  expect(texts.length).toBeGreaterThan(200);
  const blamed = texts.flatMap(([file, text]) =>
    flagged(file, text).map((name) => `${file} ${name}`),
  );
  expect(blamed).toEqual([]);
});

test("reading tests never throws, whatever the file contains", () => {
  const files = fc.constantFrom("a.test.ts", "test_a.py", "a_test.go", "a.rs", "a_spec.rb");
  const piece = fc.constantFrom(
    'test("a", () => {',
    "});",
    "def test_a(x):",
    "\n  ",
    "fn a() {",
    "#[test]",
    "(",
    "{",
    "}",
    "import {",
    "} from '",
    "it 'x' do",
    "end",
    "`",
    '"',
  );
  const text = fc.array(fc.oneof(piece, fc.string({ maxLength: 8 })), { maxLength: 60 });
  fc.assert(
    fc.property(files, text, (file, pieces) => {
      expect(Array.isArray(flagged(file, pieces.join("")))).toBe(true);
    }),
  );
});
