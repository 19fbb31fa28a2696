import { join } from "node:path";
import type { Oid } from "../../base/oid.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { sharedObjects } from "../../fs-protocol/home/shared-objects.ts";
import type { GitContext } from "../command/git-environment.ts";
import { gitFailure } from "../command/git-failure.ts";
import { fillStore, updateStore } from "./fill-store.ts";
import type { ObjectStore, NeededCommit } from "./object-store.ts";
import { whileStoreLocked } from "./store-lock.ts";
import { isWhole } from "./store-record.ts";

/**
 * Fills or updates the store if necessary, and returns the folder of objects in which the commit is
 * now. The clone that will borrow them must already have its directory: it keeps the store.
 */
export async function borrowObjects(
  context: GitContext,
  store: ObjectStore,
  wanted: NeededCommit,
): Promise<Result<string, GitFailure>> {
  const { directory } = store;
  const isReady = () => isWhole(context, directory) && hasCommit(context, directory, wanted.commit);
  if (!isReady()) {
    const made = await whileStoreLocked(context, store, isReady, () =>
      isWhole(context, directory)
        ? updateStore(context, directory, wanted)
        : fillStore(context, directory, wanted),
    );
    if (!made.ok) return made;
  }
  return ok(sharedObjects(directory));
}

/**
 * Makes sure that nothing is missing from the store from which a clone borrows, as far as the names
 * and sizes of its files show. What was lost is copied again.
 */
export async function needWhole(
  context: GitContext,
  store: ObjectStore,
  wanted: NeededCommit,
): Promise<Result<void, GitFailure>> {
  const { directory } = store;
  const isReady = () => isWhole(context, directory);
  if (isReady()) return ok(undefined);
  const filled = await whileStoreLocked(context, store, isReady, () =>
    fillStore(context, directory, wanted),
  );
  if (filled.ok) return filled;
  const why = `the objects that the clones share are incomplete, and cannot be copied again: ${filled.failure.message}`;
  return fail(gitFailure("open", directory, why));
}

/** Whether the store was given this commit; a reference that is named by it keeps the proof. */
function hasCommit({ directories }: GitContext, directory: string, commit: Oid): boolean {
  return directories.kindOf(join(directory, "refs", "wisp", commit)) === "file";
}
