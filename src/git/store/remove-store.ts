import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import type { GitContext } from "../command/git-environment.ts";
import { fileAsGitFailure } from "../command/git-failure.ts";
import type { ObjectStore } from "./object-store.ts";
import { whileStoreLocked } from "./store-lock.ts";

/**
 * Removes a store from which no clone borrows.
 *
 * @param isNeeded whether there is a clone, even an unfinished one, in any session of the repository
 */
export async function removeUnused(
  context: GitContext,
  store: ObjectStore,
  isNeeded: () => boolean,
): Promise<Result<void, GitFailure>> {
  const { directories } = context;
  const { directory } = store;
  const aside = `${directory}.replaced`;
  const isGone = () =>
    [directory, aside].every((path) => directories.kindOf(path) === undefined) || isNeeded();
  if (isGone()) return ok(undefined);
  return whileStoreLocked(context, store, isGone, () => Promise.resolve(remove()));

  function remove(): Result<void, GitFailure> {
    if (directories.kindOf(directory) !== undefined) {
      const before = directories.removeTree(aside);
      const moved = before.ok ? directories.move(directory, aside) : before;
      if (!moved.ok) return fail(fileAsGitFailure("share", moved.failure));
    }
    // A clone may have been begun before the move: it looks for the store only when it has its
    // directory, so either it is seen here or it finds no store and fills another.
    if (isNeeded() && directories.kindOf(directory) === undefined) {
      const back = directories.move(aside, directory);
      return back.ok ? ok(undefined) : fail(fileAsGitFailure("share", back.failure));
    }
    const removed = directories.removeTree(aside);
    return removed.ok ? ok(undefined) : fail(fileAsGitFailure("share", removed.failure));
  }
}
