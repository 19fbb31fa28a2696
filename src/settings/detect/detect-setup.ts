import type { Argv } from "../schema/argv.ts";
import { NODE_LOCK_FILES, packageManagerOf, readPackageJson } from "./package-json.ts";
import type { RootFiles } from "./root-files.ts";

/** How to prepare a fresh clone, as detected in the project. */
export interface DetectedSetup {
  /** In order; never empty. */
  readonly commands: readonly Argv[];
  /** The files that it was detected from: when one of them changes, setup runs again. */
  readonly from: readonly string[];
  /** Folders that it creates in the root: not part of the work, whatever `.gitignore` contains. */
  readonly creates: readonly string[];
}

/**
 * Detects setup commands from lock files: exactly what is locked is installed, and no lock file is
 * written. Go and Rust fetch what they need when they build. Undefined if there is nothing to
 * install.
 */
export function detectSetup(root: RootFiles): DetectedSetup | undefined {
  const found = [nodeSetup(root), pythonSetup(root)].filter((setup) => setup !== undefined);
  if (found.length === 0) return undefined;
  return {
    commands: found.flatMap(({ commands }) => commands),
    from: found.flatMap(({ from }) => from),
    creates: found.flatMap(({ creates }) => creates),
  };
}

function nodeSetup(root: RootFiles): DetectedSetup | undefined {
  const manager = packageManagerOf(root);
  const lock = NODE_LOCK_FILES.find(([file, owner]) => owner === manager && root.names.has(file));
  if (lock === undefined || readPackageJson(root) === undefined) return undefined;
  const [file] = lock;
  return {
    commands: [nodeInstall(file, root)],
    from: ["package.json", file],
    creates: ["node_modules"],
  };
}

function nodeInstall(lockFile: string, root: RootFiles): Argv {
  switch (lockFile) {
    case "pnpm-lock.yaml":
      return ["pnpm", "install", "--frozen-lockfile"];
    case "yarn.lock":
      return ["yarn", "install", isClassicYarn(root) ? "--frozen-lockfile" : "--immutable"];
    case "bun.lock":
    case "bun.lockb":
      return ["bun", "install", "--frozen-lockfile"];
    default:
      return ["npm", "ci"];
  }
}

/** Yarn 1 does not support `--immutable`, and ignores it silently. */
function isClassicYarn(root: RootFiles): boolean {
  const named = readPackageJson(root)?.packageManager;
  if (named?.startsWith("yarn@") === true) return named.startsWith("yarn@1.");
  return root.read("yarn.lock")?.includes("# yarn lockfile v1") === true;
}

/** The interpreter of the environment that is created for `requirements.txt`. */
export const VENV_PYTHON = ".venv/bin/python";

const PYTHON_LOCK_FILES: readonly (readonly [string, Argv])[] = [
  ["uv.lock", ["uv", "sync", "--frozen"]],
  ["poetry.lock", ["poetry", "install", "--no-interaction"]],
  ["pdm.lock", ["pdm", "sync"]],
  ["Pipfile.lock", ["pipenv", "sync", "--dev"]],
];

function pythonSetup(root: RootFiles): DetectedSetup | undefined {
  const creates = [".venv"];
  const lock = PYTHON_LOCK_FILES.find(([file]) => root.names.has(file));
  if (lock !== undefined) return { commands: [lock[1]], from: [lock[0]], creates };
  if (!root.names.has("requirements.txt")) return undefined;
  const files = ["requirements.txt", "requirements-dev.txt"].filter((name) => root.names.has(name));
  const options = files.flatMap((name) => ["-r", name]);
  return {
    // Never install into the system's Python, which belongs to the machine and often refuses.
    commands: [
      ["python3", "-m", "venv", ".venv"],
      [VENV_PYTHON, "-m", "pip", "install", ...options],
    ],
    from: files,
    creates,
  };
}
