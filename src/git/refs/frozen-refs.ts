import { join } from "node:path";
import { BASE_REFS_BYTES_MAX } from "./refs-limits.ts";
import type { Oid } from "../../base/oid.ts";
import type { FileFailure } from "../../base/ports/files.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { locateGitDirectory } from "../command/git-directory.ts";
import { type GitContext, userEnvironment } from "../command/git-environment.ts";
import { fileAsGitFailure } from "../command/git-failure.ts";
import { gitIn } from "../command/git.ts";
import { findBaseRefs, type BaseRefs } from "./base-refs.ts";
import { packedRefsText } from "./packed-refs.ts";

/** Where a session keeps the references that its clones get, as they were when it began. */
export interface FrozenRefs {
  /** A folder in the session's state: `packed-refs`, and below `pack` the objects of its tags. */
  readonly directory: string;
  /** The commit at which the session began. */
  readonly base: Oid;
}

/** The file of references in such a folder, which is written last. */
export function frozenRefsFile({ directory }: Pick<FrozenRefs, "directory">): string {
  return join(directory, "packed-refs");
}

/** The folder of packs in it. */
export function frozenPacks({ directory }: Pick<FrozenRefs, "directory">): string {
  return join(directory, "pack");
}

/** The files of packs that git writes, with what it needs to read them. */
export const PACK_FILE = /^pack-[0-9a-f]+\.(?:pack|rev|idx)$/u;

/**
 * Keeps references for the clones of a session. What is kept already stays: of several processes at once, the first one
 * decides.
 *
 * @param hub the top of the user's work tree
 */
export async function freezeRefs(
  context: GitContext,
  { hub, frozen }: { readonly hub: string; readonly frozen: FrozenRefs },
  { refs }: BaseRefs,
): Promise<Result<void, GitFailure>> {
  const { files } = context;
  const packed = await packTags(context, { hub, frozen }, refs);
  if (!packed.ok) return packed;
  const made = files.makeDirectory(frozen.directory);
  if (!made.ok) return keepFailure(made.failure);
  const text = packedRefsText({ refs, isPeeled: true });
  const created = files.create(frozenRefsFile(frozen), Buffer.from(text, "latin1"));
  if (created.ok || created.failure.errno === "EEXIST") return ok(undefined);
  return keepFailure(created.failure);
}

/** The objects of tags: a clone that fetched the commits alone has none of them. */
async function packTags(
  context: GitContext,
  { hub, frozen }: { readonly hub: string; readonly frozen: FrozenRefs },
  refs: BaseRefs["refs"],
): Promise<Result<void, GitFailure>> {
  const tags = refs.filter(({ commit }) => commit !== undefined);
  const located = locateGitDirectory(context.files, hub);
  if (tags.length === 0 || located === undefined) return ok(undefined);
  const packs = frozenPacks(frozen);
  const made = context.files.makeDirectory(packs);
  if (!made.ok) return keepFailure(made.failure);
  // git writes a pack beside its objects before it moves it, which must be on one disk.
  const git = gitIn(hub, {
    ...userEnvironment(context.environment, hub),
    GIT_OBJECT_DIRECTORY: frozen.directory,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: join(located.commonDirectory, "objects"),
  });
  const stdin = tags.map(({ oid }) => `${oid}\n`).join("");
  return git.act(["pack-objects", "-q", join(packs, "pack")], { stdin });
}

/**
 * The text of the references that a session keeps. One that began before they were kept gets those of now.
 *
 * @returns as git's file of packed references has them, with one character per byte
 */
export async function frozenRefsText(
  context: GitContext,
  of: { readonly hub: string; readonly branch: string; readonly frozen: FrozenRefs },
): Promise<Result<string, GitFailure>> {
  const { hub, branch, frozen } = of;
  const before = read(context, frozen);
  if (!before.ok || before.value !== undefined) return before.ok ? ok(before.value ?? "") : before;
  const found = await findBaseRefs(context, { directory: hub, base: frozen.base, branch });
  if (!found.ok) return found;
  const kept = await freezeRefs(context, { hub, frozen }, found.value);
  if (!kept.ok) return kept;
  const after = read(context, frozen);
  return after.ok ? ok(after.value ?? "") : after;
}

function read(
  { files }: Pick<GitContext, "files">,
  frozen: FrozenRefs,
): Result<string | undefined, GitFailure> {
  const bytes = files.read(frozenRefsFile(frozen), BASE_REFS_BYTES_MAX);
  if (!bytes.ok) return keepFailure(bytes.failure);
  return ok(bytes.value && Buffer.from(bytes.value).toString("latin1"));
}

function keepFailure(failure: FileFailure): Result<never, GitFailure> {
  return fail(fileAsGitFailure("keep references", failure));
}
