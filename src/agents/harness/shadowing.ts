import { posix } from "node:path";
import { resolved, type ImportEdge } from "./imports.ts";

/** Modules that Python's runners load by name, from the folder in which they start before any other. */
const LOADED_BY_RUNNERS = new Set(
  `pytest _pytest pluggy unittest nose nose2 tox nox coverage doctest mock hypothesis
  argparse ast asyncio collections contextlib copy dataclasses difflib enum fnmatch functools gc getopt glob
  importlib inspect itertools json linecache logging operator pathlib pdb platform pprint random re shlex shutil
  signal string subprocess tempfile textwrap threading token tokenize traceback types typing unicodedata uuid
  warnings weakref xml`.split(/\s+/),
);

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
  if (!path.endsWith(".py")) return false;
  const parts = path.replace(/\.py$/, "").split("/");
  return parts.some((part, index) => {
    const above = parts.slice(0, index).join("/");
    const own = parts.slice(0, index + 1).join("/");
    return LOADED_BY_RUNNERS.has(part) && folders.has(above) && !known.has(own);
  });
}

function folderOf(path: string): string {
  const folder = posix.dirname(path);
  return folder === "." ? "" : folder;
}
