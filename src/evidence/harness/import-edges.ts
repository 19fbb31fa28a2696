import type { TreeLine } from "../../base/ports/repo.ts";
import { TEST_LANGUAGES } from "../languages/all-languages.ts";
import type { ImportReader } from "../languages/test-language.ts";

/** The import readers of all languages that have one. */
export const IMPORT_READERS: readonly ImportReader[] = TEST_LANGUAGES.flatMap(
  ({ imports }) => imports ?? [],
);

/**
 * The lines that may import something, and the files to search for them. Single lines suffice: of an import
 * over several lines, one contains the module's name.
 */
export const IMPORT_LINES = {
  pattern: IMPORT_READERS.map(({ lines }) => lines).join("|"),
  names: IMPORT_READERS.flatMap(({ extensions }) => extensions.map((each) => `*.${each}`)),
} as const;

/** The import reader for a file, chosen by its name. */
export function importReaderOf(path: string): ImportReader | undefined {
  return IMPORT_READERS.find(({ extensions }) =>
    extensions.some((each) => path.endsWith(`.${each}`)),
  );
}

/** A file that imports another one by a static import. */
export interface ImportEdge {
  readonly from: string;
  readonly to: string;
  /** The module's name in the importing file. */
  readonly name: string;
}

/** Longer lines were not written by hand, so only their beginning is read. */
const LINE_CHARS_MAX = 2_000;

/** The imports between files of a tree. `paths` may belong to another tree than the lines. */
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

/** The file that a module's name means, at the first place where one exists; empty if there is none. */
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
