import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { CanaryRun } from "../../../src/evidence/canary/try-canary.ts";
import { tryCanary } from "../../../src/evidence/canary/try-canary.ts";
import { plantCanary } from "../../../src/evidence/canary/plant-canary.ts";
import type { CanaryTest } from "../../../src/evidence/languages/test-language.ts";
import { runnersIn } from "../../../src/evidence/harness/runners.ts";
import { cleanText } from "../../../src/base/words/clean-text.ts";
import { wordsIn } from "../../../src/evidence/harness/shell-words.ts";
import { PYTEST_VERSION, runsHere } from "../../rig/runs-here.ts";
import { toolEnvironment } from "../../rig/own-environment.ts";

type Files = Readonly<Record<string, string>>;

const MODULES = join(import.meta.dirname, "../../../node_modules");

/** Runs verify in a temporary folder with these files and the canary. */
function runIn(
  files: Files,
  [executable = "", ...args]: readonly string[],
  canary: CanaryTest,
): CanaryRun {
  const root = mkdtempSync(join(tmpdir(), "wisp-canary-"));
  try {
    for (const [path, text] of Object.entries({ ...files, [canary.path]: canary.text })) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    symlinkSync(MODULES, join(root, "node_modules"));
    const { status, stdout, stderr } = spawnSync(executable, args, {
      cwd: root,
      encoding: "utf8",
      env: toolEnvironment({ CARGO_NET_OFFLINE: "true", CARGO_TERM_COLOR: "never" }),
    });
    const outcome = status === 0 ? "passed" : "failed";
    return {
      kind: "ran",
      outcome,
      output: cleanText(`${stdout}\n${stderr}`, { charsMax: 1e6, lines: "many" }),
    };
  } finally {
    rmSync(root, { recursive: true });
  }
}

async function tried(files: Files, verify: readonly string[], isGreen = true) {
  return tryCanary({
    tree: { paths: new Set(Object.keys(files)), read: async (path) => files[path] },
    verify: [verify],
    isTest: (path) => /test/.test(path),
    name: "x7f3a9c",
    isGreen,
    runVerifyWith: async (canary) => runIn(files, verify, canary),
  });
}

const SCRIPT = (script: string) => JSON.stringify({ name: "x", scripts: { test: script } });
const NODE = {
  "package.json": SCRIPT("node --test"),
  "test/sum.test.js": 'const test = require("node:test");\ntest("adds", () => {});\n',
};
const VITEST = {
  "package.json": SCRIPT("vitest run"),
  "src/sum.test.ts":
    'import { expect, test } from "vitest";\ntest("adds", () => { expect(1).toBe(1); });\n',
};
const PYTEST = { "tests/test_sum.py": "def test_adds():\n    assert 1 + 1 == 2\n" };
const CARGO = {
  "Cargo.toml": '[package]\nname = "sums"\nversion = "0.1.0"\nedition = "2021"\n',
  "src/lib.rs":
    "pub fn one() -> i32 { 1 }\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn is_one() {\n        assert_eq!(super::one(), 1);\n    }\n}\n",
};
/** Runners of other languages may not be installed. */
const HAS_CARGO = runsHere(["cargo", "--version"]);
const HAS_PYTEST = runsHere(PYTEST_VERSION);

function isThere([executable]: readonly string[]): boolean {
  if (executable === "cargo") return HAS_CARGO;
  return executable === "python3" ? HAS_PYTEST : true;
}

const PYTHON = ["python3", "-m", "pytest", "-q", "-p", "no:cacheprovider"];

test.for<readonly [string, Files, readonly string[], string]>([
  ["node --test behind npm", NODE, ["npm", "test"], "test/x7f3a9c.test.js"],
  [
    "node --test behind a recipe and a script",
    { ...NODE, Makefile: ".PHONY: test\ntest:\n\t./run.sh\n", "run.sh": "exec node --test\n" },
    ["sh", "-c", "chmod +x run.sh && make test"],
    "test/x7f3a9c.test.js",
  ],
  [
    "node --test of modules",
    { "a/sum.test.mjs": 'import test from "node:test";\ntest("adds", () => {});\n' },
    ["node", "--test"],
    "a/x7f3a9c.test.mjs",
  ],
  ["vitest", VITEST, ["npm", "test"], "src/x7f3a9c.test.ts"],
  ["pytest", PYTEST, PYTHON, "tests/test_x7f3a9c.py"],
  ["cargo", CARGO, ["cargo", "test", "--offline"], "src/lib.rs"],
  [
    "cargo, with tests of their own",
    { ...CARGO, "tests/one.rs": "#[test]\nfn one() {\n    assert_eq!(sums::one(), 1);\n}\n" },
    ["cargo", "test", "--offline"],
    "tests/x7f3a9c.rs",
  ],
])(
  "verify by %s notices a failing test planted next to its own",
  async ([, files, verify, path], { skip }) => {
    skip(!isThere(verify), `${verify.join(" ")} does not run here`);
    expect(await tried(files, verify)).toEqual({ kind: "judged", verdict: "red", path });
    // If verify is red anyway, the canary is among the failing tests.
    expect(await tried(files, verify, false)).toMatchObject({ verdict: "red" });
  },
);

test.for<readonly [string, Files, readonly string[]]>([
  ["another shell", { ...NODE, ".npmrc": "script-shell=/bin/true\n" }, ["npm", "test"]],
  [
    "a runner that names the files it runs",
    { ...NODE, "package.json": SCRIPT("node --test test/sum.test.js") },
    ["npm", "test"],
  ],
  ["a module in the place of the runner", { ...PYTEST, "pytest.py": "" }, PYTHON],
  [
    "settings that leave new tests out",
    {
      ...VITEST,
      "vitest.config.ts": 'export default { test: { include: ["src/sum.test.ts"] } };\n',
    },
    ["npm", "test"],
  ],
  [
    "another package under the name of the runner",
    {
      ...VITEST,
      "vitest/cli.mjs": "process.exit(0);\n",
      "package.json": SCRIPT("node vitest/cli.mjs; echo vitest run"),
    },
    ["npm", "test"],
  ],
])(
  "verify that was hollowed out by %s stays green with the canary",
  async ([, files, verify], { skip }) => {
    skip(!isThere(verify), `${verify.join(" ")} does not run here`);
    expect(await tried(files, verify)).toMatchObject({ verdict: "green" });
  },
);

test("a red verify that does not name the canary does not prove that it ran it", async () => {
  const files = { ...NODE, "package.json": SCRIPT("false && node --test") };
  expect(await tried(files, ["npm", "test"])).toMatchObject({ verdict: "unsure" });
});

test("files beside the tests, however many, leave the canary its place", async () => {
  const added = Array.from({ length: 500 }, (_, n) => [`test/a${String(n)}.txt`, "x\n"] as const);
  const files = {
    ...NODE,
    "test/deep/sum.test.js": NODE["test/sum.test.js"],
    ...Object.fromEntries(added),
  };
  const { "test/sum.test.js": _, ...moved } = files;
  expect(await tried(moved, ["npm", "test"])).toMatchObject({ verdict: "red" });
});

test("no canary is planted without a known runner, or without a test for it", async () => {
  expect(await tried(NODE, ["./check"])).toEqual({ kind: "none" });
  expect(await tried({ "package.json": SCRIPT("jest") }, ["npm", "test"])).toEqual({
    kind: "none",
  });
});

test.each([
  ["node --test --watch=false", "node"],
  ["npx tsx --test", "node"],
  ["cross-env CI=1 vitest run", "vitest"],
  ["yarn jest --ci", "jest"],
  ["nyc mocha", "mocha"],
  ["uv run pytest -q", "pytest"],
  [".venv/bin/python -m pytest", "pytest"],
  ["python3 -m unittest discover", "unittest"],
  ["go test ./...", "go"],
  ["cargo nextest run", "cargo"],
])("%s starts %s", (line, runner) => {
  expect(runnersIn([wordsIn(line)])).toEqual([runner]);
});

test.each([["node build.js"], ["go vet ./..."], ["make lint"]])(
  "%s starts no known runner",
  (line) => {
    expect(runnersIn([wordsIn(line)])).toEqual([]);
  },
);

test("a canary is named and written like its neighbour", () => {
  const goTest =
    'package cart_test\n\nimport "testing"\n\nfunc TestA(t *testing.T) { t.Error() }\n';
  expect(plantCanary("go", [{ path: "cart/cart_test.go", text: goTest }], { name: "x1" })).toEqual({
    path: "cart/x1_test.go",
    title: "TestX1",
    text: 'package cart_test\n\nimport "testing"\n\nfunc TestX1(t *testing.T) { t.Error("stays red") }\n',
  });
  const mocha =
    'const a = require("assert");\ndescribe("a", () => { it("b", () => { a(1); }); });\n';
  const planted = plantCanary("mocha", [{ path: "test/test-cart.js", text: mocha }], {
    name: "x1",
  });
  expect(planted).toMatchObject({ path: "test/test-x1.js", title: "x1" });
  expect(planted?.text).toContain('require("node:assert")');
  expect(planted?.text).toContain('it("x1"');
  const jest = 'import { test } from "@jest/globals";\ntest("a", () => { expect(1); });\n';
  const beside = plantCanary("jest", [{ path: "src/__tests__/cart.spec.tsx", text: jest }], {
    name: "x1",
  });
  expect(beside?.path).toBe("src/__tests__/x1.spec.tsx");
  expect(beside?.text).toContain('from "@jest/globals"');
});
