import { join } from "node:path";
import type { FileFailure, Files } from "../../base/files.ts";
import type { Oid } from "../../base/oid.ts";
import type { GitFailure, TreeRepo } from "../../base/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import type { Texts } from "./compare-tests.ts";

/** Tests as they stood at a commit. */
export interface OldTests {
  readonly from: Oid;
  /** Test files that are there. */
  readonly paths: readonly string[];
  /** Files of the tree that get the test commands back which they had then. */
  readonly commands: Texts;
}

/** Lays tests as they stood over the tree in a clone, and the commands that ran them; to be synced afterwards. */
export async function layOldTests(
  files: Pick<Files, "replace">,
  clone: Pick<TreeRepo, "layOver" | "directory">,
  { from, paths, commands }: OldTests,
): Promise<Result<void, GitFailure | FileFailure>> {
  if (paths.length > 0) {
    const laid = await clone.layOver(from, paths);
    if (!laid.ok) return laid;
  }
  for (const [path, text] of commands) {
    const written = files.replace(join(clone.directory, path), Buffer.from(text));
    if (!written.ok) return written;
  }
  return ok(undefined);
}
