import type { ChangedEntry } from "../../base/ports/patches.ts";

/** Files that tell people what a project is, and on which terms. */
const DOCUMENTS: readonly RegExp[] = [
  /(?:^|\/)(?:README|LICEN[CS]ES?|COPYING|NOTICE)(?:[.-][^/]*)?$/iu,
  /^(?:docs?|LICENSES)\//iu,
];

/** Settings of linters and type checkers. */
const CHECK_SETTINGS: readonly RegExp[] = [
  /(?:^|\/)\.(?:eslint|stylelint)(?:rc|ignore)(?:\.(?:json|[cm]?js|ya?ml))?$/iu,
  /(?:^|\/)(?:(?:eslint|stylelint)\.config\.[cm]?[jt]s|tslint\.json)$/iu,
  /(?:^|\/)(?:tsconfig|jsconfig)[^/]*\.json$/iu,
  /(?:^|\/)(?:biome\.jsonc?|pyrightconfig\.json|checkstyle\.xml|detekt\.ya?ml)$/iu,
  /(?:^|\/)\.?(?:pylintrc|mypy\.ini|flake8|ruff\.toml|clippy\.toml|oxlintrc\.json)$/iu,
  /(?:^|\/)\.(?:rubocop|golangci|swiftlint)[^/]*\.(?:ya?ml|toml|json)$/iu,
  /(?:^|\/)(?:phpcs|phpstan|psalm)[^/]*\.(?:xml|neon)(?:\.dist)?$/iu,
];

/** Words that ask for something to be taken away. */
const TAKES_AWAY =
  /\b(?:delet|remov|drop|eras|discard|rid of|no longer|mov(?:e|ing)|renam|replac|merg)/iu;

/**
 * Documents and licences that are gone at the end of a range, sorted. Nobody asked for that where the request names
 * neither the file nor its folder, nor asks in one line to remove the README or the licence.
 *
 * @param asked texts of people: the request, and the plan if a person approved it
 */
export function lostDocuments(
  entries: readonly ChangedEntry[],
  asked: readonly string[],
): readonly string[] {
  const lines = asked.flatMap((text) => text.toLowerCase().split("\n"));
  return entries
    .filter(({ status }) => status === "deleted")
    .map(({ path }) => path)
    .filter((path) => DOCUMENTS.some((pattern) => pattern.test(path)) && !isNamed(path, lines))
    .sort();
}

function isNamed(path: string, lines: readonly string[]): boolean {
  const own = path.toLowerCase();
  const name = own.slice(own.lastIndexOf("/") + 1);
  const stem = name.replace(/\..*$/u, "");
  const folders = own.split("/").slice(0, -1);
  const above = folders.map((_, depth) => `${folders.slice(0, depth + 1).join("/")}/`);
  const isFile = name !== stem && lines.some((line) => hasWord(line, name));
  // "Update the README" asks for no removal, and "see docs/" neither.
  const asks = lines.filter((line) => TAKES_AWAY.test(line));
  return isFile || asks.some((line) => [stem, ...above].some((word) => hasWord(line, word)));
}

/** Whether a line holds a word that is not part of a longer one; a path may stand before it. */
function hasWord(line: string, word: string): boolean {
  for (let at = line.indexOf(word); at !== -1; at = line.indexOf(word, at + 1)) {
    const [before = "", after = ""] = [line[at - 1], line[at + word.length]];
    if (!/[\w-]/u.test(before) && (word.endsWith("/") || !/[\w-]/u.test(after))) return true;
  }
  return false;
}

/** Settings of lint and types that existed and are changed or gone, sorted: what they checked may be off. */
export function changedCheckSettings(entries: readonly ChangedEntry[]): readonly string[] {
  return entries
    .filter(({ status, path }) => status !== "added" && isCheckSettings(path))
    .map(({ path }) => path)
    .sort();
}

function isCheckSettings(path: string): boolean {
  return CHECK_SETTINGS.some((pattern) => pattern.test(path));
}
