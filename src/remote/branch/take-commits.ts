import { join } from "node:path";
import { explain } from "../../base/explain.ts";
import type { Oid } from "../../base/oid.ts";
import { TAKE_COMMITS_TRIES_MAX } from "../../base/limits.ts";
import { isContained } from "../../git/repository/branch-apart.ts";
import { branchCheckedOutAt } from "../../git/repository/branches.ts";
import { FETCH_ONLY } from "../../git/repository/fetch-hub.ts";
import { askForRef } from "../../git/command/read-ref.ts";
import { type Git, userGit } from "../../git/command/git.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import { gitContext, type World } from "../../workspace/world.ts";
import { takeContents } from "../take/take-contents.ts";
import { type CommitsTaken, sentCommitsPath, sentContentsPath } from "./sent-commits.ts";

/**
 * Takes the commits that a person made where a session is mirrored: its branch here moves forward to `at`, as if they
 * had been made here. git itself refuses anything but adding commits, under the lock of the branch, and so it is with
 * what the builder publishes meanwhile. Done again, it changes nothing.
 */
export async function takeCommits(
  world: Pick<World, "host" | "env">,
  { session }: Pick<FoundSession, "session">,
  { root, at }: { readonly root: string; readonly at: Oid },
): Promise<CommitsTaken> {
  const git = userGit(gitContext(world), session.repository);
  const bundle = sentCommitsPath(root, at);
  const path = sentContentsPath(root, at);
  const repository = session.repository;
  const contents = await takeContents(world, { path, repository, scratch: join(root, "given") });
  const taken = contents.ok
    ? await moveTo(world, { git, branch: session.branch, bundle, at })
    : failed(explain(contents.failure).message);
  // Those that cannot be taken are sent again once that is different.
  for (const sent of [bundle, path]) world.host.files.remove(sent);
  return taken;
}

interface Move {
  readonly git: Git;
  readonly branch: string;
  readonly bundle: string;
  readonly at: Oid;
}

async function moveTo(world: Pick<World, "host" | "env">, move: Move): Promise<CommitsTaken> {
  const { git, branch, bundle, at } = move;
  const ref = `refs/heads/${branch}`;
  let detail = "";
  for (let tries = 0; tries < TAKE_COMMITS_TRIES_MAX; tries += 1) {
    const head = await askForRef(git, ref);
    // A fetch would make the branch again that was given up.
    if (head === undefined) return failed(`the branch ${branch} is gone there`);
    if (await contains(git, at, head)) return { version: 1, became: "taken" };
    const directory = await branchCheckedOutAt(gitContext(world), {
      directory: git.directory,
      branch,
    });
    if (directory !== undefined) return failed(`the branch is checked out there, in ${directory}`);
    const moved = await git.act([...FETCH_ONLY, "--", bundle, `${ref}:${ref}`]);
    if (moved.ok) continue;
    detail = moved.failure.message;
    const isWhole = (await git.ask(["cat-file", "-e", `${at}^{commit}`])) !== undefined;
    const now = await askForRef(git, ref);
    const isForward = now !== undefined && isWhole && (await contains(git, now, at));
    if (isWhole && now !== undefined && !isForward && !(await contains(git, at, now))) {
      return { version: 1, became: "diverged" };
    }
  }
  return failed(detail);
}

async function contains(git: Git, part: Oid, whole: Oid): Promise<boolean> {
  const asked = await isContained(git, part, whole);
  return asked.ok && asked.value;
}

function failed(detail: string): CommitsTaken {
  return { version: 1, became: "failed", detail };
}
