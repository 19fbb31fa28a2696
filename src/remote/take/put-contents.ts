import type { Executor, ExecutorFailure, Place } from "../../base/ports/executor.ts";
import type { FileFailure } from "../../base/ports/files.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import { sizeWords } from "../../base/words/size-words.ts";
import { heldContent } from "../../git/lfs/held-content.ts";
import { withinLimit } from "../../git/lfs/within-limit.ts";
import { gitContext, type World } from "../../workspace/world.ts";
import { joinFiles } from "./joined-files.ts";

/** Content that a place is to have. */
export interface PutContents {
  readonly place: Place;
  /** The repository here. */
  readonly directory: string;
  /** Words of `git rev-list` that select the commits whose pointers count. */
  readonly revisions: readonly string[];
  /** The path of a file here for what is on its way, which is removed afterwards. */
  readonly scratch: string;
  /** The path there. */
  readonly to: string;
}

/**
 * Puts the content under Git LFS that some commits need at a place, in one file, as far as the repository here has it
 * and it is not more than a work tree is given. Puts nothing there if there is none, which takes one process.
 */
export async function putContents(
  world: World,
  executor: Executor,
  { place, directory, revisions, scratch, to }: PutContents,
): Promise<Result<void, ExecutorFailure | GitFailure | FileFailure>> {
  const { host } = world;
  const held = await heldContent(gitContext(world), directory, revisions);
  if (!held.ok) return held;
  const { within } = withinLimit(held.value, []);
  if (within.length === 0) return ok(undefined);
  const bytes = within.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (bytes > TOLD_BYTES_MIN) world.tell(`Sends ${sizeWords(bytes)} of files under Git LFS.`);
  try {
    const parts = within.map(({ sha256, path }) => ({ name: sha256, path }));
    const joined = joinFiles(host, scratch, parts);
    return joined.ok ? await executor.put(place, { from: { path: scratch }, to }) : joined;
  } finally {
    host.files.remove(scratch);
  }
}

/** What takes a moment to send is told. */
const TOLD_BYTES_MIN = 50 * 1024 * 1024;
