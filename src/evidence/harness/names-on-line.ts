import { posix } from "node:path";

/** A word of a line that may name a file or a folder, as a path without what leads to it (`../`). */
export interface NameOnLine {
  readonly path: string;
  /** Whether it can only be a folder, only a file, or either. */
  readonly of: "folder" | "file" | "either";
}

/** A line that deals with paths: there a plain word in quotes may be a folder. */
const OF_PATHS = /join|resolve|path|dir|glob|open|walk|url|root|\/ *["']/i;
/** Where the fixed part of a path ends: `expected/${name}.txt`, `expected/%s.txt`, `expected/*.txt`. */
const VARIABLE = /[*?%$#][^]*$/;

/** The words of a line that may name a file or a folder of the repository. */
export function namesOnLine(text: string): readonly NameOnLine[] {
  const isOfPaths = OF_PATHS.test(text);
  return text.split(/[\s"'`()[\]{},;:=<>|&!]+/).flatMap((word): readonly NameOnLine[] => {
    const fixed = word.replace(VARIABLE, "");
    const path = fixed.replace(/^(?:\.{0,2}\/)+/, "");
    const end = path.lastIndexOf("/");
    if (path === "" || path === "." || path === "..") return [];
    if (fixed !== word || end === path.length - 1) {
      return end > 0 ? [{ path: path.slice(0, end), of: "folder" }] : [];
    }
    return [{ path, of: end > 0 || isOfPaths ? "either" : "file" }];
  });
}

/** Files, to be found by words that name them or a folder that they are in. */
export class PathNames {
  /** An extended regular expression that matches each line that may name one of them. */
  readonly pattern: string;
  readonly #byName = new Map<string, Set<string>>();
  readonly #byFolder = new Map<string, Set<string>>();

  constructor(files: readonly string[]) {
    for (const file of files) {
      add(this.#byName, posix.basename(file), file);
      for (const folder of file.split("/").slice(0, -1)) add(this.#byFolder, folder, file);
    }
    const folders = [...this.#byFolder.keys()].map((name) => `${escaped(name)}["'\`/]`);
    this.pattern = [...[...this.#byName.keys()].map(escaped), ...folders].join("|");
  }

  /** The files that a word may mean. */
  meantBy({ path, of }: NameOnLine): readonly string[] {
    const last = posix.basename(path);
    const isAt = (place: string) => place === path || place.endsWith(`/${path}`);
    const inFolder = of === "file" ? [] : [...(this.#byFolder.get(last) ?? [])];
    const named = of === "folder" ? [] : [...(this.#byName.get(last) ?? [])];
    return [...named.filter(isAt), ...inFolder.filter((file) => foldersOf(file).some(isAt))];
  }
}

function add(names: Map<string, Set<string>>, name: string, file: string): void {
  names.set(name, (names.get(name) ?? new Set()).add(file));
}

function foldersOf(file: string): readonly string[] {
  const parts = file.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

function escaped(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
