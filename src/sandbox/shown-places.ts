import { dirname, join } from "node:path";
import { trustedPath } from "./trusted-path.ts";
import type { SandboxWorld } from "./world.ts";

/** Variables that say where tools are; each may be a list of paths. */
const TOOL_VARIABLES = [
  ...["PATH", "JAVA_HOME", "GOPATH", "GOROOT", "GOMODCACHE", "CARGO_HOME", "RUSTUP_HOME"],
  ...["NVM_DIR", "VOLTA_HOME", "PNPM_HOME", "BUN_INSTALL", "PYENV_ROOT", "VIRTUAL_ENV"],
  ...["DOTNET_ROOT", "ANDROID_HOME", "NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR"],
];

/** What a person says of where things are: words of their settings, and the variables of their environment. */
export interface Said {
  readonly words: readonly string[];
  /** Variables that name files, beside those of tools. */
  readonly variables: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** How much of what is said may be shown. */
export interface Showing {
  /** Folders that an engine may write: no link in them is followed. */
  readonly unsafe: readonly string[];
  /** Whether a folder may be shown as a whole. */
  readonly isWhole: (folder: string) => boolean;
  /** Whether a place is protected, so that nothing shows it, by whatever name. */
  readonly isClosed: (place: string) => boolean;
}

/**
 * Paths that a command needs to be there, wherever they are: what words of the person's settings name, and what
 * the variables of tools name. For a program that is the whole it belongs to: its package, or the prefix of its
 * `bin`.
 */
export function shownPlaces(
  { tree }: Pick<SandboxWorld, "tree">,
  { words, variables, env }: Said,
  { unsafe, isWhole, isClosed }: Showing,
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

/** The folder above a program that has its dependencies. */
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
