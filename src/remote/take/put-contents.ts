import type { Executor, ExecutorFailure } from "../../base/ports/executor.ts";
import type { FileFailure } from "../../base/ports/files.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import { sizeWords } from "../../base/words/size-words.ts";
import { heldContent } from "../../git/lfs/held-content.ts";
import { withinLimit } from "../../git/lfs/within-limit.ts";
import { gitContext, type World } from "../../workspace/world.ts";
import { putJoined, type PutThere } from "./put-joined.ts";

/** Content that a place is to have. */
export interface PutContents extends PutThere {
  /** Words of `git rev-list` that select the commits whose pointers count. */
  readonly revisions: readonly string[];
}

/**
 * Puts the content under Git LFS that some commits need at a place, in one file, as far as the repository here has it
 * and it is not more than a work tree is given. Puts nothing there if there is none, which takes one process.
 */
export function putContents(
  world: World,
  executor: Executor,
  put: PutContents,
): Promise<Result<void, ExecutorFailure | GitFailure | FileFailure>> {
  return putJoined(world, executor, put, async () => {
    const held = await heldContent(gitContext(world), put.directory, put.revisions);
    if (!held.ok) return held;
    const { within } = withinLimit(held.value, []);
    const bytes = within.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    if (bytes > TOLD_BYTES_MIN) world.tell(`Sends ${sizeWords(bytes)} of files under Git LFS.`);
    return ok(within.map(({ sha256, path }) => ({ name: sha256, path })));
  });
}

/** What takes a moment to send is told. */
const TOLD_BYTES_MIN = 50 * 1024 * 1024;
