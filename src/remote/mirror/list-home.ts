import { join } from "node:path";
import { MIRROR_DEPTH_MAX, MIRROR_FILES_MAX, MIRROR_PATH_CHARS_MAX } from "../../base/limits.ts";
import type { Directories } from "../../base/ports/directories.ts";
import type { FileFailure, Files, FileStat } from "../../base/ports/files.ts";
import { ok, type Result } from "../../base/result.ts";
import { isMirrored } from "./mirrored-path.ts";

/** The regular files of a home that belong to its mirror, and its directories, as they are now. */
export interface ListedHome {
  /** By the path relative to the home, in the order of the paths. */
  readonly files: ReadonlyMap<string, FileStat>;
  /** Absolute paths, the home itself first. */
  readonly directories: readonly string[];
}

/** Lists a home. What cannot be listed any more is skipped; links, special files and paths that are too long never belong to a mirror. */
export function listHome(
  host: { readonly files: Files; readonly directories: Directories },
  home: string,
): Result<ListedHome, FileFailure> {
  const files = new Map<string, FileStat>();
  const directories: string[] = [];
  const pending = [""];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const entries = host.directories.entries(join(home, at));
    // A file took its place after it was listed.
    if (!entries.ok && at !== "" && entries.failure.errno === "ENOTDIR") continue;
    if (!entries.ok) return entries;
    directories.push(join(home, at));
    const named = (kind: "file" | "directory") =>
      entries.value.filter((entry) => entry.kind === kind).map(({ name }) => join(at, name));
    pending.push(...named("directory").filter(isEntered));
    const stats = named("file")
      .filter((path) => path.length <= MIRROR_PATH_CHARS_MAX && isMirrored(path))
      .flatMap((path) => statOf(host.files, home, path));
    for (const [path, stat] of stats.slice(0, MIRROR_FILES_MAX - files.size)) files.set(path, stat);
  }
  const sorted = [...files].sort(([one], [other]) => (one < other ? -1 : 1));
  return ok({ files: new Map(sorted), directories });
}

function isEntered(directory: string): boolean {
  return directory.split("/").length < MIRROR_DEPTH_MAX && isMirrored(join(directory, "file"));
}

/** Empty if the file is gone. */
function statOf(
  files: Files,
  home: string,
  path: string,
): readonly (readonly [string, FileStat])[] {
  const stat = files.stat(join(home, path));
  return stat === undefined ? [] : [[path, stat]];
}
