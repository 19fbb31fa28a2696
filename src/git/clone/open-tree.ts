import type { Oid } from "../../base/oid.ts";
import type { Clone, CommittedFile, GitFailure, TreeRepo } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { join } from "node:path";
import { headOf, isAttached, type CloneRepo } from "./clone-repo.ts";
import { openCloneRepo, type CloneOptions } from "./create-clone.ts";
import { FETCH_ONLY, fetchHub } from "../repository/fetch-hub.ts";
import type { GitContext } from "../command/git-environment.ts";
import { fileAsGitFailure } from "../command/git-failure.ts";
import { treeOf } from "./history.ts";
import { TreeReader } from "../command/read-tree.ts";
import { listsExactly } from "../repository/index-file.ts";
import { giveRefs } from "../refs/give-refs.ts";
import { lookThrough, type TreeStat } from "../repository/look-through.ts";
import { passOver } from "../lfs/pass-over.ts";
import { placeContent } from "../lfs/place-content.ts";
import { attributesDigest, contentsAt } from "../lfs/placed-record.ts";
import { checkOutForced, overlayFiles } from "../repository/work-tree.ts";
import { assertOids } from "../command/object-ids.ts";
import { thenFilled, withBeside } from "../submodules/then-filled.ts";
import { removeStaleLocks } from "./stale-locks.ts";
import { entriesOf, decodedText } from "../command/raw-output.ts";

/** Keeps the commit fetched last from a role's clone alive, until the next one replaces it. */
const FETCHED_REF = "refs/wisp/verified";

/** Opens the work tree in `directory`, which has a clone of its own; creates it if it is absent. */
export async function openTree(
  context: GitContext,
  options: CloneOptions,
): Promise<Result<TreeRepo, GitFailure>> {
  const opened = await openCloneRepo(context, { ...options, isTree: true });
  if (!opened.ok) return opened;
  const repo = opened.value;
  return ok({
    directory: repo.directory,
    checkOut: async (at, holder) => {
      const done = await thenFilled(repo, await checkOut(repo, at, holder));
      return done.ok ? placeContent(repo, { keepsOwn: false, holder }) : done;
    },
    untracked: async () => withBeside(repo, await untracked(repo)),
    contentHash: (at) => contentHash(repo, at),
    overlayFiles: async (from, paths) => {
      const done = await overlayFiles(repo, from, paths);
      return done.ok ? placeContent(repo, { keepsOwn: false }) : done;
    },
  });
}

async function checkOut(
  repo: CloneRepo,
  at: Oid,
  holder: Clone,
): Promise<Result<void, GitFailure>> {
  assertOids(at);
  // Only one process uses this tree at a time, so any lock belongs to a dead one.
  const unlocked = removeStaleLocks(repo);
  if (!unlocked.ok) return unlocked;
  const placed = await giveRefs(repo, "removed");
  if (!placed.ok) return placed;
  const fetched = await fetchHub(repo);
  if (!fetched.ok) return fetched;
  if (await isCheckedOut(repo, at)) return ok(undefined);
  const done = await checkOutForced(repo, at);
  if (done.ok) return done;
  // The commit is not published. `treeOf` first restores the holder's configuration, which the
  // fetch reads.
  const known = await holder.treeOf(at);
  if (!known.ok) return known;
  const refspec = `+${at}:${FETCHED_REF}`;
  const brought = await repo.fetcher.must([...FETCH_ONLY, "--", holder.directory, refspec]);
  if (!brought.ok) return brought;
  return checkOutForced(repo, at);
}

/** Whether branch, index and files are what a checkout would make of them. */
async function isCheckedOut(repo: CloneRepo, at: Oid): Promise<boolean> {
  const restored = repo.restore();
  if (!restored.ok || !isAttached(repo) || (await headOf(repo)) !== at) return false;
  const { files } = repo.context;
  const committed = new TreeReader(files, repo.location).filesAt(at);
  const index = files.read(join(repo.location.gitDirectory, "index"));
  if (committed === undefined || !index.ok || index.value === undefined) return false;
  if (!listsExactly(index.value, committed)) return false;
  return lookedThrough(repo, committed)?.isExact === true;
}

/** What differs from a commit in the work tree; undefined if only git can tell. */
function lookedAt(repo: CloneRepo, at: Oid | undefined): TreeStat | undefined {
  if (at === undefined) return undefined;
  const committed = new TreeReader(repo.context.files, repo.location).filesAt(at);
  return committed && lookedThrough(repo, committed);
}

/** A file under Git LFS may have its content in place of the pointer. */
function lookedThrough(
  { context, directory }: CloneRepo,
  committed: readonly CommittedFile[],
): TreeStat | undefined {
  const isKnown = contentsAt(context, directory, attributesDigest(committed));
  return lookThrough(context, directory, committed, isKnown);
}

async function untracked(repo: CloneRepo): Promise<Result<readonly string[], GitFailure>> {
  const looked = lookedAt(repo, await headOf(repo));
  if (looked !== undefined) return ok(looked.untracked);
  const { git } = repo;
  const args = ["ls-files", "--others", "--directory", "-z"];
  // Read as bytes, so that two names that are not UTF-8 do not become the same one.
  const printed = await git.must(args, { encoding: "latin1" });
  if (!printed.ok) return printed;
  return ok(entriesOf(printed.value).map(decodedText));
}

async function contentHash(repo: CloneRepo, at: Oid): Promise<Result<Oid, GitFailure>> {
  assertOids(at);
  if (lookedAt(repo, at)?.isExact === true) return treeOf(repo, at);
  const { git, directory, context } = repo;
  const index = `${directory}.index`;
  for (const path of [index, `${index}.lock`]) {
    const removed = context.directories.removeTree(path);
    if (!removed.ok) return fail(fileAsGitFailure("hash", removed.failure));
  }
  const variables = { GIT_INDEX_FILE: index };
  const read = await git.must(["read-tree", at], { variables });
  if (!read.ok) return read;
  const known = await passOver(repo, index);
  if (!known.ok) return known;
  // An index without file times makes git read every other file.
  const added = await git.must(["add", "--update", "--", ":/"], { variables });
  if (!added.ok) return added;
  const hash = await git.oid(["write-tree"], { variables });
  if (!hash.ok) return hash;
  const tree = await treeOf(repo, at);
  if (!tree.ok || hash.value === tree.value) return tree;
  const isSame = await isSameUnfiltered(repo, tree.value, hash.value);
  return isSame.ok ? ok(isSame.value ? tree.value : hash.value) : isSame;
}

/**
 * Whether the files that differ between two trees have exactly the bytes of the first one.
 * Attributes may make git store other line endings than the commit has, although the files are
 * unchanged.
 */
async function isSameUnfiltered(
  { git }: CloneRepo,
  tree: Oid,
  made: Oid,
): Promise<Result<boolean, GitFailure>> {
  const printed = await git.must(["diff-tree", "-r", "-z", "--no-renames", tree, made, "--"]);
  if (!printed.ok) return printed;
  const changed = [...printed.value.matchAll(/:(\d+) (\d+) ([0-9a-f]+) \S+ M\0([^\0]+)\0/gu)];
  const count = printed.value.split("\0").length - 1;
  const areBlobs = changed.every(([, before, after]) => before === after && before !== "120000");
  if (changed.length * 2 !== count || !areBlobs) return ok(false);
  const stdin = changed.map(([, , , , path]) => `${path ?? ""}\n`).join("");
  if (changed.some(([, , , , path]) => path?.includes("\n") === true)) return ok(false);
  const hashed = await git.must(["hash-object", "--no-filters", "--stdin-paths"], { stdin });
  if (!hashed.ok) return hashed;
  const wanted = changed.map(([, , , oid]) => oid);
  return ok(hashed.value === wanted.map((oid) => `${oid ?? ""}\n`).join(""));
}
