import { posix } from "node:path";
import { importReaderOf, resolved, type ImportEdge } from "./import-edges.ts";

/** What old tests had, and where it is looked for now. */
export interface OldImports {
  /** Imports of old tests, by the files that they got it from. */
  readonly edges: readonly ImportEdge[];
  readonly before: ReadonlySet<string>;
  readonly after: ReadonlySet<string>;
}

/**
 * Of new files those that stand in the way of something that tests have had from elsewhere: an installed
 * package, a module of the language or of its runner, or another file that an old test imports.
 */
export function shadowing(
  added: readonly string[],
  { edges, before, after }: OldImports,
): readonly string[] {
  const folders = new Set(["", "src", ...edges.map(({ from }) => folderOf(from))]);
  const known = new Set([...before].map(folderOf));
  const isInTheWay = new Set(
    edges.flatMap(({ from, to, name }) => {
      const now = resolved(from, name, after);
      return now.includes(to) ? [] : now;
    }),
  );
  return added.filter(
    (path) =>
      /(?:^|\/)node_modules\//.test(path) || isInTheWay.has(path) || isLoaded(path, folders, known),
  );
}

/** `pytest.py`, or any file of a folder `pytest` that was not there. */
function isLoaded(path: string, folders: ReadonlySet<string>, known: ReadonlySet<string>): boolean {
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
