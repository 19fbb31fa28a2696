import { sizeWords } from "../../base/words/size-words.ts";
import { probeDisk } from "../../host/probe/probe-disk.ts";
import { failed, fine, skipped, warn, type Check } from "./doctor-check.ts";

const MIB = 1024 * 1024;
/** A clone, its packages and a log need more. */
const FREE_BYTES_MIN = 100 * MIB;
const FREE_BYTES_ADVISED_MIN = 1024 * MIB;
const FREE_FILES_ADVISED_MIN = 10_000;

/** One check for each place: what it is for, and its path. */
export function diskChecks(
  places: readonly (readonly [what: string, path: string])[],
): readonly Check[] {
  return places.map(([what, path]) => checkDisk(what, path));
}

function checkDisk(what: string, path: string): Check {
  const name = `disk.${what.replaceAll(" ", "-")}`;
  const disk = probeDisk(path);
  if (disk === undefined) return skipped(name, `the disk for ${what} cannot be queried`);
  const { freeBytes, freeFiles, shared } = disk;
  const free = `${sizeWords(freeBytes)} free for ${what}`;
  if (freeBytes < FREE_BYTES_MIN) return failed(name, `only ${free}`, "Free up space.");
  if (freeBytes < FREE_BYTES_ADVISED_MIN) return warn(name, `only ${free}`, "Free up space.");
  if (freeFiles !== undefined && freeFiles < FREE_FILES_ADVISED_MIN) {
    const left = `only ${String(freeFiles)} more files can be created for ${what}`;
    return warn(name, left, "Remove files, or use a file system with more inodes.");
  }
  if (shared !== undefined) {
    const local =
      shared === "9p" ? "a local disk: in WSL, below your home in Linux" : "a local disk";
    const fix = `Run all roles of a session on one machine, or put it on ${local}.`;
    return warn(
      name,
      `${free}, on ${shared}: file events and locks do not reach other machines`,
      fix,
    );
  }
  return fine(name, free);
}
