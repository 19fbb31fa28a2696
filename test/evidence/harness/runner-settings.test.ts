import fc from "fast-check";
import { expect, test } from "vitest";
import { couldNotLoad } from "../../../src/evidence/harness/could-not-load.ts";
import {
  isRunnerSettings,
  withRunnerSettings,
} from "../../../src/evidence/harness/runner-settings.ts";

test.each([
  ...[
    ".npmrc",
    "web/.yarnrc.yml",
    "pnpm-workspace.yaml",
    ".pnpmfile.cjs",
    "bunfig.toml",
    "turbo.json",
  ],
  ...[
    "vitest.config.ts",
    "vite.config.mts",
    "vitest.workspace.ts",
    "jest.config.js",
    "jest-setup.js",
  ],
  ...[".mocharc.yml", "babel.config.json", ".swcrc", "tsconfig.test.json", "playwright.config.ts"],
  ...["pytest.ini", ".pytest.ini", "tests/conftest.py", "tox.ini", "noxfile.py", ".coveragerc"],
  ...["sitecustomize.py", ".cargo/config.toml", ".config/nextest.toml", "go.work", "GNUmakefile"],
  ...["build/rules.mk", "justfile", "Taskfile.yml", ".rspec"],
])("%s counts as a setting of the runner", (path) => {
  expect(isRunnerSettings(path)).toBe(true);
});

test.each([
  ...[
    "package.json",
    "pyproject.toml",
    "src/avatar.ts",
    "src/jesting.js",
    "vitesse.js",
    "config.toml",
  ],
  ...["src/makefile.ts", "tox.py", "README.md", "src/available.js"],
])("%s does not count as a setting of the runner", (path) => {
  expect(isRunnerSettings(path)).toBe(false);
});

test("fields of a package.json that steer tests are restored; everything else stays", () => {
  const before = JSON.stringify({ name: "x", jest: { bail: 1 }, version: "1" });
  const after = JSON.stringify({ name: "x", mocha: { spec: [] }, version: "2" });
  expect(JSON.parse(withRunnerSettings("package.json", before, after) ?? "")).toEqual({
    name: "x",
    version: "2",
    jest: { bail: 1 },
  });
  expect(withRunnerSettings("package.json", before, before.replace('"1"', '"2"'))).toBeUndefined();
});

test("sections that steer tests are restored", () => {
  const before = '[project]\nname = "x"\n\n[tool.pytest.ini_options]\naddopts = "-q"\n';
  const after =
    '[project]\nname = "y"\n\n[tool.pytest.ini_options]\naddopts = "--co"\n\n[tool.ruff]\n';
  const restored = withRunnerSettings("pyproject.toml", before, after) ?? "";
  expect(restored).toContain('name = "y"');
  expect(restored).toContain('addopts = "-q"');
  expect(restored).not.toContain("--co");
  expect(
    withRunnerSettings("pyproject.toml", before, before.replace('"x"', '"y"')),
  ).toBeUndefined();
  const ini = withRunnerSettings(
    "setup.cfg",
    undefined,
    "[metadata]\nname = x\n[tool:pytest]\naddopts = --co\n",
  );
  expect(ini).toBe("[metadata]\nname = x\n");
});

test("a Rust package that excludes its tests includes them again", () => {
  const before = '[package]\nname = "x"\n\n[lib]\n';
  const after = '[package]\nname = "x"\nautotests = false\n\n[lib]\ntest = false\n';
  expect(withRunnerSettings("Cargo.toml", before, after)).toBe('[package]\nname = "x"\n\n[lib]\n');
});

test("restoring any manifest never throws, and an unchanged one needs nothing", () => {
  const path = fc.constantFrom("package.json", "pyproject.toml", "setup.cfg", "Cargo.toml");
  const part = fc.constantFrom(
    "{",
    '"jest":',
    "}",
    "[tool.pytest]",
    "[[test]]",
    "a = 1",
    "\n",
    "test = false",
  );
  const text = fc.array(fc.oneof(part, fc.string())).map((parts) => parts.join("\n"));
  fc.assert(
    fc.property(path, text, text, (name, before, after) => {
      withRunnerSettings(name, before, after);
      expect(withRunnerSettings(name, before, before)).toBeUndefined();
    }),
  );
});

test.each<readonly [string, readonly string[], string, boolean]>([
  ["a module that is missing", ["test/a.test.js"], "Error: Cannot find module './x'", true],
  [
    "nothing named, and a file that is missing",
    [],
    "cat: list.txt: No such file or directory",
    true,
  ],
  [
    "a package that does not build",
    ["example.com/cart"],
    "FAIL\texample.com/cart [build failed]",
    true,
  ],
  [
    "a test that failed, beside one that did not load",
    ["adds", "test/a.test.js"],
    "Cannot find module",
    false,
  ],
  ["a test that failed by what it checks", ["adds"], "expected 3, got -1", false],
  ["nothing named, and no reason", [], "it exited with 1", false],
])("old tests count as unloadable or as failed: %s", (_, failing, output, isInconclusive) => {
  expect(couldNotLoad(failing, output)).toBe(isInconclusive);
});
