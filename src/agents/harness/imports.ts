import { posix } from "node:path";
import type { TreeLine } from "../../base/ports/repo.ts";

/**
 * Which lines of a tree may import something, and in which files: those of a language whose imports
 * are read. Lines alone: an import over several lines has the name of its module on one of them.
 */
export const IMPORT_LINES = {
  pattern: `(from|import|require)[ \t(]*["'\`]|^[ \t]*(from|import)[ \t]+[.A-Za-z_]`,
  names: ["js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "vue", "svelte", "py"].map(
    (ending) => `*.${ending}`,
  ),
} as const;

/** Where a file imports another one, by static words. */
export interface ImportEdge {
  readonly from: string;
  readonly to: string;
  /** The module as the file names it. */
  readonly name: string;
}

/** So much of a line is read: what is longer was not written by hand. */
const LINE_CHARS_MAX = 2_000;

/** The imports of files of a tree that lead to other files of it, also where it is another tree now. */
export function importEdges(
  lines: readonly TreeLine[],
  paths: ReadonlySet<string>,
): readonly ImportEdge[] {
  return lines.flatMap(({ path, text }) =>
    modulesIn(path, text.slice(0, LINE_CHARS_MAX)).flatMap((name) =>
      resolved(path, name, paths).map((to) => ({ from: path, to, name })),
    ),
  );
}

/** Names of the modules that a line imports. */
function modulesIn(path: string, line: string): readonly string[] {
  if (!path.endsWith(".py")) {
    const found = line.matchAll(/\b(?:from|import|require)\b[\s(]*["'`]([^"'`]+)["'`]/g);
    return [...found].map(([, name = ""]) => name);
  }
  const from = /^\s*from\s+([.\w]+)\s+import\s+\(?(.*)$/.exec(line);
  if (from !== null) {
    const [, module = "", names = ""] = from;
    // A name may be a module of the package.
    const below = listed(names).map((name) => `${module}${module.endsWith(".") ? "" : "."}${name}`);
    return [module, ...below];
  }
  return listed(/^\s*import\s+(.*)$/.exec(line)?.[1] ?? "");
}

function listed(names: string): readonly string[] {
  return names
    .replace(/#.*$/, "")
    .split(",")
    .flatMap((each) => /^\s*([\w.]+)/.exec(each)?.[1] ?? []);
}

/** The files that a name of a module may mean in a file of a tree; of several places the first. */
export function resolved(
  from: string,
  name: string,
  paths: ReadonlySet<string>,
): readonly string[] {
  const places = from.endsWith(".py") ? pythonPlaces(from, name) : scriptPlaces(from, name);
  for (const place of places) {
    const found = filesAt(place, from.endsWith(".py")).find((path) => paths.has(path));
    if (found !== undefined && found !== from) return [found];
  }
  return [];
}

/** Where a module of Python may lie: from the folder of the file up, and in `src`. */
function pythonPlaces(from: string, name: string): readonly string[] {
  const dots = /^\.+/.exec(name)?.[0].length ?? 0;
  const below = name.slice(dots).replaceAll(".", "/");
  const folder = posix.dirname(from);
  if (dots > 0) return [posix.join(folder, "../".repeat(dots - 1), below)];
  const parts = folder.split("/").filter((part) => part !== ".");
  const up = parts.map((_, index) => parts.slice(0, parts.length - index).join("/"));
  return [...up, "", "src"].map((above) => posix.join(above, below));
}

function scriptPlaces(from: string, name: string): readonly string[] {
  if (name.startsWith(".")) return [posix.join(posix.dirname(from), name)];
  // `@/x`, `~/x`, `src/x`: whatever the settings map them to.
  const rest = /^(?:[@~#]\/?|\/)?(.+)$/.exec(name)?.[1] ?? "";
  return rest.includes("/") ? [rest, posix.join("src", rest)] : [];
}

const SCRIPT_ENDINGS = ["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs", "json", "vue"];

/** In the order in which they are looked for. */
function filesAt(place: string, isPython: boolean): readonly string[] {
  if (isPython) return [`${place}/__init__.py`, `${place}.py`];
  const bare = place.replace(/\.[cm]?jsx?$/, "");
  const endings = SCRIPT_ENDINGS.map((ending) => `.${ending}`);
  return [
    place,
    ...[".js", ".json", ...endings].map((ending) => place + ending),
    // TypeScript names what it will be compiled to.
    ...(bare === place ? [] : endings.map((ending) => bare + ending)),
    ...endings.map((ending) => `${place}/index${ending}`),
  ];
}
