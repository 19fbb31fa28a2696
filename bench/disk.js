// @ts-check
import { spawnSync } from "node:child_process";

const DEPTH_MAX = "9";
const MB = 1024 ** 2;

/**
 * Disk that a folder and those in it use, in MB, by path; the folder itself is the last one. Files with several links
 * count once, shared extents each time. What is removed meanwhile is left out.
 * @param {string} directory
 * @returns {readonly { readonly path: string, readonly mb: number }[]}
 */
export function diskOf(directory) {
  // -D: the folder may be named by a link.
  const words = ["-D", "-d", DEPTH_MAX, "--block-size=1", directory];
  const { stdout } = spawnSync("du", words, { encoding: "utf8" });
  const lines = stdout.split("\n").slice(0, -1);
  if (lines.length === 0) throw new Error(`du says nothing of ${directory}`);
  return lines.map((line) => {
    const [bytes, path = ""] = line.split("\t");
    return { path, mb: Number(bytes) / MB };
  });
}

/** @param {string} directory */
export function diskMb(directory) {
  return diskOf(directory).at(-1)?.mb ?? NaN;
}
