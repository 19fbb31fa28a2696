import { join } from "node:path";
import type { FileFailure, Files } from "../../base/ports/files.ts";
import type { Oid } from "../../base/oid.ts";
import type { GitFailure, TreeRepo } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import type { Texts } from "./compare-tests.ts";

/** Tests as they stood at a commit. */
export interface OldTests {
  readonly from: Oid;
  /** Files that are there: tests, and what they are run by. */
  readonly paths: readonly string[];
  /** Files of the tree that are taken away: new tests, and new files that change what runs. */
  readonly away?: readonly string[] | undefined;
  /** Files of the tree that get the test commands back which they had then. */
  readonly commands: Texts;
}

/** Lays tests as they stood over the tree in a clone, and the commands that ran them; to be synced afterwards. */
export async function layOldTests(
  files: Pick<Files, "replace" | "remove">,
  clone: Pick<TreeRepo, "overlayFiles" | "directory">,
  { from, paths, away = [], commands }: OldTests,
): Promise<Result<void, GitFailure | FileFailure>> {
  for (const path of away) {
    const removed = files.remove(join(clone.directory, path));
    if (!removed.ok) return removed;
  }
  if (paths.length > 0) {
    const laid = await clone.overlayFiles(from, paths);
    if (!laid.ok) return laid;
  }
  for (const [path, text] of commands) {
    const written = files.replace(join(clone.directory, path), Buffer.from(text));
    if (!written.ok) return written;
  }
  return ok(undefined);
}
