import { join } from "node:path";
import { cacheVariables } from "./tree-caches.ts";
import type { TreePlace } from "./tree-place.ts";

type Environment = Readonly<Record<string, string>>;

/**
 * Tool chains that look for themselves below the home, and where they are by default. Each is told where it is in the
 * person's home, since the tree has another.
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

/** The person's settings of package managers: registries, which only an installation asks. */
const REGISTRIES: readonly (readonly [variable: string, path: string])[] = [
  ["npm_config_userconfig", ".npmrc"],
  ["PIP_CONFIG_FILE", ".config/pip/pip.conf"],
];

/** They lead to what others have written, or would keep a result for the next run. */
const LEFT_OUT: readonly string[] = [
  ...["XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"],
  ...["CARGO_TARGET_DIR", "NODE_COMPILE_CACHE", "PYTHONPYCACHEPREFIX", "PYTHONUSERBASE"],
  ...["MYPY_CACHE_DIR", "RUFF_CACHE_DIR", "NX_CACHE_DIRECTORY", "JEST_CACHE_DIRECTORY"],
  ...["CCACHE_DIR", "SCCACHE_DIR", "TMP", "TEMP"],
];

/** Tools that remember results are told not to, and package managers to stay inside the tree. */
const NO_RESULTS: Environment = {
  TURBO_FORCE: "true",
  NX_SKIP_NX_CACHE: "true",
  NX_DAEMON: "false",
  CCACHE_DISABLE: "1",
  SCCACHE_RECACHE: "1",
  // What setup made is not written to, and no compiled file of another commit is loaded.
  PYTHONDONTWRITEBYTECODE: "1",
  POETRY_VIRTUALENVS_IN_PROJECT: "true",
  PIPENV_VENV_IN_PROJECT: "1",
  // A look at the state of the repository writes nothing.
  GIT_OPTIONAL_LOCKS: "0",
};

/** Whether a variable that the settings name for commands gets into a tree. */
export function reachesTree(name: string): boolean {
  return !LEFT_OUT.includes(name);
}

/** Which run the environment is for. */
export interface TreeRun {
  readonly place: TreePlace;
  readonly stage: "setup" | "run";
  /** Caches that setup filled, and from which programs load code. */
  readonly filled: ReadonlySet<string>;
  /** Whether homes and caches are laid in their places by a sandbox. */
  readonly hasMounts: boolean;
  /** Whether there is something at a path. */
  readonly isThere: (path: string) => boolean;
}

/** The environment of a command in a tree, of the one that wisp would give it elsewhere. */
export function treeEnvironment(env: Environment, run: TreeRun): Environment {
  const kept = Object.entries(env).filter(([name]) => !LEFT_OUT.includes(name));
  const common = { ...Object.fromEntries(kept), ...NO_RESULTS, ...moreFlags(env, run) };
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
