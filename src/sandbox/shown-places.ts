import { dirname, join } from "node:path";
import { trustedPath } from "./trusted-path.ts";
import type { SandboxWorld } from "./world.ts";

/** Variables that name the places of tools; each may be a list of paths. */
const TOOL_VARIABLES = [
  ...["PATH", "JAVA_HOME", "GOPATH", "GOROOT", "GOMODCACHE", "CARGO_HOME", "RUSTUP_HOME"],
  ...["NVM_DIR", "VOLTA_HOME", "PNPM_HOME", "BUN_INSTALL", "PYENV_ROOT", "VIRTUAL_ENV"],
  ...["DOTNET_ROOT", "ANDROID_HOME", "NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR"],
];

/** What the user names: words of the settings, and variables of the environment. */
export interface NamedPlaces {
  readonly words: readonly string[];
  /** Variables that name files, besides those of tools. */
  readonly variables: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** What may be shown. */
export interface ShowLimits {
  /** Folders that an engine may write: links in them are not followed. */
  readonly unsafe: readonly string[];
  /** Whether a folder may be shown as a whole. */
  readonly isWhole: (folder: string) => boolean;
  /** Whether a place is protected, and must not be shown under any name. */
  readonly isClosed: (place: string) => boolean;
}

/**
 * Paths outside the usual places that a command needs: those named by words of the user's settings and by tools'
 * variables. For a program, the whole unit that it belongs to is shown: its package, or the prefix of its `bin`.
 */
export function shownPlaces(
  { tree }: Pick<SandboxWorld, "tree">,
  { words, variables, env }: NamedPlaces,
  { unsafe, isWhole, isClosed }: ShowLimits,
): readonly string[] {
  const listed = [...TOOL_VARIABLES, ...variables].flatMap((name) => (env[name] ?? "").split(":"));
  const named = [...words, ...listed].filter((path) => path.startsWith("/"));
  const places = named.flatMap((path) => {
    const real = trustedPath({ tree }, path, unsafe);
    return real === undefined || isClosed(real) ? [] : [dirname(path) === "/" ? real : path, real];
  });
  return [...new Set(places)].map((path) => wholeOf({ tree }, path, isWhole));
}

function wholeOf(
  { tree }: Pick<SandboxWorld, "tree">,
  path: string,
  isWhole: (folder: string) => boolean,
): string {
  const packages = path.indexOf("/node_modules/");
  const isFile = tree.kindOf(path) !== "directory";
  const folder = isFile ? dirname(path) : path;
  const candidates = [
    packages === -1 ? undefined : path.slice(0, packages + "/node_modules".length),
    /\/s?bin$/u.test(folder) ? dirname(folder) : undefined,
    isFile ? projectOf({ tree }, folder, isWhole) : undefined,
    folder,
  ];
  return candidates.find((one) => one !== undefined && isWhole(one)) ?? path;
}

/** The nearest folder above a program that has a `package.json`. */
function projectOf(
  { tree }: Pick<SandboxWorld, "tree">,
  folder: string,
  isWhole: (folder: string) => boolean,
): string | undefined {
  for (let at = folder; isWhole(at); at = dirname(at)) {
    if (tree.kindOf(join(at, "package.json")) !== undefined) return at;
  }
  return undefined;
}
