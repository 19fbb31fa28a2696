import { posix } from "node:path";
import { importReaderOf, resolved, type ImportEdge } from "./import-edges.ts";

/** The imports of old tests, and the trees before and after a range. */
export interface OldImports {
  /** The imports of old tests, as they resolved before the range. */
  readonly edges: readonly ImportEdge[];
  readonly before: ReadonlySet<string>;
  readonly after: ReadonlySet<string>;
}

/**
 * The new files that shadow something that tests imported before: an installed package, a module of the
 * language or its runner, or another file that an old test imports.
 */
export function shadowing(
  added: readonly string[],
  { edges, before, after }: OldImports,
): readonly string[] {
  const folders = new Set(["", "src", ...edges.map(({ from }) => folderOf(from))]);
  const known = new Set([...before].map(folderOf));
  const shadows = new Set(
    edges.flatMap(({ from, to, name }) => {
      const now = resolved(from, name, after);
      return now.includes(to) ? [] : now;
    }),
  );
  return added.filter(
    (path) =>
      /(?:^|\/)node_modules\//.test(path) ||
      shadows.has(path) ||
      isLoadedByName(path, folders, known),
  );
}

/**
 * Whether a runner would load a new file in place of a module: `pytest.py`, or any file of a new folder
 * `pytest`.
 */
function isLoadedByName(
  path: string,
  folders: ReadonlySet<string>,
  known: ReadonlySet<string>,
): boolean {
  const loaded = importReaderOf(path)?.loadedByName;
  const parts = path.replace(/\.\w+$/, "").split("/");
  return parts.some((part, index) => {
    const above = parts.slice(0, index).join("/");
    const own = parts.slice(0, index + 1).join("/");
    return loaded?.has(part) === true && folders.has(above) && !known.has(own);
  });
}

function folderOf(path: string): string {
  const folder = posix.dirname(path);
  return folder === "." ? "" : folder;
}
