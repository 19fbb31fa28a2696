import { expect, test } from "vitest";
import { detectSetup } from "../../src/settings/detect/detect-setup.ts";
import { detectVerify } from "../../src/settings/detect/detect-verify.ts";
import { rootOf } from "./root-of.ts";

/** The commands and the file, for a root with only these files. */
function verify(files: Readonly<Record<string, string>>): readonly unknown[] | undefined {
  const root = rootOf(files);
  const found = detectVerify(root, detectSetup(root));
  return found === undefined ? undefined : [found.from, ...found.commands];
}

const NODE_TEST = JSON.stringify({ scripts: { test: "node --test" } });

test("runs a test script with npm", () => {
  expect(verify({ "package.json": NODE_TEST })).toEqual(["package.json", ["npm", "test"]]);
  expect(verify({ "package.json": `\ufeff${NODE_TEST}` })).toEqual([
    "package.json",
    ["npm", "test"],
  ]);
});

test.each([
  ["pnpm-lock.yaml", ["pnpm", "test"]],
  ["yarn.lock", ["yarn", "test"]],
  ["bun.lock", ["bun", "run", "test"]],
  ["bun.lockb", ["bun", "run", "test"]],
  ["package-lock.json", ["npm", "test"]],
])("chooses the package manager by the lock file %s", (lockFile, argv) => {
  expect(verify({ "package.json": NODE_TEST, [lockFile]: "" })).toEqual(["package.json", argv]);
});

test("prefers packageManager in package.json to a lock file", () => {
  const packageJson = JSON.stringify({
    packageManager: "pnpm@9.1.0+sha512.abc",
    scripts: { test: "vitest" },
  });
  expect(verify({ "package.json": packageJson, "yarn.lock": "" })).toEqual([
    "package.json",
    ["pnpm", "test"],
  ]);
  const unknown = JSON.stringify({ packageManager: "rm -rf@1", scripts: { test: "x" } });
  expect(verify({ "package.json": unknown, "yarn.lock": "" })).toEqual([
    "package.json",
    ["yarn", "test"],
  ]);
});

test.each([
  [JSON.stringify({ scripts: { test: 'echo "Error: no test specified" && exit 1' } })],
  [JSON.stringify({ scripts: { test: " " } })],
  [JSON.stringify({ scripts: { test: 5 } })],
  [JSON.stringify({ scripts: [] })],
  [JSON.stringify({ name: "x" })],
  ["[]"],
  ["null"],
  ["{ broken"],
  [""],
])("tries the next kind of project if there is no real test script: %s", (packageJson) => {
  expect(verify({ "package.json": packageJson })).toBeUndefined();
  expect(verify({ "package.json": packageJson, "go.mod": "module x\n" })).toEqual([
    "go.mod",
    ["go", "test", "./..."],
  ]);
});

test.each([
  ["test:\n\tpytest\n"],
  ["all: build\n\nbuild test : deps\n\tx\n"],
  ["test:: a\r\n\tx\r\n"],
  [".PHONY: test\ntest: ; ./run\n"],
])("runs the test target of a Makefile with make: %j", (makefile) => {
  expect(verify({ Makefile: makefile })).toEqual(["Makefile", ["make", "test"]]);
});

test.each([
  [".PHONY: test\n"],
  ["test := 1\n"],
  ["test ::= 1\n"],
  ["test = a:b\n"],
  ["tests: a\n"],
  ["all: test\n"],
  ["# test: a\n"],
  ["all:\n\ttest: x\n"],
  [""],
])("ignores a Makefile without a test target: %j", (makefile) => {
  expect(verify({ Makefile: makefile })).toBeUndefined();
});

test("of several makefiles, uses the one that make reads", () => {
  expect(verify({ Makefile: "test:\n", GNUmakefile: "all:\n" })).toBeUndefined();
  expect(verify({ Makefile: "all:\n", makefile: "test:\n" })).toEqual([
    "makefile",
    ["make", "test"],
  ]);
});

test("tests a Python project with pytest if the project mentions it", () => {
  expect(verify({ "pyproject.toml": "[tool.pytest.ini_options]\n" })).toEqual([
    "pyproject.toml",
    ["python3", "-m", "pytest"],
  ]);
  expect(verify({ "conftest.py": "", "uv.lock": "", "pyproject.toml": "" })).toEqual([
    "conftest.py",
    ["uv", "run", "pytest"],
  ]);
  expect(verify({ "setup.cfg": "[tool:pytest]\n", "poetry.lock": "" })).toEqual([
    "setup.cfg",
    ["poetry", "run", "pytest"],
  ]);
  expect(verify({ "pyproject.toml": "[project]\n" })).toBeUndefined();
});

test("runs pytest in an environment only if setup creates it", () => {
  const files = { "requirements.txt": "pytest==8\n" };
  expect(verify(files)).toEqual(["requirements.txt", [".venv/bin/python", "-m", "pytest"]]);
  expect(detectVerify(rootOf(files), undefined)?.commands).toEqual([["python3", "-m", "pytest"]]);
});

test("tests Go and Rust with their own tools", () => {
  expect(verify({ "go.mod": "" })).toEqual(["go.mod", ["go", "test", "./..."]]);
  expect(verify({ "Cargo.toml": "" })).toEqual(["Cargo.toml", ["cargo", "test"]]);
});

test("uses the first kind that applies: package.json, Makefile, Python, Go, Rust", () => {
  const kinds: readonly (readonly [string, string])[] = [
    ["package.json", NODE_TEST],
    ["Makefile", "test:\n"],
    ["pyproject.toml", "pytest"],
    ["go.mod", ""],
    ["Cargo.toml", ""],
  ];
  for (const [at, [name]] of kinds.entries()) {
    expect(verify(Object.fromEntries(kinds.slice(at)))?.[0]).toBe(name);
  }
});

test("detects no verify command without any of these files", () => {
  expect(verify({})).toBeUndefined();
  expect(verify({ "README.md": "npm test, pytest\n" })).toBeUndefined();
});
