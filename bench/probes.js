// @ts-check
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");
const TSDOWN = join(ROOT, "node_modules", "tsdown", "dist", "run.mjs");
const CONFIG = join("bench", "probes", "tsdown.config.ts");

/**
 * Builds the probes into a folder: programs around single pieces of wisp's own source.
 * @param {string} directory
 */
export function buildProbes(directory) {
  const args = [TSDOWN, "--config", CONFIG, "--out-dir", directory, "--logLevel", "error"];
  const built = spawnSync(process.execPath, args, { cwd: ROOT, encoding: "utf8" });
  if (built.status !== 0) throw new Error(`the probes were not built: ${built.stderr}`);
  return (/** @type {string} */ name) => join(directory, `${name}.mjs`);
}
