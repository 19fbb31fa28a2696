// What a step changes: its files, sorted, and the hunks of each.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";

const TEST = /(^|\/)tests?\/|(^|[./-])test[.-]/u;
const SOURCE = /\.(?:[cm]?[jt]s|py)$/u;
const NO_SOURCE = /(^|\/)(dist|docs|bench(mark)?|example|examples)\/|config\.[cm]?js$|\.eslintrc/u;

/** Every file below a folder. */
export function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .sort();
}

/** The paths that differ between two releases: of tests, of source, of the rest. */
export function changesBetween(from, to) {
  const all = [...new Set([...filesIn(from), ...filesIn(to)])].sort();
  const changed = all.filter((path) => textAt(from, path) !== textAt(to, path));
  const test = changed.filter((path) => TEST.test(path));
  const isSource = (path) => !TEST.test(path) && SOURCE.test(path) && !NO_SOURCE.test(path);
  const source = changed.filter(isSource);
  const rest = changed.filter((path) => !test.includes(path) && !source.includes(path));
  return { test, source, rest };
}

/** The text of a file, byte for byte; undefined if it is not there. */
export function textAt(folder, path) {
  const file = join(folder, path);
  return existsSync(file) ? readFileSync(file, "latin1") : undefined;
}

/** Writes a file as `textAt` reads it, or removes it. */
export function putText(folder, path, text) {
  const file = join(folder, path);
  if (text === undefined) return rmSync(file, { force: true });
  mkdirSync(dirname(file), { recursive: true });
  return writeFileSync(file, text, "latin1");
}

/** The hunks of one file: `{ at, gone, added }`, lines of the earlier text and what takes their place. */
export function hunksOf(from, to, path) {
  const [before, after] = [from, to].map((folder) => join(folder, path));
  if (!existsSync(before) || !existsSync(after)) return undefined;
  const { stdout } = spawnSync("diff", ["-U0", before, after], { encoding: "latin1" });
  return stdout
    .split(/^(?=@@ )/mu)
    .slice(1)
    .map((hunk) => {
      const [head, ...lines] = hunk.split("\n");
      const [, at, count = "1"] = /^@@ -(\d+)(?:,(\d+))? /u.exec(head);
      const added = lines.filter((line) => line.startsWith("+")).map((line) => line.slice(1));
      // A hunk that only adds names the line before it.
      const first = count === "0" ? Number(at) : Number(at) - 1;
      return { at: first, gone: Number(count), added };
    });
}

/** The earlier text with some of its hunks. */
export function withHunks(text, hunks) {
  const lines = text.split("\n");
  for (const { at, gone, added } of [...hunks].sort((one, other) => other.at - one.at))
    lines.splice(at, gone, ...added);
  return lines.join("\n");
}
