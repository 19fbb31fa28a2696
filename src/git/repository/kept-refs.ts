import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { branchCheckedOutAt, type BranchPlace, deleteBranch } from "./branches.ts";
import { gitFailure } from "../command/git-failure.ts";
import { type UserContext, userGit } from "../command/git.ts";
import { assertOids } from "../command/object-ids.ts";
import { askForRef } from "../command/read-ref.ts";
import { forgetMirror } from "./mirror-ref.ts";
import { join } from "node:path";
import type { Files } from "../../base/ports/files.ts";
import type { Oid } from "../../base/oid.ts";
import type { GitDirectory } from "../command/git-directory.ts";
import type { GitContext } from "../command/git-environment.ts";
import { linesOf } from "../command/raw-output.ts";

/** The result of putting a branch away. */
export type ArchivedBranch =
  /** The branch was removed, and the reference holds its commits. */
  | { readonly kind: "kept"; readonly ref: string }
  /** The branch stays, because the work tree in `directory` has it checked out. */
  | { readonly kind: "checked-out"; readonly ref: string; readonly directory: string }
  /** There is no such branch: it was put away before, or a person removed it. */
  | { readonly kind: "gone"; readonly ref: string | undefined };

/**
 * Saves a branch's commits under `refs/wisp/rescue/<session>/abandoned`, then removes the branch, unless it is
 * checked out or has moved meanwhile, and the ref of the branch elsewhere. Idempotent.
 */
export async function archiveBranch(
  context: UserContext,
  place: BranchPlace,
  session: string,
): Promise<Result<ArchivedBranch, GitFailure>> {
  const { directory, branch } = place;
  const git = userGit(context, directory);
  const head = await askForRef(git, `refs/heads/${branch}`);
  const first = `refs/wisp/rescue/${session}/abandoned`;
  const before = await askForRef(git, first);
  if (head === undefined) {
    const forgotten = await forgetMirror(context, { directory, session });
    if (!forgotten.ok) return forgotten;
    return ok({ kind: "gone", ref: before === undefined ? undefined : first });
  }
  assertOids(head);
  const ref = before === undefined || before === head ? first : `${first}-${head.slice(0, 12)}`;
  if ((await askForRef(git, ref)) !== head) {
    // The empty old value means that an existing reference is never moved.
    const made = await git.act(["update-ref", "-m", "kept by wisp", ref, head, ""]);
    if (!made.ok) return made;
  }
  const checkedOut = await branchCheckedOutAt(context, place);
  if (checkedOut !== undefined) return ok({ kind: "checked-out", ref, directory: checkedOut });
  const removed = await deleteBranch(context, place, head);
  if (!removed.ok) return removed;
  if (!removed.value) {
    return fail(gitFailure("branch", directory, "the branch has moved meanwhile"));
  }
  const forgotten = await forgetMirror(context, { directory, session });
  return forgotten.ok ? ok({ kind: "kept", ref }) : forgotten;
}

/** A longer reflog is not searched; at worst one reference too many is kept. */
const REFLOG_BYTES_MAX = 64 * 1024 * 1024;

/** A commit that a reference pointed to until it was moved or removed. */
export interface LostTip {
  /** The top of the repository's work tree. */
  readonly directory: string;
  readonly at: GitDirectory;
  /** The full name of the reference. */
  readonly ref: string;
  readonly oid: Oid;
  /** The id of the session under which to keep it. */
  readonly session: string;
}

/**
 * Keeps a tip that nothing else keeps as `refs/wisp/rescue/<session>/tip-<id>`, and returns that name; `undefined`
 * if a reflog or another reference holds it. Idempotent.
 */
export async function keepTip(
  context: Pick<GitContext, "files" | "environment">,
  { directory, at, ref, oid, session }: LostTip,
): Promise<Result<string | undefined, GitFailure>> {
  assertOids(oid);
  const reflogs = [
    join(at.commonDirectory, "logs", ref),
    ...[at.gitDirectory, at.commonDirectory].map((folder) => join(folder, "logs/HEAD")),
  ];
  if (reflogs.some((path) => holds(context.files, path, oid))) return ok(undefined);
  const git = userGit(context, directory);
  const asked = ["for-each-ref", "--count=1", "--format=%(refname)", `--contains=${oid}`];
  const held = await git.run(asked);
  if (!held.ok) return held;
  if (held.value.exitCode === 0 && linesOf(held.value.stdout).length > 0) return ok(undefined);
  const kept = `refs/wisp/rescue/${session}/tip-${oid.slice(0, 12)}`;
  const made = await git.must(["update-ref", "-m", "kept by wisp", kept, oid]);
  return made.ok ? ok(kept) : made;
}

function holds(files: Files, path: string, oid: Oid): boolean {
  const read = files.read(path, REFLOG_BYTES_MAX);
  return read.ok && read.value !== undefined && Buffer.from(read.value).includes(oid);
}

/**
 * Keeps a commit under one of wisp's own references, so that it survives whatever happens to its branch.
 * Idempotent; an existing reference is never moved.
 *
 * @param name below `refs/wisp/snapshot/`
 * @returns the reference and the commit that it holds
 */
export async function keepSnapshot(
  context: UserContext,
  { directory, name, at }: { readonly directory: string; readonly name: string; readonly at: Oid },
): Promise<Result<{ readonly ref: string; readonly at: Oid }, GitFailure>> {
  assertOids(at);
  const ref = `refs/wisp/snapshot/${name}`;
  const git = userGit(context, directory);
  const before = await askForRef(git, ref);
  if (before !== undefined) return ok({ ref, at: before });
  const made = await git.must(["update-ref", "-m", "kept by wisp", ref, at, ""]);
  return made.ok ? ok({ ref, at }) : made;
}
