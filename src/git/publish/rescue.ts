import { join } from "node:path";
import { assert } from "../../base/assert.ts";
import type { Oid } from "../../base/oid.ts";
import type { GitFailure, SavedCommit } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { type CloneRepo, headOf, HUB_REF, isAncestorIn, refOf } from "../clone/clone-repo.ts";
import { gitFailure } from "../command/git-failure.ts";
import { askForRef } from "../command/read-ref.ts";
import { fetchIntoHub } from "./publish.ts";
import { treeOfWork } from "../clone/stage-all.ts";
import { linesOf } from "../command/raw-output.ts";
import { keepContent } from "../lfs/keep-content.ts";
import { FETCH_ONLY } from "../repository/fetch-hub.ts";
import { changedPaths } from "../clone/history.ts";

/** What to save. */
export interface Rescue {
  /** Whether to save the uncommitted work in the work tree. */
  readonly hasWork: boolean;
  /** Commits that nothing else may keep alive; those that the hub already has are skipped. */
  readonly commits: readonly Oid[];
}

/**
 * Saves work and commits under one reference in the hub, `refs/wisp/rescue/<session>/<time>`, and returns its name;
 * `undefined` if there is nothing to save. Saving the same content again, as after a crash in between, finds the
 * first reference, because the commit depends on the content alone.
 */
export async function saveRescue(
  repo: CloneRepo,
  rescue: Rescue,
): Promise<Result<string | undefined, GitFailure>> {
  const loose = await looseOf(repo, rescue.commits);
  if (!rescue.hasWork && loose.length === 0) return ok(undefined);
  const head = await headOf(repo);
  const index = join(repo.location.gitDirectory, "wisp-rescue-index");
  const work = rescue.hasWork ? await treeOfWork(repo, { index, from: head }) : ok(undefined);
  if (!work.ok) return work;
  const [first, ...others] = loose;
  const kept = await treeOf(repo, first ?? head);
  if (!kept.ok) return kept;
  const tree = work.value ?? kept.value;
  // A work tree may seem changed and yet have nothing to save, such as an empty repository inside it.
  const isKept = tree === undefined || tree === kept.value;
  if (isKept && first === undefined) return ok(undefined);
  if (isKept && first !== undefined && others.length === 0) return nameInHub(repo, first);
  const parents = new Set(head === undefined ? loose : [head, ...loose]);
  const saved = await commitContent(repo, tree, [...parents]);
  return saved.ok ? nameInHub(repo, saved.value) : saved;
}

/** The commits that are contained neither in the hub nor in another commit of the list. */
async function looseOf(repo: CloneRepo, commits: readonly Oid[]): Promise<readonly Oid[]> {
  const hubHead = await refOf(repo, HUB_REF);
  const loose: Oid[] = [];
  for (const commit of new Set(commits)) {
    const holders = hubHead === undefined ? loose : [hubHead, ...loose];
    if (!(await isHeld(repo, commit, holders))) loose.push(commit);
  }
  return loose;
}

async function isHeld(repo: CloneRepo, commit: Oid, holders: readonly Oid[]): Promise<boolean> {
  for (const holder of holders) {
    if (await isAncestorIn(repo, commit, holder)) return true;
  }
  return false;
}

/** Makes a commit that depends on its content alone, so that the same content gives the same commit. */
async function commitContent(
  repo: CloneRepo,
  tree: Oid | undefined,
  parents: readonly Oid[],
): Promise<Result<Oid, GitFailure>> {
  assert(tree !== undefined, "what is saved has a tree");
  const args = ["commit-tree", tree, ...parents.flatMap((parent) => ["-p", parent])];
  const stamp = await stampOf(repo, parents);
  return repo.git.oid([...args, "-F", "-"], {
    stdin: "Work saved by wisp before a repair\n",
    variables: { GIT_AUTHOR_DATE: stamp, GIT_COMMITTER_DATE: stamp },
  });
}

async function treeOf(
  repo: CloneRepo,
  commit: Oid | undefined,
): Promise<Result<Oid | undefined, GitFailure>> {
  return commit === undefined
    ? ok(undefined)
    : repo.git.oid(["rev-parse", "--verify", `${commit}^{tree}`]);
}

/** The newest parent's time: the current time would give the same content a different commit. */
async function stampOf(repo: CloneRepo, parents: readonly Oid[]): Promise<string> {
  const args = ["log", "--no-walk", "--max-count=1", "--format=%ct", ...parents, "--"];
  const seconds = parents.length === 0 ? "" : (await repo.git.ask(args))?.trim();
  return `@${seconds || "0"} +0000`;
}

async function nameInHub(
  repo: CloneRepo,
  commit: Oid,
): Promise<Result<string | undefined, GitFailure>> {
  const prefix = `refs/wisp/rescue/${repo.session}`;
  const pointing = ["for-each-ref", `--points-at=${commit}`, "--format=%(refname)", `${prefix}/`];
  const [name] = linesOf((await repo.atHub.ask(pointing)) ?? "");
  if (name !== undefined) return ok(name);
  const time = new Date(repo.context.clock.nowMs()).toISOString().replaceAll(/[-:]/gu, "");
  for (const suffix of ["", "-2", "-3", "-4"]) {
    const ref = `${prefix}/${time}${suffix}`;
    // Checked first, because a fetch would move an existing reference if it can fast-forward.
    if ((await askForRef(repo.atHub, ref)) !== undefined) continue;
    const kept = await keepSaved(repo, commit);
    if (!kept.ok) return kept;
    const fetched = await fetchIntoHub(repo, commit, ref);
    return fetched.ok ? ok(ref) : fetched;
  }
  return fail(gitFailure("rescue", repo.hub.directory, "every name for the work is taken"));
}

/** Keeps the content of files under Git LFS as well, as far as the clone has it, and as a session may bring it. */
async function keepSaved(repo: CloneRepo, commit: Oid): Promise<Result<unknown, GitFailure>> {
  const from = await refOf(repo, HUB_REF);
  return from === undefined ? ok(undefined) : keepContent(repo, { from, to: commit });
}

/** The clone's reference for the rescued commit fetched last. */
const SAVED_REF = "refs/wisp/saved";
/** The references under which wisp saves work. */
const SAVED = /^refs\/wisp\/rescue\/[^\s:*?[\\^~]+$/u;

/** Fetches a commit that wisp saved in the hub; `undefined` if its reference was deleted. */
export async function savedCommit(
  repo: CloneRepo,
  ref: string,
): Promise<Result<SavedCommit | undefined, GitFailure>> {
  assert(SAVED.test(ref), "a saved commit is below refs/wisp/rescue");
  const commit = await askForRef(repo.atHub, ref);
  if (commit === undefined) return ok(undefined);
  const refspec = `+${ref}:${SAVED_REF}`;
  const fetched = await repo.fetcher.must([...FETCH_ONLY, "--", repo.hub.directory, refspec]);
  if (!fetched.ok) return fetched;
  const parent = await repo.git.oid(["rev-parse", "--verify", "--end-of-options", `${commit}^1`]);
  if (!parent.ok) return parent;
  const changed = await changedPaths(repo, parent.value, commit);
  if (!changed.ok) return changed;
  const there = changed.value.filter(({ status }) => status !== "deleted");
  return ok({ commit, paths: there.map(({ path }) => path) });
}
