import { dirname, join } from "node:path";
import type { Oid } from "../../base/oid.ts";
import type { Directories } from "../../base/ports/directories.ts";
import type { PatchedFile } from "../../base/ports/patches.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import { type UserContext, userGit } from "../command/git.ts";
import { assertOids } from "../command/object-ids.ts";
import { entriesOf } from "../command/raw-output.ts";
import { type NamedPath, type NamedPaths, namedPaths } from "./named-paths.ts";

/** The files that are listed at most. */
const FILES_MAX = 100;

/** Where is looked for files that commits name and do not have. */
export interface LeftBehindIn {
  /** The top of the user's repository, where a file is not left behind. */
  readonly hub: string;
  /** The commit that lacks them. */
  readonly head: Oid;
  /** The tops of clones. */
  readonly clones: readonly string[];
  /** The tops of trees that were made from commits alone: what is there can be made again. */
  readonly made: readonly string[];
}

type Context = UserContext & { readonly directories: Directories };

/**
 * Regular files of clones that lines which the session added name, and that neither the commit nor the user's checkout
 * has: git ignores them, so no commit takes them along. Where commands of the project make such a file from the commit
 * alone, it is not listed. Reads names, never content, and runs no git in a clone.
 */
export async function leftBehind(
  context: Context,
  changed: readonly PatchedFile[],
  { hub, head, clones, made }: LeftBehindIn,
): Promise<Result<NamedPaths, GitFailure>> {
  if (clones.length === 0 || changed.length === 0) return ok({ named: [], isWhole: true });
  assertOids(head);
  const known = new Map<string, boolean>();
  const hasFolder = (top: string, path: string) => isFolder(context, known, join(top, path), top);
  const kindOf = (top: string, path: string) =>
    hasFolder(top, dirname(path)) ? context.directories.kindOf(join(top, path)) : undefined;
  const { named, isWhole } = namedPaths(changed, (path) =>
    clones.some((clone) => hasFolder(clone, path)),
  );
  const lonely = named.filter(
    ({ path }) =>
      clones.some((clone) => kindOf(clone, path) === "file") &&
      ![hub, ...made].some((top) => kindOf(top, path) !== undefined),
  );
  const untracked = await withoutTracked(context, { hub, head }, lonely.slice(0, FILES_MAX));
  if (!untracked.ok) return untracked;
  return ok({ named: untracked.value, isWhole: isWhole && lonely.length <= FILES_MAX });
}

/** Whether a folder below `top` is one, as are all above it: a link could lead anywhere. */
function isFolder(
  context: Pick<Context, "directories">,
  known: Map<string, boolean>,
  folder: string,
  top: string,
): boolean {
  const before = known.get(folder);
  if (before !== undefined) return before;
  const isAbove = folder === top || isFolder(context, known, dirname(folder), top);
  const is = isAbove && context.directories.kindOf(folder) === "directory";
  known.set(folder, is);
  return is;
}

async function withoutTracked(
  context: UserContext,
  { hub, head }: Pick<LeftBehindIn, "hub" | "head">,
  found: readonly NamedPath[],
): Promise<Result<readonly NamedPath[], GitFailure>> {
  if (found.length === 0) return ok([]);
  const paths = found.map(({ path }) => path);
  const words = ["--literal-pathspecs", "ls-tree", "-z", "--name-only", "--full-tree", head, "--"];
  const listed = await userGit(context, hub).must([...words, ...paths]);
  if (!listed.ok) return listed;
  const tracked = new Set(entriesOf(listed.value));
  return ok(found.filter(({ path }) => !tracked.has(path)));
}
