import { dirname, join } from "node:path";
import { STORE_COPIES_MAX } from "../../base/limits.ts";
import type { Oid } from "../../base/oid.ts";
import type { FileFailure } from "../../base/ports/files.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { sharedObjects } from "../../fs-protocol/home/shared-objects.ts";
import { locateGitDirectory } from "../command/git-directory.ts";
import { type GitContext, TRUE_HISTORY, userEnvironment } from "../command/git-environment.ts";
import { fileAsGitFailure, gitFailure } from "../command/git-failure.ts";
import { type Git, gitIn } from "../command/git.ts";
import { FETCH_ONLY } from "../repository/fetch-hub.ts";
import { objectFormat } from "../command/object-ids.ts";
import { copyObjects, type ObjectCopy } from "./copy-object-files.ts";
import type { NeededCommit } from "./object-store.ts";
import { goodFiles, recordStore } from "./store-record.ts";

/**
 * Copies the objects of the user's repository into a new store, which is moved into place when it
 * is complete. An incomplete one in that place is replaced; what is still good of it is kept,
 * because clones may need what the user's repository no longer has. Needs the store's lock.
 */
export async function fillStore(
  context: GitContext,
  store: string,
  wanted: NeededCommit,
): Promise<Result<void, GitFailure>> {
  const { directories, files } = context;
  const beside = `${store}.making`;
  const replaced = `${store}.replaced`;
  for (const path of [beside, replaced]) {
    const removed = directories.removeTree(path);
    if (!removed.ok) return shareFailure(removed.failure);
  }
  const parent = files.makeDirectory(dirname(store));
  if (!parent.ok) return shareFailure(parent.failure);
  const made = await makeStore(context, { store, beside }, wanted);
  if (!made.ok) {
    directories.removeTree(beside);
    return made;
  }
  if (directories.kindOf(store) !== undefined) {
    const aside = directories.move(store, replaced);
    if (!aside.ok) return shareFailure(aside.failure);
  }
  const moved = directories.move(beside, store);
  if (!moved.ok) return shareFailure(moved.failure);
  const removed = directories.removeTree(replaced);
  return removed.ok ? ok(undefined) : shareFailure(removed.failure);
}

/** Fetches a commit that the store lacks. Needs the store's lock. */
export async function updateStore(
  context: GitContext,
  store: string,
  { hub, commit }: NeededCommit,
): Promise<Result<void, GitFailure>> {
  const cleared = removeUnfinished(context, store);
  if (!cleared.ok) return shareFailure(cleared.failure);
  const refspec = `+${commit}:${refOf(commit)}`;
  const fetched = await gitOf(context, store).must([...FETCH_ONLY, "--", hub, refspec]);
  return fetched.ok ? recordStore(context, store) : fetched;
}

async function makeStore(
  context: GitContext,
  { store, beside }: { readonly store: string; readonly beside: string },
  { hub, commit }: NeededCommit,
): Promise<Result<void, GitFailure>> {
  const git = gitOf(context, beside);
  const begun = await initStore(context, beside, commit);
  if (!begun.ok) return begun;
  const located = locateGitDirectory(context.files, hub);
  if (located === undefined)
    return fail(gitFailure("share", hub, "its git directory is not found"));
  const from = join(located.commonDirectory, "objects");
  const to = sharedObjects(beside);
  const copied = await copyPatiently(context, { from, to, isGood: () => true }, STORE_COPIES_MAX);
  if (!copied.ok) return shareFailure(copied.failure);
  const isGood = goodFiles(context, store);
  const kept = await copyObjects(context, { from: sharedObjects(store), to, isGood });
  if (!kept.ok) return shareFailure(kept.failure);
  const named = await git.act(["update-ref", refOf(commit), commit]);
  return named.ok ? recordStore(context, beside) : named;
}

/** Makes an empty store. The parent of a bare repository's directory is where its git is run. */
async function initStore(
  context: GitContext,
  store: string,
  commit: Oid,
): Promise<Result<void, GitFailure>> {
  const above = dirname(store);
  const git = gitIn(above, {
    ...userEnvironment(context.environment, above),
    GIT_OBJECT_DIRECTORY: sharedObjects(store),
    GIT_DEFAULT_REF_FORMAT: "files",
  });
  const format = `--object-format=${objectFormat(commit)}`;
  const made = await git.act(["init", "--quiet", "--bare", "--template=", format, "--", store]);
  if (!made.ok) return made;
  const written = context.files.read(join(store, "config"));
  if (!written.ok) return shareFailure(written.failure);
  const text = Buffer.from(written.value ?? []).toString("utf8");
  const configured = context.files.replace(join(store, "config"), Buffer.from(text + CONFIG));
  return configured.ok ? ok(undefined) : shareFailure(configured.failure);
}

/**
 * Nothing is ever removed. What is fetched stays a pack, which git syncs to the disk, and whose size
 * can be recorded.
 */
const CONFIG = [
  ...["[gc]", "\tauto = 0", "[maintenance]", "\tauto = false"],
  ...["[fetch]", "\tunpackLimit = 1", "[transfer]", "\tunpackLimit = 1", ""],
].join("\n");

/** Copies again if a file disappeared, because somebody repacks the repository. */
async function copyPatiently(
  context: GitContext,
  copy: ObjectCopy,
  triesMax: number,
): Promise<Result<void, FileFailure>> {
  const copied = await copyObjects(context, copy);
  const isGone = !copied.ok && copied.failure.errno === "ENOENT" && triesMax > 1;
  return isGone ? copyPatiently(context, copy, triesMax - 1) : copied;
}

/** Removes what a killed fetch left: under the store's lock nobody else writes there. */
function removeUnfinished(context: GitContext, store: string): Result<void, FileFailure> {
  const unlocked = removeNamed(context, join(store, "refs", "wisp"), /\.lock$/u);
  return unlocked.ok
    ? removeNamed(context, join(sharedObjects(store), "pack"), /^tmp_/u)
    : unlocked;
}

function removeNamed(
  { directories }: GitContext,
  folder: string,
  unfinished: RegExp,
): Result<void, FileFailure> {
  const listed = directories.entries(folder);
  if (!listed.ok) return listed;
  for (const { name } of listed.value.filter((each) => unfinished.test(each.name))) {
    const removed = directories.removeTree(join(folder, name));
    if (!removed.ok) return removed;
  }
  return ok(undefined);
}

/** git in the store, with the user's configuration, without which some hubs cannot be read. */
function gitOf({ environment }: GitContext, store: string): Git {
  return gitIn(dirname(store), {
    ...userEnvironment(environment, dirname(store)),
    GIT_DIR: store,
    GIT_OBJECT_DIRECTORY: sharedObjects(store),
    ...TRUE_HISTORY,
  });
}

function refOf(commit: Oid): string {
  return `refs/wisp/${commit}`;
}

function shareFailure(failure: FileFailure): Result<never, GitFailure> {
  return fail(fileAsGitFailure("share", failure));
}
