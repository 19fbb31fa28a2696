// @ts-check
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const REPORT = join(import.meta.dirname, "programs/report-modules.cjs");

/** @typedef {import("./place.js").Place} Place */

/**
 * Starts a command of wisp that tells, when it ends, which of wisp's files it has loaded.
 * @param {Place} place
 * @param {...string} words
 */
export function startReporting(place, ...words) {
  const path = join(place.directory, "modules.json");
  const args = ["--require", REPORT, place.wisp, ...words];
  const { pid, ended } = place.start(process.execPath, args, { BENCH_MODULES: path });
  const loaded = ended.then(
    () => /** @type {readonly string[]} */ (JSON.parse(readFileSync(path, "utf8"))),
  );
  return { pid, loaded };
}

/**
 * How many files, and how large they are together, in words.
 * @param {readonly string[]} paths
 */
export function sizeOf(paths) {
  const bytes = paths.reduce((total, path) => total + statSync(path).size, 0);
  return `${paths.length} ${paths.length === 1 ? "file" : "files"} of ${(bytes / 1000).toFixed(0)} kB`;
}
