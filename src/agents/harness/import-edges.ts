import type { TreeLine } from "../../base/ports/repo.ts";
import { TEST_LANGUAGES } from "../languages/all-languages.ts";
import type { ImportReader } from "../languages/test-language.ts";

/** Of all languages whose imports are read. */
export const IMPORT_READERS: readonly ImportReader[] = TEST_LANGUAGES.flatMap(
  ({ imports }) => imports ?? [],
);

/**
 * Which lines of a tree may import something, and in which files: those of a language whose imports
 * are read. Lines alone: an import over several lines has the name of its module on one of them.
 */
export const IMPORT_LINES = {
  pattern: IMPORT_READERS.map(({ lines }) => lines).join("|"),
  names: IMPORT_READERS.flatMap(({ extensions }) => extensions.map((each) => `*.${each}`)),
} as const;

/** What reads the imports of a file, by its name. */
export function importReaderOf(path: string): ImportReader | undefined {
  return IMPORT_READERS.find(({ extensions }) =>
    extensions.some((each) => path.endsWith(`.${each}`)),
  );
}

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
    (importReaderOf(path)?.modulesIn(text.slice(0, LINE_CHARS_MAX)) ?? []).flatMap((name) =>
      resolved(path, name, paths).map((to) => ({ from: path, to, name })),
    ),
  );
}

/** The files that a name of a module may mean in a file of a tree; of several places the first. */
export function resolved(
  from: string,
  name: string,
  paths: ReadonlySet<string>,
): readonly string[] {
  for (const place of importReaderOf(from)?.placesOf(from, name) ?? []) {
    const found = place.find((path) => paths.has(path));
    if (found !== undefined && found !== from) return [found];
  }
  return [];
}
