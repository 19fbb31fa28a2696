import fc from "fast-check";
import { expect, test } from "vitest";
import { compareTests } from "../../../src/evidence/integrity/compare-tests.ts";
import { findTests } from "../../../src/evidence/integrity/find-tests.ts";
import { hidesTest } from "../../../src/evidence/integrity/tampering.ts";
import { COUNTS, SAMPLES, type Sample } from "./planted.ts";

const FILES = Object.entries(SAMPLES);

/** Compares a sample with itself after some replacements. */
function planted(file: Sample, ...edits: readonly (readonly [string | RegExp, string])[]) {
  const before: string = SAMPLES[file];
  const after = edits.reduce((text, [from, to]) => text.replace(from, to), before);
  expect(after).not.toBe(before);
  return seen([[file, before]], [[file, after]]);
}

function seen(
  before: readonly (readonly [string, string])[],
  after: readonly (readonly [string, string])[],
): readonly string[] {
  const found = compareTests(new Map(before), new Map(after));
  return found.map(({ kind, file, line, what }) => `${kind} ${file}:${String(line)} ${what}`);
}

test.each(FILES)("finds the tests of %s, and nothing that only looks like a test", (file, text) => {
  const tests = findTests(file, text);
  expect(tests.map(({ path }) => path.join(" > "))).toHaveLength(COUNTS.get(file) ?? 0);
  expect(tests.filter(({ assertions }) => assertions === 0)).toEqual([]);
  expect(tests.filter(({ isSkipped, isFocused }) => isSkipped || isFocused)).toEqual([]);
});

test("a deleted test is reported at its old place: deleted alone, with its file, or commented out", () => {
  const ts = "test/cart.test.ts";
  expect(planted(ts, [/ {2}it\("refuses[\s\S]*?\n {2}\}\);\n/, ""])).toEqual([
    "deleted test/cart.test.ts:11 a cart > refuses what is negative",
  ]);
  expect(planted("cart_test.go", [/func TestEmpty[\s\S]*/, ""])).toEqual([
    "deleted cart_test.go:12 TestEmpty",
  ]);
  expect(planted("src/cart.rs", [/#\[cfg\(test\)\][\s\S]*/, ""])).toEqual([
    "deleted src/cart.rs:7 adds_up",
    "deleted src/cart.rs:13 refuses_negative",
  ]);
  expect(seen([["spec/cart_spec.rb", SAMPLES["spec/cart_spec.rb"]]], [])).toEqual([
    "deleted spec/cart_spec.rb:5 Cart > adds up",
    "deleted spec/cart_spec.rb:10 Cart > refuses what is negative",
  ]);
  const commented = /def test_text[\s\S]*$/.exec(SAMPLES["tests/test_cart.py"])?.[0] ?? "";
  expect(planted("tests/test_cart.py", [commented, commented.replace(/^/gm, "# ")])).toEqual([
    "deleted tests/test_cart.py:20 test_text",
  ]);
});

const IN_OWN_WORDS = [
  ["node:test's own", "t.assert.strictEqual(one(), 1);", "t.assert.ok(true);"],
  ["those of another context", "ctx.assert.deepEqual(one(), 1);", "console.assert(one());"],
  ["tape's", "t.notOk(one());", "t.ok(true);"],
  ["tape's in a subtest", "st.strictEqual(one(), 1);", "st.end();"],
  ["tap's", "t.strictSame(one(), 1);", "t.plan(1);"],
] as const;

test.each(IN_OWN_WORDS)("checks of the test's parameter count: %s", (_, check, nothing) => {
  const file = "test/one.test.js";
  const using = (body: string) => `test("one", (t) => {\n  ${body}\n});\n`;
  const other = using("assert.equal(one(), 1);");
  expect(seen([[file, using(check)]], [[file, using(nothing)]])).toEqual([
    "emptied test/one.test.js:1 one",
  ]);
  expect(seen([[file, other]], [[file, using(check)]])).toEqual([]);
});

test("a test that is not recognised under its new name counts as deleted", () => {
  expect(planted("tests/test_cart.py", ["def test_text", "def text_test"])).toEqual([
    "deleted tests/test_cart.py:20 test_text",
  ]);
  expect(planted("src/cart.rs", ["    #[test]\n    fn adds_up", "    fn adds_up"])).toEqual([
    "deleted src/cart.rs:7 adds_up",
  ]);
});

test.each([
  ["test/cart.test.ts", 'it("adds up"', 'it.skip("adds up"'],
  ["test/cart.test.ts", 'it("adds up"', 'xit("adds up"'],
  ["test/cart.test.ts", 'it("adds up"', 'it.todo("adds up"'],
  ["test/cart.test.ts", 'it("adds up"', 'it.fails("adds up"'],
  ["test/cart.test.ts", 'it("adds up", ', 'it("adds up", { timeout: 5, skip: true }, '],
  ["test/cart.test.ts", '"adds up", () => {', '"adds up", (t) => {\n    t.skip("later");'],
  ["tests/test_cart.py", "def test_text", '@pytest.mark.skip(reason="x")\ndef test_text'],
  ["tests/test_cart.py", "def test_text", "@pytest.mark.xfail\ndef test_text"],
  ["tests/test_cart.py", 'no test"""', 'no test"""\n    pytest.skip("later")'],
  ["tests/test_cart.py", "    def test_negative", '    @unittest.skip("x")\n    def test_negative'],
  ["cart_test.go", "func TestEmpty(t *testing.T) {", "func TestEmpty(t *testing.T) {\n\tt.Skip()"],
  ["src/cart.rs", "    #[test]\n    fn", "    #[test]\n    #[ignore]\n    fn"],
  ["src/cart.rs", "    #[test]\n    fn", '    #[test]\n    #[ignore = "slow"]\n    fn'],
  ["spec/cart_spec.rb", 'it "adds', 'xit "adds'],
  ["spec/cart_spec.rb", '"adds up" do', '"adds up", skip: true do'],
  ["spec/cart_spec.rb", '"adds up" do', '"adds up" do\n    skip "later"'],
] as const)("a skip in %s is reported: %s becomes %s", (file, from, to) => {
  expect(planted(file, [from, to])).toEqual([expect.stringMatching(/^skipped /)]);
});

test("a skipped group skips each of its tests", () => {
  expect(planted("test/cart.test.ts", ['describe("a cart"', 'describe.skip("a cart"'])).toEqual([
    "skipped test/cart.test.ts:6 a cart > adds up",
    "skipped test/cart.test.ts:11 a cart > refuses what is negative",
    "skipped test/cart.test.ts:15 a cart > writes %i as %s",
  ]);
  const py = planted("tests/test_cart.py", [
    "import pytest",
    "import pytest\npytestmark = pytest.mark.skip",
  ]);
  expect(py.filter((line) => line.startsWith("skipped "))).toHaveLength(3);
  const go = planted("cart_test.go", ["package cart", "//go:build ignore\n\npackage cart"]);
  expect(go).toHaveLength(2);
});

test("a focused test, which hides the others, is reported", () => {
  expect(planted("test/cart.test.ts", ['it("adds up"', 'it.only("adds up"'])).toEqual([
    "focused test/cart.test.ts:6 a cart > adds up",
  ]);
});

test("a test without checks counts as emptied, even if checks remain that always hold", () => {
  const ts = "test/cart.test.ts";
  expect(planted(ts, [/expect\(cart\(\[1, 2\]\)[^\n]*\n[^\n]*/, ""])).toEqual([
    "emptied test/cart.test.ts:6 a cart > adds up",
  ]);
  expect(
    planted(ts, [/expect\(cart\(\[1, 2\]\)[^\n]*\n[^\n]*/, "expect(true).toBe(true);"]),
  ).toEqual(["emptied test/cart.test.ts:6 a cart > adds up"]);
  expect(planted("cart_test.go", ["require.Equal(t, 0, Total(nil))", "_ = Total(nil)"])).toEqual([
    "emptied cart_test.go:12 TestEmpty",
  ]);
  expect(
    planted("src/cart.rs", [/assert_eq!\(total\(&\[1[^\n]*\n[^\n]*/, "assert!(true);"]),
  ).toEqual(["emptied src/cart.rs:7 adds_up"]);
  expect(
    planted("tests/test_cart.py", [/assert cart\(\[1\]\)[^\n]*\n[^\n]*/, "assert True"]),
  ).toEqual(["emptied tests/test_cart.py:20 test_text"]);
  expect(planted("spec/cart_spec.rb", [/expect \{.*\n/, "expect(true).to eq(true)\n"])).toEqual([
    "emptied spec/cart_spec.rb:10 Cart > refuses what is negative",
  ]);
});

test("fewer checks are reported with their numbers", () => {
  const before: string = SAMPLES["test/cart.test.ts"];
  const after = before.replace("    expect(cart([]).total).toBe(0);\n", "");
  const file = "test/cart.test.ts";
  expect(compareTests(new Map([[file, before]]), new Map([[file, after]]))).toEqual([
    {
      kind: "weakened",
      file,
      line: 6,
      what: "a cart > adds up",
      before: "2 checks, 2 strict",
      after: "1 check, 1 strict",
    },
  ]);
});

test("looser checks are reported", () => {
  const file = "test/cart.test.ts";
  expect(planted(file, [".total).toBe(3)", ".total).toBeDefined()"])).toEqual([
    "loosened test/cart.test.ts:6 a cart > adds up",
  ]);
  expect(planted("tests/test_cart.py", ['.text == "two"', ".text is not None"])).toEqual([
    "loosened tests/test_cart.py:20 test_text",
  ]);
  expect(planted("src/cart.rs", ["assert_eq!(total(&[]), 0)", "assert!(total(&[]) < 9)"])).toEqual([
    "loosened src/cart.rs:7 adds_up",
  ]);
});

test("hiding a test is distinguished from weakening it", () => {
  const at = { file: "a", line: 1, what: "x" };
  const kinds = [
    "deleted",
    "skipped",
    "focused",
    "emptied",
    "weakened",
    "loosened",
    "threshold",
  ] as const;
  expect(kinds.filter((kind) => hidesTest({ kind, ...at }))).toEqual([
    "deleted",
    "skipped",
    "focused",
    "emptied",
  ]);
});

/* Changes that do not weaken tests. */

test.each(FILES)("tests of %s that are moved to another file count as the same", (file, text) => {
  expect(seen([[file, text]], [[`elsewhere/${file}`, text]])).toEqual([]);
});

test("renamed tests count as the same, also if they changed a little", () => {
  const ts = "test/cart.test.ts";
  expect(planted(ts, ["adds up", "gives the sum"])).toEqual([]);
  expect(planted(ts, ['describe("a cart"', 'describe("carts"'])).toEqual([]);
  expect(planted(ts, ["adds up", "gives the sum"], ["([]).total", "([0, 0]).total"])).toEqual([]);
  expect(planted("tests/test_cart.py", ["def test_text", "def test_words"])).toEqual([]);
  expect(planted("cart_test.go", ["TestTotal", "TestSum"])).toEqual([]);
  expect(planted("spec/cart_spec.rb", ["adds up", "sums"], ["Cart do", '"cart" do'])).toEqual([]);
});

test("reformatted, commented or reordered tests count as the same", () => {
  const ts = "test/cart.test.ts";
  expect(
    planted(
      ts,
      [/"/g, "'"],
      [/;\n/g, "\n"],
      ["cart([1, 2])", "cart(\n      [1, 2],\n    )"],
      ["'adds up', () => {", "'adds up', () => {\n    // the total"],
    ),
  ).toEqual([]);
  expect(planted("tests/test_cart.py", [/ {4}/g, "\t"])).toEqual([]);
  expect(planted("cart_test.go", [/\t/g, "  "])).toEqual([]);
});

test("checks that move into a helper still count", () => {
  const from = /    expect\(cart\(\[1, 2\]\)[^\n]*\n[^\n]*/;
  const helper = `
function sums(numbers: number[], total: number) {
  expect(cart(numbers).total).toBe(total);
}
`;
  const calls = "    sums([1, 2], 3);\n    sums([], 0);";
  expect(planted("test/cart.test.ts", [from, calls], [/$/, helper])).toEqual([]);
  const imported = "    expectTotal([1, 2], 3);\n    expectTotal([], 0);";
  expect(planted("test/cart.test.ts", [from, imported])).toEqual([]);
});

test("checks that become a table still count", () => {
  const from = /    expect\(cart\(\[1, 2\]\)[^\n]*\n[^\n]*/;
  const loop = `    for (const [numbers, total] of cases) {
      expect(cart(numbers).total).toBe(total);
    }`;
  expect(planted("test/cart.test.ts", [from, loop])).toEqual([]);
});

test("new tests, also skipped ones, and stronger checks are not reported", () => {
  const more = 'it.skip("comes later", () => {});\ntest("is new", () => { expect(1).toBe(1); });\n';
  expect(planted("test/cart.test.ts", [/$/, more])).toEqual([]);
  expect(
    planted("test/cart.test.ts", ["toEqual(word)", "toBe(word);\n    expect(2).toBe(two)"]),
  ).toEqual([]);
});

test("a changed expectation is not reported by counting: running the old test reveals it", () => {
  expect(planted("test/cart.test.ts", ["toBe(3)", "toBe(4)"])).toEqual([]);
});

/* Properties of any text. */

const FRAGMENTS = FILES.flatMap(([, text]) => text.split(/(?<=\n)/));
const source = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...FRAGMENTS) },
      { weight: 1, arbitrary: fc.string() },
    ),
    {
      maxLength: 60,
    },
  )
  .map((parts) => parts.join(""));
const path = fc.constantFrom(...FILES.map(([file]) => file));

test("comparing any texts never throws, and every reported line is inside its file", () => {
  fc.assert(
    fc.property(path, source, source, (file, before, after) => {
      const texts = [before, after].map((text) => new Map([[file, text]]));
      const [one = new Map<string, string>(), other = new Map<string, string>()] = texts;
      const lines = Math.max(before.split("\n").length, after.split("\n").length);
      for (const { line } of compareTests(one, other)) {
        expect(line).toBeGreaterThanOrEqual(1);
        expect(line).toBeLessThanOrEqual(lines);
      }
    }),
  );
});

test("a tree is never worse than itself, even if its files are moved", () => {
  fc.assert(
    fc.property(path, source, (file, text) => {
      expect(seen([[file, text]], [[file, text]])).toEqual([]);
      expect(seen([[file, text]], [[`moved/${file}`, text]])).toEqual([]);
    }),
  );
});

test("a hostile file takes no longer than a large one", () => {
  const LARGE = 200_000;
  const hostile = [
    "it(",
    "describe('x', ",
    "/[",
    "#[a]\n",
    "@x\n",
    "def test_a(",
    "`${",
    "it.a",
    "'",
    "<<~A\n",
  ];
  for (const part of hostile) {
    const text = part.repeat(LARGE / part.length);
    for (const [file] of FILES) {
      const start = performance.now();
      findTests(file, text);
      expect(performance.now() - start).toBeLessThan(5_000);
    }
  }
});
