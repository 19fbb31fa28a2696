import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Rolldown } from "tsdown";
import { assert } from "../../src/base/assert.ts";

/** Directory of the shipped sources. */
export const SOURCES = fileURLToPath(new URL("../../src", import.meta.url));

/** A change of one source file, in which `find` must occur exactly once. */
export interface Edit {
  /** Below `src/`. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/** Applies the edits to the sources as they are loaded; fails if one does not match exactly once. */
export function planting(edits: readonly Edit[]): Rolldown.Plugin {
  return {
    name: "planting",
    load(id) {
      const here = edits.filter(({ file }) => id === join(SOURCES, file));
      if (here.length === 0) return undefined;
      return { code: here.reduce(planted, readFileSync(id, "utf8")), moduleType: "ts" };
    },
  };
}

/** The text of a source file with an edit applied; fails if the edit does not match exactly once. */
export function planted(text: string, { file, find, replace }: Edit): string {
  const places = text.split(find).length - 1;
  assert(places === 1, `${file} has one place to plant in, not ${String(places)}: ${find}`);
  return text.replace(find, () => replace);
}
