import { join } from "node:path";
import type { FileFailure, Files } from "../../base/ports/files.ts";
import type { GitFailure, TreeRepo } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import type { OldTests } from "../../work/verify-trees.ts";

/**
 * Overlays old tests, and the commands that ran them, on the tree of a clone. The caller must sync the clone
 * afterwards.
 */
export async function overlayOldTests(
  files: Pick<Files, "replace" | "remove">,
  clone: Pick<TreeRepo, "overlayFiles" | "directory">,
  { from, paths, removed = [], commands }: OldTests,
): Promise<Result<void, GitFailure | FileFailure>> {
  for (const path of removed) {
    const removal = files.remove(join(clone.directory, path));
    if (!removal.ok) return removal;
  }
  if (paths.length > 0) {
    const overlaid = await clone.overlayFiles(from, paths);
    if (!overlaid.ok) return overlaid;
  }
  for (const [path, text] of commands) {
    const written = files.replace(join(clone.directory, path), Buffer.from(text));
    if (!written.ok) return written;
  }
  return ok(undefined);
}
