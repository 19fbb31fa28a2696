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

/**
 * Whether the file at a path, relative to a session's home, belongs to its mirror: all of them but what depends on the
 * machine (`place.json`, `locks/`) and what exists only for a moment. A path that leaves the home does not.
 */
export function isMirrored(path: string): boolean {
  const parts = path.split("/");
  const isPlain = parts.every((part) => part !== "" && part !== "." && part !== "..");
  if (!isPlain || path.includes("\0") || path.includes("\\")) return false;
  const [first = "", ...rest] = parts;
  if (revisionNumber(first) !== undefined && rest.length > 0) return isMirrored(rest.join("/"));
  if (first === "place.json" || first === HOME_FOLDERS.locks) return false;
  return !parts.some((part) => part.endsWith(".lock") || isTemporary(part));
}

function isTemporary(name: string): boolean {
  return name.endsWith(".lock.holder") || /^\..+\.[0-9a-f]{12}\.tmp$/u.test(name);
}

/** Whether the file at such a path only ever grows, unless somebody restores or damages it. */
export function isGrowing(path: string): boolean {
  const [first = "", ...rest] = path.split("/");
  if (revisionNumber(first) !== undefined) return isGrowing(rest.join("/"));
  const isOutput = path.startsWith(`${HOME_FOLDERS.turns}/`) || basename(path).endsWith(".out");
  return GROWING_PATHS.has(path) || isOutput;
}
