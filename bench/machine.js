// @ts-check
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { availableParallelism, cpus, release, totalmem } from "node:os";
import { dirname } from "node:path";

const GB = 1024 ** 3;

/** Times come from bash 5, CPU and memory from /proc. */
export function whatIsLacking() {
  if (!existsSync("/proc/self/smaps_rollup")) return "The bench reads /proc: it needs Linux.";
  return printed("bash", ["-c", "echo $EPOCHREALTIME"]) === ""
    ? "The bench needs bash 5 or later."
    : undefined;
}

/** The machine and the programs that a run depends on, in one line. */
export function machineNow() {
  const model = cpus()[0]?.model.trim() ?? "unknown processor";
  return [
    `${availableParallelism()} cores of ${model}`,
    `${(totalmem() / GB).toFixed(0)} GB`,
    `Linux ${release()}`,
    `Node ${process.version}`,
    `bash ${printed("bash", ["-c", "echo $BASH_VERSION"])}`,
    printed("git", ["--version"]),
    printed("bwrap", ["--version"]) || "no bubblewrap",
  ].join(", ");
}

/**
 * The commit that a binary was built from, as far as its folder says so.
 * @param {string} binary
 */
export function commitOf(binary) {
  const at = ["-C", dirname(binary)];
  const commit = printed("git", [...at, "rev-parse", "--short=12", "HEAD"]);
  if (commit === "") return "no commit";
  return printed("git", [...at, "status", "--porcelain", "--", ":/src"]) === ""
    ? commit
    : `${commit} with changes`;
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 */
function printed(command, args) {
  return (spawnSync(command, args, { encoding: "utf8" }).stdout ?? "").trim();
}
