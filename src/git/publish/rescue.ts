import { join } from "node:path";
import { assert } from "../../base/assert.ts";
import type { Oid } from "../../base/oid.ts";
import type { Environment } from "../../base/ports/processes.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { HUB_REF, headOf, isAncestor, refOf, type CloneRepo } from "../clone/clone-repo.ts";
import { gitFailure } from "../command/git-failure.ts";
import { linesOf } from "../command/git.ts";
import { askForRef } from "../command/read-ref.ts";
import { printedOid } from "../command/object-ids.ts";
import { fetchIntoHub } from "./publish.ts";
import { stageAll } from "../clone/stage-all.ts";

/** What is worth saving. */
export interface Rescue {
  /** Whether what is in the work tree, uncommitted, is to be saved. */
  readonly hasWork: boolean;
  /** Commits that nothing else may hold on to; those that the hub has already are left out. */
  readonly commits: readonly Oid[];
}

/**
 * Saves work and commits as one reference in the hub, `refs/wisp/rescue/<session>/<time>`, and returns
 * its name; `undefined` when there is nothing to save. Saving the same twice, as after a crash in
 * between, finds the first reference again: the commit is made of the content alone.
 */
export async function saveRescue(
  repo: CloneRepo,
  rescue: Rescue,
): Promise<Result<string | undefined, GitFailure>> {
  const loose = await looseOf(repo, rescue.commits);
  if (!rescue.hasWork && loose.length === 0) return ok(undefined);
  const head = await headOf(repo);
  const work = rescue.hasWork ? await treeOfWork(repo, head) : ok(undefined);
  if (!work.ok) return work;
  const [first, ...others] = loose;
  const kept = await treeOf(repo, first ?? head);
  if (!kept.ok) return kept;
  const tree = work.value ?? kept.value;
  // A work tree may look changed and hold nothing to save, such as an empty repository inside it.
  const isKept = tree === undefined || tree === kept.value;
  if (isKept && first === undefined) return ok(undefined);
  if (isKept && first !== undefined && others.length === 0) return nameInHub(repo, first);
  const parents = new Set(head === undefined ? loose : [head, ...loose]);
  const saved = await commitAgain(repo, tree, [...parents]);
  return saved.ok ? nameInHub(repo, saved.value) : saved;
}

/** The commits that neither the hub nor another of the list holds. */
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
    if (await isAncestor(repo.git, commit, holder)) return true;
  }
  return false;
}

/** The commit that is made of its content alone: the same again is the same commit. */
async function commitAgain(
  repo: CloneRepo,
  tree: Oid | undefined,
  parents: readonly Oid[],
): Promise<Result<Oid, GitFailure>> {
  assert(tree !== undefined, "what is saved has a tree");
  const args = ["commit-tree", tree, ...parents.flatMap((parent) => ["-p", parent])];
  const stamp = await stampOf(repo, parents);
  const printed = await repo.git.must([...args, "-F", "-"], {
    stdin: "Work saved by wisp before a repair\n",
    variables: { GIT_AUTHOR_DATE: stamp, GIT_COMMITTER_DATE: stamp },
  });
  return printed.ok ? printedOid(printed.value, repo.git) : printed;
}

/** Writes the work tree as a tree through an index of its own: the clone's own may be locked or half. */
async function treeOfWork(
  repo: CloneRepo,
  head: Oid | undefined,
): Promise<Result<Oid, GitFailure>> {
  const { directories } = repo.context;
  const index = join(repo.location.gitDirectory, "wisp-rescue-index");
  const variables: Environment = { GIT_INDEX_FILE: index };
  for (const path of [index, `${index}.lock`]) directories.removeTree(path);
  const read = await repo.git.must(["read-tree", head ?? "--empty"], { variables });
  if (!read.ok) return read;
  const staged = await stageAll(repo.git, { variables });
  if (!staged.ok) return staged;
  const written = await repo.git.must(["write-tree"], { variables });
  directories.removeTree(index);
  return written.ok ? printedOid(written.value, repo.git) : written;
}

async function treeOf(
  repo: CloneRepo,
  commit: Oid | undefined,
): Promise<Result<Oid | undefined, GitFailure>> {
  if (commit === undefined) return ok(undefined);
  const printed = await repo.git.must(["rev-parse", "--verify", `${commit}^{tree}`]);
  return printed.ok ? printedOid(printed.value, repo.git) : printed;
}

/** The newest parent's time: a date of now would make another commit of the same content. */
async function stampOf(repo: CloneRepo, parents: readonly Oid[]): Promise<string> {
  const args = ["log", "--no-walk", "--max-count=1", "--format=%ct", ...parents, "--"];
  const printed = parents.length === 0 ? undefined : await repo.git.must(args);
  const seconds = printed?.ok === true ? printed.value.trim() : "";
  return `@${seconds === "" ? "0" : seconds} +0000`;
}

async function nameInHub(
  repo: CloneRepo,
  commit: Oid,
): Promise<Result<string | undefined, GitFailure>> {
  const prefix = `refs/wisp/rescue/${repo.session}`;
  const pointing = ["for-each-ref", `--points-at=${commit}`, "--format=%(refname)", `${prefix}/`];
  const known = await repo.atHub.run(pointing);
  const [name] = known.ok && known.value.exitCode === 0 ? linesOf(known.value.stdout) : [];
  if (name !== undefined) return ok(name);
  const time = new Date(repo.context.clock.nowMs()).toISOString().replaceAll(/[-:]/gu, "");
  for (const suffix of ["", "-2", "-3", "-4"]) {
    const ref = `${prefix}/${time}${suffix}`;
    // Asked before: a fetch would move a name that is taken when it can do so by fast-forward.
    if ((await askForRef(repo.atHub, ref)) !== undefined) continue;
    const fetched = await fetchIntoHub(repo, commit, ref);
    return fetched.ok ? ok(ref) : fetched;
  }
  return fail(gitFailure("rescue", repo.hub.directory, "every name for the work is taken"));
}
