import type { Argv } from "../schema/argv.ts";
import { VENV_PYTHON, type DetectedSetup } from "./detect-setup.ts";
import { packageManagerOf, testScript, type PackageManager } from "./package-json.ts";
import type { RootFiles } from "./root-files.ts";

/** How the project tests itself, as detected in it. */
export interface DetectedVerify {
  /** In order; never empty. */
  readonly commands: readonly Argv[];
  /** The file that it was detected from, for people. */
  readonly from: string;
}

/**
 * Detects the command that runs the project's own tests; the first match in this file's order wins.
 * `setup` is the detected setup, which runs before. Undefined if nothing indicates how to test.
 */
export function detectVerify(root: RootFiles, setup?: DetectedSetup): DetectedVerify | undefined {
  return (
    fromPackageJson(root) ??
    fromMakefile(root) ??
    fromPytest(root, setup) ??
    fromFile(root, "go.mod", ["go", "test", "./..."]) ??
    fromFile(root, "Cargo.toml", ["cargo", "test"])
  );
}

function fromPackageJson(root: RootFiles): DetectedVerify | undefined {
  if (testScript(root) === undefined) return undefined;
  return { commands: [TEST_COMMANDS[packageManagerOf(root)]], from: "package.json" };
}

const TEST_COMMANDS: Readonly<Record<PackageManager, Argv>> = {
  npm: ["npm", "test"],
  pnpm: ["pnpm", "test"],
  yarn: ["yarn", "test"],
  // `bun test` would be bun's own runner, not the script.
  bun: ["bun", "run", "test"],
};

function fromMakefile(root: RootFiles): DetectedVerify | undefined {
  // Make reads the first of these that exists.
  const name = ["GNUmakefile", "makefile", "Makefile"].find((file) => root.names.has(file));
  if (name === undefined || !hasTestTarget(root.read(name) ?? "")) return undefined;
  return { commands: [["make", "test"]], from: name };
}

function hasTestTarget(makefile: string): boolean {
  return makefile.split(/\r?\n/).some((line) => {
    const colon = line.indexOf(":");
    // A recipe, a variable (`test := x`, `X = a:b`), or not a rule.
    if (colon < 0 || line.startsWith("\t") || /^:{0,3}=/.test(line.slice(colon + 1))) return false;
    const targets = line.slice(0, colon);
    return !/[=#]/.test(targets) && targets.split(/\s+/).includes("test");
  });
}

const PYTEST_FILES = ["pytest.ini", ".pytest.ini", "conftest.py"];
const PYTHON_FILES = ["pyproject.toml", "setup.cfg", "tox.ini", "setup.py", "Pipfile"];
const REQUIREMENTS = ["requirements.txt", "requirements-dev.txt"];

function fromPytest(root: RootFiles, setup: DetectedSetup | undefined): DetectedVerify | undefined {
  const own = PYTEST_FILES.find((name) => root.names.has(name));
  const mentioned = [...PYTHON_FILES, ...REQUIREMENTS].find((name) =>
    /\bpytest\b/.test(root.read(name) ?? ""),
  );
  const from = own ?? mentioned;
  return from === undefined ? undefined : { commands: [pytestCommand(root, setup)], from };
}

const RUNNERS: readonly (readonly [string, string])[] = [
  ["uv.lock", "uv"],
  ["poetry.lock", "poetry"],
  ["pdm.lock", "pdm"],
  ["Pipfile.lock", "pipenv"],
];

function pytestCommand(root: RootFiles, setup: DetectedSetup | undefined): Argv {
  const runner = RUNNERS.find(([file]) => root.names.has(file))?.[1];
  if (runner !== undefined) return [runner, "run", "pytest"];
  const isInVenv = setup?.commands.some(([executable]) => executable === VENV_PYTHON) === true;
  return [isInVenv ? VENV_PYTHON : "python3", "-m", "pytest"];
}

function fromFile(root: RootFiles, name: string, argv: Argv): DetectedVerify | undefined {
  return root.names.has(name) ? { commands: [argv], from: name } : undefined;
}
