import type { Argv } from "../schema/argv.ts";
import { entryFiles, packageManagerOf, scriptOf } from "./package-json.ts";
import type { RootFiles } from "./root-files.ts";

/** What has to be made of each commit before it can be tested, as found in the project. */
export interface DetectedBuild {
  /** In order; never empty. */
  readonly commands: readonly Argv[];
  /** The file that says so, for people. */
  readonly from: string;
}

/**
 * A `build` script, where what the manifest offers to others is not committed: tests that go by the package's own
 * name, or start its program, need it. Undefined when nothing is missing, or nothing says how to make it.
 */
export function detectBuild(root: RootFiles): DetectedBuild | undefined {
  if (scriptOf(root, "build") === undefined) return undefined;
  // Of a folder that is committed nobody can tell from its root what is in it.
  const isMissing = (path: string) => !root.names.has(path.split("/")[0] ?? "");
  const entries = entryFiles(root).filter((path) => !path.startsWith("../") && !path.includes("*"));
  if (!entries.some(isMissing)) return undefined;
  return { commands: [[packageManagerOf(root), "run", "build"]], from: "package.json" };
}
