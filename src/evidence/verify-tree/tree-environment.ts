import { join } from "node:path";
import { cacheVariables } from "./tree-caches.ts";
import type { TreePlace } from "./tree-place.ts";

type Environment = Readonly<Record<string, string>>;

/**
 * Tool chains that look for their own files below the home folder, with their default places. Since a tree has
 * a home of its own, variables name their places in the person's home.
 */
const TOOL_CHAINS: readonly (readonly [variable: string, path: string])[] = [
  ["RUSTUP_HOME", ".rustup"],
  ["NVM_DIR", ".nvm"],
  ["VOLTA_HOME", ".volta"],
  ["PYENV_ROOT", ".pyenv"],
  ["RBENV_ROOT", ".rbenv"],
  ["NODENV_ROOT", ".nodenv"],
  ["GOENV_ROOT", ".goenv"],
  ["JENV_ROOT", ".jenv"],
  ["ASDF_DATA_DIR", ".asdf"],
  ["MISE_DATA_DIR", ".local/share/mise"],
  ["FNM_DIR", ".local/share/fnm"],
  ["SDKMAN_DIR", ".sdkman"],
  ["MIX_HOME", ".mix"],
  ["HEX_HOME", ".hex"],
  ["OPAMROOT", ".opam"],
  ["STACK_ROOT", ".stack"],
  ["UV_PYTHON_INSTALL_DIR", ".local/share/uv/python"],
  ["PLAYWRIGHT_BROWSERS_PATH", ".cache/ms-playwright"],
  ["PUPPETEER_CACHE_DIR", ".cache/puppeteer"],
  ["CYPRESS_CACHE_FOLDER", ".cache/Cypress"],
  ["GIT_CONFIG_GLOBAL", ".gitconfig"],
];

/** The person's settings of package managers, such as registries. Only setup needs them. */
const REGISTRIES: readonly (readonly [variable: string, path: string])[] = [
  ["npm_config_userconfig", ".npmrc"],
  ["PIP_CONFIG_FILE", ".config/pip/pip.conf"],
];

/** Variables that lead to files that others have written, or that would store a result for the next run. */
const WITHHELD: readonly string[] = [
  ...["XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"],
  ...["CARGO_TARGET_DIR", "NODE_COMPILE_CACHE", "PYTHONPYCACHEPREFIX", "PYTHONUSERBASE"],
  ...["MYPY_CACHE_DIR", "RUFF_CACHE_DIR", "NX_CACHE_DIRECTORY", "JEST_CACHE_DIRECTORY"],
  ...["CCACHE_DIR", "SCCACHE_DIR", "TMP", "TEMP"],
];

/** Keeps tools from storing results, and package managers inside the tree. */
const NO_RESULTS: Environment = {
  TURBO_FORCE: "true",
  NX_SKIP_NX_CACHE: "true",
  NX_DAEMON: "false",
  CCACHE_DISABLE: "1",
  SCCACHE_RECACHE: "1",
  // Keeps Python from writing into what setup made, and from loading another commit's compiled files.
  PYTHONDONTWRITEBYTECODE: "1",
  POETRY_VIRTUALENVS_IN_PROJECT: "true",
  PIPENV_VENV_IN_PROJECT: "1",
  // Keeps `git status` and the like from writing.
  GIT_OPTIONAL_LOCKS: "0",
};

/** Whether a variable that the settings name for commands is passed on in a tree. */
export function reachesTree(name: string): boolean {
  return !WITHHELD.includes(name);
}

/** The run that the environment is for. */
export interface TreeRun {
  readonly place: TreePlace;
  readonly stage: "setup" | "run";
  /** The caches with code that setup filled. */
  readonly filled: ReadonlySet<string>;
  /** Whether a sandbox mounts homes and caches in their usual places. */
  readonly hasMounts: boolean;
  /** Whether a path exists. */
  readonly isThere: (path: string) => boolean;
}

/** The environment of a command in a tree, derived from the one that wisp gives commands elsewhere. */
export function treeEnvironment(env: Environment, run: TreeRun): Environment {
  const inherited = Object.entries(env).filter(([name]) => !WITHHELD.includes(name));
  // In a neutral tree, which is made anew, there is nothing to keep runs from.
  const isPlain = run.place.isNeutral === true && run.stage === "run";
  const added = isPlain ? {} : { ...NO_RESULTS, ...moreFlags(env, run) };
  const common = { ...Object.fromEntries(inherited), ...added };
  return run.hasMounts ? common : { ...common, ...ownPlaces(env, run) };
}

function moreFlags(env: Environment, { stage }: TreeRun): Environment {
  const added = (name: string, ...flags: string[]) => ({
    [name]: [env[name] ?? "", ...flags].filter((flag) => flag !== "").join(" "),
  });
  return {
    ...added("GOFLAGS", "-modcacherw", ...(stage === "run" ? ["-count=1"] : [])),
    ...added("GRADLE_OPTS", "-Dorg.gradle.caching=false", "-Dorg.gradle.daemon=false"),
  };
}

function ownPlaces(
  env: Environment,
  { place, stage, filled, isThere }: Omit<TreeRun, "hasMounts">,
): Environment {
  const { home, temporary, setupCaches, runCaches } = place;
  const person = env["HOME"] ?? "/nonexistent";
  const found = (places: typeof TOOL_CHAINS) =>
    places
      .map(([name, path]) => [name, env[name] ?? join(person, path)] as const)
      .filter(([, path]) => isThere(path));
  const folderOf = (name: string) =>
    stage === "setup" || filled.has(name) ? setupCaches : runCaches;
  return {
    ...Object.fromEntries(found(TOOL_CHAINS)),
    ...(stage === "setup" ? Object.fromEntries(found(REGISTRIES)) : {}),
    ...cacheVariables(folderOf),
    HOME: home,
    TMPDIR: temporary,
  };
}
