import { join } from "node:path";

type Environment = Readonly<Record<string, string>>;

/** Where an engine keeps its login, its settings and its sessions. */
interface EngineFolders {
  /** Relative to the home: folders that it writes, and files, of which it gets a copy. */
  readonly folders: readonly string[];
  readonly files?: readonly string[];
  /** Variables that name a folder of its own. */
  readonly variables?: readonly string[];
}

const ENGINES: Readonly<Record<string, EngineFolders>> = {
  claude: {
    folders: [".claude", ".local/state/claude"],
    files: [".claude.json"],
    variables: ["CLAUDE_CONFIG_DIR"],
  },
  codex: { folders: [".codex"], variables: ["CODEX_HOME"] },
  gemini: { folders: [".gemini"] },
  copilot: { folders: [".copilot"] },
  opencode: {
    folders: [".local/share/opencode", ".local/state/opencode", ".config/opencode"],
    variables: ["OPENCODE_CONFIG_DIR"],
  },
};

/** Absolute paths of an engine's own folders and files; those of a program that is not known: none. */
export function foldersOf(
  engine: string | undefined,
  home: string,
  env: Environment,
): { readonly folders: readonly string[]; readonly files: readonly string[] } {
  const known = engine === undefined ? undefined : ENGINES[engine];
  if (known === undefined) return { folders: [], files: [] };
  const { folders, files = [], variables = [] } = known;
  const named = variables.flatMap((name) => {
    const value = env[name];
    return value?.startsWith("/") === true ? [value] : [];
  });
  return {
    folders: [...folders.map((path) => join(home, path)), ...named],
    files: files.map((path) => join(home, path)),
  };
}

/** Relative to a home: folders and files of all engines. They hold logins. */
export const ALL_ENGINE_PLACES: readonly string[] = Object.values(ENGINES).flatMap(
  ({ folders, files = [] }) => [...folders, ...files],
);

/** Absolute paths of the folders of all engines: each may write its own. */
export function foldersOfAll(home: string, env: Environment): readonly string[] {
  return Object.keys(ENGINES).flatMap((engine) => foldersOf(engine, home, env).folders);
}
