import type { Argv } from "../schema/argv.ts";
import { entryFiles, packageManagerOf, scriptOf } from "./package-json.ts";
import type { RootFiles } from "./root-files.ts";

/** What has to be built at each commit before it can be tested, as detected in the project. */
export interface DetectedBuild {
  /** In order; never empty. */
  readonly commands: readonly Argv[];
  /** The file that it was detected from, for people. */
  readonly from: string;
}

/**
 * Detects a `build` script if files that the manifest exports are not committed: tests that import
 * the package by its own name, or start its program, need them. Undefined if nothing is missing, or
 * if there is no such script.
 */
export function detectBuild(root: RootFiles): DetectedBuild | undefined {
  if (scriptOf(root, "build") === undefined) return undefined;
  // A committed folder's content cannot be told from the root.
  const isMissing = (path: string) => !root.names.has(path.split("/")[0] ?? "");
  const entries = entryFiles(root).filter((path) => !path.startsWith("../") && !path.includes("*"));
  if (!entries.some(isMissing)) return undefined;
  return { commands: [[packageManagerOf(root), "run", "build"]], from: "package.json" };
}
