import { basename } from "node:path";
import { HOME_FILE_NAMES, homeFile, HOME_FOLDERS } from "../../fs-protocol/home/catalogue.ts";
import { revisionNumber } from "../../fs-protocol/home/home.ts";

/** The kinds of files that only ever grow. */
const GROWING: readonly string[] = ["log", "lines", "blocks"];

const GROWING_PATHS = new Set(
  HOME_FILE_NAMES.map(homeFile)
    .filter(({ kind, path }) => GROWING.includes(kind) || path === "logs/quarantine.log")
    .map(({ path }) => path),
);

/** Names that belong to a machine, or with which git would take the home for a repository and its files for settings. */
const NEVER_MIRRORED = new Set([".git", "head"]);
const NEVER_FIRST = new Set(["place.json", HOME_FOLDERS.locks]);

/**
 * Whether the file at a path, relative to a session's home, belongs to its mirror: all of them but what depends on the
 * machine (`place.json`, `locks/`) and what exists only for a moment. A path that leaves the home does not. Names are
 * compared as file systems do that ignore case, since the other end may not have one.
 */
export function isMirrored(path: string): boolean {
  const parts = path.split("/");
  const isPlain = parts.every((part) => part !== "" && part !== "." && part !== "..");
  if (!isPlain || path.includes("\0") || path.includes("\\")) return false;
  const [first = "", ...rest] = parts;
  if (revisionNumber(folded(first)) !== undefined && rest.length > 0) {
    return isMirrored(rest.join("/"));
  }
  if (NEVER_FIRST.has(folded(first))) return false;
  return !parts.map(folded).some((part) => NEVER_MIRRORED.has(part) || isMomentary(part));
}

/** One text for all names that some file system takes for the same. */
function folded(name: string): string {
  return name
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .toLowerCase();
}

function isMomentary(name: string): boolean {
  return /\.lock(?:\.holder)?$/u.test(name) || /^\..+\.[0-9a-f]{12}\.tmp$/u.test(name);
}

/** Whether the file at such a path only ever grows, unless somebody restores or damages it. */
export function isGrowing(path: string): boolean {
  const [first = "", ...rest] = path.split("/");
  if (revisionNumber(first) !== undefined) return isGrowing(rest.join("/"));
  const isOutput = path.startsWith(`${HOME_FOLDERS.turns}/`) || basename(path).endsWith(".out");
  return GROWING_PATHS.has(path) || isOutput;
}

/** What no session ever removes: without it the home itself is being removed. */
const LASTING = /^(?:session\.json|logs\/[^/]+\.log)$/u;

/** Whether the file at such a path is there as long as the home is. */
export function isLasting(path: string): boolean {
  return LASTING.test(path);
}
