import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const HOMES = join(import.meta.dirname, "../fixtures/homes");

/** The placeholders in the files of a stored home for paths that depend on the machine. */
export interface Places {
  /** The folder with the repository, and with the empty HOME and wisp's own folders. */
  readonly root: string;
  /** Node's executable, and the script of the agent. */
  readonly node: string;
  readonly agent: string;
}

/** Paths below a folder of a stored session, and the files' contents with the placeholders filled in. */
export function keptFiles(
  name: string,
  folder: "home" | "settings" | "state",
  places: Places,
): ReadonlyMap<string, string> {
  const directory = join(HOMES, name, folder);
  const fill = (text: string) =>
    text
      .replaceAll("@ROOT@", places.root)
      .replaceAll("@NODE@", places.node)
      .replaceAll("@AGENT@", places.agent);
  const paths = readdirSync(directory, { recursive: true, encoding: "utf8" })
    .map((path) => join(directory, path))
    .filter((path) => statSync(path).isFile());
  return new Map(
    paths.map((path) => [relative(directory, path), fill(readFileSync(path, "utf8"))]),
  );
}

/** The commits and references of a stored session's repository, for `git fast-import`. */
export function keptHistory(name: string): string {
  return readFileSync(join(HOMES, name, "repository.fast-export"), "utf8");
}

/** Writes files below a folder. */
export function writeAll(directory: string, files: ReadonlyMap<string, string>): void {
  for (const [path, text] of files) {
    const file = join(directory, path);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, text);
  }
}
