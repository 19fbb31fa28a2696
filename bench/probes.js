// @ts-check
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");
const TSDOWN = join(ROOT, "node_modules", "tsdown", "dist", "run.mjs");

/** Programs around single pieces of wisp's own source, bundled as wisp itself is. */
const PROBES = ["watch-reader", "watch-writer", "write-long-logs"];

/**
 * Builds the probes into a folder.
 * @param {string} directory
 */
export function buildProbes(directory) {
  const sources = PROBES.map((name) => join("bench", "probes", `${name}.ts`));
  const args = [TSDOWN, ...sources, "--out-dir", directory, "--logLevel", "error"];
  const built = spawnSync(process.execPath, args, { cwd: ROOT, encoding: "utf8" });
  if (built.status !== 0) throw new Error(`the probes were not built: ${built.stderr}`);
  return (/** @type {string} */ name) => join(directory, `${name}.js`);
}
