import { join } from "node:path";
import type { Files } from "../../base/ports/files.ts";
import type { Oid } from "../../base/oid.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import type { GitDirectory } from "../command/git-directory.ts";
import { userEnvironment, type GitContext } from "../command/git-environment.ts";
import { gitIn, linesOf } from "../command/git.ts";
import { assertOids } from "../command/object-ids.ts";

/** A longer reflog is not looked through: then one reference more is kept than need be. */
const REFLOG_BYTES_MAX = 64 * 1024 * 1024;

/** A commit that a reference named until it was moved or removed. */
export interface LostTip {
  /** Top of the work tree of the repository. */
  readonly directory: string;
  readonly at: GitDirectory;
  /** Full name of the reference. */
  readonly ref: string;
  readonly oid: Oid;
  /** Id of the session under whose name it is kept. */
  readonly session: string;
}

/**
 * Keeps a tip that nothing else keeps as `refs/wisp/rescue/<session>/tip-<id>`, and returns that name;
 * `undefined` where a reflog or another reference holds it. Twice is the same as once.
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
  const git = gitIn(directory, userEnvironment(context.environment, directory));
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
