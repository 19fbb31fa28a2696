import { spawnSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { cleanText } from "../../../src/base/words/clean-text.ts";
import { narrowCommand } from "../../../src/evidence/narrow/narrow-command.ts";
import { testsPrinted } from "../../../src/evidence/narrow/tests-printed.ts";
import { MACHINE_PATH, toolEnvironment } from "../../rig/own-environment.ts";
import { failingTests } from "../../../src/evidence/verify/failing-tests.ts";

/*
 * What the table of runners says, tried with the runners that are installed here. Each project has a test that fails, one
 * that passes, one that is left out, and namesakes around them.
 */

interface Project {
  readonly verify: readonly string[];
  /** The program that must be there; one of the project's own dependencies if it has none on the PATH. */
  readonly needs: string;
  readonly files: Readonly<Record<string, string>>;
  readonly failing: readonly string[];
  readonly passing: readonly string[];
  /** Left out, absent, or only a group: of them the output must say nothing. */
  readonly silent: readonly string[];
}

const GROUPED = (red: string) =>
  `describe("group", () => { it("adds (a+b)", () => {}); it("red", () => { ${red} }); it.skip("skips", () => {}); describe("in", () => { it("deep", () => {}); }); });\nit("adds (a+b)", () => {});\nit("adds (a+b) more", () => { ${red} });\n`;

const THROWS = `throw new Error("no")`;
const IN_JS = (file: string) => ({
  failing: [`${file} > group > red`, `${file} > adds (a+b) more`],
  passing: [`${file} > group > adds (a+b)`, `${file} > adds (a+b)`, `${file} > group > in > deep`],
  silent: [`${file} > group > skips`, `${file} > absent`, `${file} > group`],
});
const NODE_TEXT = `const { describe, it } = require("node:test");\n${GROUPED(THROWS)}`;

const PROJECTS: Readonly<Record<string, Project>> = {
  "node:test": {
    verify: ["node", "--test"],
    needs: "node",
    files: {
      "test/a.test.js": NODE_TEXT,
      "test/aa.test.js": `const { it } = require("node:test");\nit("absent", () => {});\n`,
    },
    ...IN_JS("test/a.test.js"),
  },
  "node:test, by npm": {
    verify: ["npm", "test"],
    needs: "npm",
    files: {
      "package.json": '{"scripts":{"test":"node --test test/"}}',
      "test/a.test.js": NODE_TEXT,
    },
    ...IN_JS("test/a.test.js"),
  },
  vitest: {
    verify: ["npx", "vitest", "run"],
    needs: "vitest",
    files: {
      "test/a.test.ts": `import { describe, it } from "vitest";\n${GROUPED(THROWS)}`,
      "test/aa.test.ts": `import { it } from "vitest";\nit("absent", () => {});\n`,
    },
    ...IN_JS("test/a.test.ts"),
  },
  "vitest, by npm": {
    verify: ["npm", "test"],
    needs: "vitest",
    files: {
      "package.json": '{"scripts":{"test":"vitest run test"}}',
      "test/a.test.ts": `import { describe, it } from "vitest";\n${GROUPED(THROWS)}`,
    },
    ...IN_JS("test/a.test.ts"),
  },
  jest: {
    verify: ["jest"],
    needs: "jest",
    files: {
      "package.json": "{}",
      "a.test.js": GROUPED(THROWS),
      "aa.test.js": `it("absent", () => {});\n`,
    },
    ...IN_JS("a.test.js"),
  },
  mocha: {
    verify: ["mocha", "test/a.js"],
    needs: "mocha",
    files: { "test/a.js": GROUPED(THROWS) },
    failing: ["group > red", "adds (a+b) more"],
    passing: ["group > adds (a+b)", "adds (a+b)", "group > in > deep"],
    silent: ["group > skips", "absent", "group"],
  },
  pytest: {
    verify: ["pytest", "-q", "."],
    needs: "pytest",
    files: {
      "test_a.py": `import pytest\nclass TestP:\n    @pytest.mark.parametrize("x", ["a b", "c::d"])\n    def test_p(self, x):\n        assert x == "a b"\ndef test_q(): print("hi")\ndef test_qq(): pass\n@pytest.mark.skip\ndef test_s(): pass\n`,
    },
    failing: ["test_a.py > TestP > test_p[c::d]"],
    passing: ["test_a.py > TestP > test_p[a b]", "test_a.py > test_q"],
    silent: ["test_a.py > test_s", "test_a.py > TestP > test_z", "test_a.py > TestP"],
  },
  unittest: {
    verify: ["python3", "-m", "unittest"],
    needs: "python3",
    files: {
      "test_a.py": `import unittest\nclass C(unittest.TestCase):\n    def test_q(self):\n        "In words"\n    def test_qq(self): pass\n    def test_bad(self): self.fail()\n    @unittest.skip("x")\n    def test_s(self): pass\n`,
    },
    failing: ["test_a.C > test_bad"],
    passing: ["test_a.C > test_q", "test_a.C > test_qq"],
    silent: ["test_a.C > test_s", "test_a.C > test_z"],
  },
  go: {
    verify: ["go", "test", "./..."],
    needs: "go",
    files: {
      "go.mod": "module example.com/m\n\ngo 1.19\n",
      "p/p_test.go": `package p\n\nimport "testing"\n\nfunc TestA(t *testing.T) {\n\tt.Run("b c", func(t *testing.T) {})\n\tt.Run("d", func(t *testing.T) { t.Fail() })\n}\nfunc TestB(t *testing.T)  {}\nfunc TestBB(t *testing.T) {}\nfunc TestS(t *testing.T)  { t.Skip() }\n`,
    },
    failing: ["example.com/m/p > TestA", "example.com/m/p > TestA > d"],
    passing: ["example.com/m/p > TestA > b_c", "example.com/m/p > TestB"],
    silent: ["example.com/m/p > TestS", "example.com/m/p > TestZ"],
  },
  cargo: {
    verify: ["cargo", "test", "--offline"],
    needs: "cargo",
    files: {
      "Cargo.toml": '[package]\nname = "my-calc"\nversion = "0.1.0"\nedition = "2021"\n',
      "src/lib.rs":
        "#[cfg(test)]\nmod tests {\n#[test] fn a() {}\n#[test] fn ab() {}\n#[test] fn b() { panic!() }\n#[test] #[should_panic] fn c() { panic!() }\n#[test] #[ignore] fn d() {}\n}\n",
      "tests/x.rs": "#[test] fn a() {}\n",
    },
    failing: ["src/lib.rs > my_calc > tests::b"],
    passing: [
      "src/lib.rs > my_calc > tests::a",
      "src/lib.rs > my_calc > tests::c",
      "tests/x.rs > a",
    ],
    silent: [
      "src/lib.rs > my_calc > tests::d",
      "src/lib.rs > my_calc > tests::z",
      "tests/x.rs > b",
    ],
  },
  rspec: {
    verify: ["rspec"],
    needs: "rspec",
    files: {
      "spec/a_spec.rb": `RSpec.describe "Calc" do\n  it("adds (a+b)") { }\n  it("red") { raise "x" }\n  it("reddish") { }\n  xit("skips") { }\n  context "in" do it("deep") { } end\nend\n`,
    },
    failing: ["spec/a_spec.rb > Calc red"],
    passing: ["spec/a_spec.rb > Calc adds (a+b)", "spec/a_spec.rb > Calc in deep"],
    silent: [
      "spec/a_spec.rb > Calc skips",
      "spec/a_spec.rb > Calc absent",
      "spec/a_spec.rb > Calc",
    ],
  },
  bats: {
    verify: ["bats", "test"],
    needs: "bats",
    files: {
      "test/a.bats": `@test "adds (a+b)" { true; }\n@test "red" { false; }\n@test "reddish" { true; }\n@test "skips" { skip; }\n`,
    },
    failing: ["test/a.bats > red"],
    passing: ["test/a.bats > adds (a+b)", "test/a.bats > reddish"],
    silent: ["test/a.bats > skips", "test/a.bats > absent"],
  },
  phpunit: {
    verify: ["phpunit", "CalcTest.php"],
    needs: "phpunit",
    files: {
      "CalcTest.php": String.raw`<?php
namespace N\M;
class CalcTest extends \PHPUnit\Framework\TestCase {
  function testA() { $this->assertTrue(true); }
  function testAB() { $this->assertTrue(false); }
  function testS() { $this->markTestSkipped(); }
}
`,
    },
    failing: [String.raw`N\M\CalcTest > testAB`],
    passing: [String.raw`N\M\CalcTest > testA`],
    silent: [String.raw`N\M\CalcTest > testS`, String.raw`N\M\CalcTest > testZ`],
  },
  ctest: {
    verify: ["ctest"],
    needs: "ctest",
    files: {
      "CTestTestfile.cmake": `add_test(a.b "true")\nadd_test(red "false")\nadd_test(reddish "true")\n`,
    },
    failing: ["red"],
    passing: ["a.b", "reddish"],
    silent: ["absent"],
  },
};

const OWN = join(import.meta.dirname, "../../../node_modules");

function isInstalled(program: string): boolean {
  if (existsSync(join(OWN, ".bin", program))) return true;
  const folders = MACHINE_PATH.split(delimiter);
  if (!folders.some((folder) => existsSync(join(folder, program)))) return false;
  // A program that starts one of several versions may have none.
  const env = toolEnvironment();
  return program !== "cargo" || spawnSync(program, ["--version"], { env }).status === 0;
}

/** The first tree of a folder of verify trees. */
function made({ files }: Project): { readonly trees: string; readonly tree: string } {
  const trees = join(mkdtempSync(join(tmpdir(), "wisp-")), "verify");
  const tree = join(trees, "1/tree");
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), text);
  }
  symlinkSync(OWN, join(tree, "node_modules"));
  return { trees, tree };
}

/** What a command prints, to both of its outputs in one file, as in a look. */
function ran(argv: readonly string[], cwd: string): string {
  const [program = "", ...args] = argv;
  const path = join(cwd, "../output");
  const file = openSync(path, "w");
  spawnSync(program, args, { cwd, stdio: ["ignore", file, file], env: toolEnvironment() });
  closeSync(file);
  return readFileSync(path, "utf8");
}

const INSTALLED = Object.entries(PROJECTS).filter(([, { needs }]) => isInstalled(needs));

test.each(INSTALLED)(
  "%s: a run of chosen tests says of each whether it passed, and of one that does not run nothing",
  (_, project) => {
    const { verify, failing, passing, silent } = project;
    const { trees, tree: cwd } = made(project);
    const output = cleanText(ran(verify, cwd), { charsMax: 1_000_000, lines: "many" });
    const whole = failingTests({ output, isCut: false, trees });
    expect(whole.failing).toEqual([...failing].sort());
    const manifest = project.files["package.json"];
    const alone = (tests: readonly string[]) => {
      const commands = narrowCommand({ argv: verify, manifest }, tests) ?? [];
      const all = commands.map((each) => testsPrinted(each, ran(each.argv, cwd), trees));
      return {
        passed: all.flatMap((each) => each.passed).sort(),
        failed: all.flatMap((each) => each.failed).sort(),
        unsaid: all.flatMap((each) => each.unsaid).sort(),
      };
    };
    expect(alone(failing)).toEqual({ passed: [], failed: [...failing].sort(), unsaid: [] });
    expect(alone(passing)).toEqual({ passed: [...passing].sort(), failed: [], unsaid: [] });
    for (const each of silent) {
      const { passed, failed } = alone([each]);
      expect([each, passed, failed]).toEqual([each, [], []]);
    }
  },
  60_000,
);

test("the runners that are not installed here are named", () => {
  const missing = Object.keys(PROJECTS).filter(
    (name) => !INSTALLED.some(([each]) => each === name),
  );
  if (missing.length > 0) console.info(`not tried: ${missing.join(", ")}`);
  expect(INSTALLED.length + missing.length).toBe(Object.keys(PROJECTS).length);
});
