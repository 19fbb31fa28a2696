import { join } from "node:path";
import type { Oid } from "../../base/oid.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import { cloneEnvironment, type GitContext } from "../command/git-environment.ts";
import { gitIn, type Git, guardedGit } from "../command/git.ts";
import { restoreClone } from "./restore-clone.ts";
import { treeOfWork } from "./stage-all.ts";
import { decodedText, linesOf } from "../command/raw-output.ts";

/** The top directories of a clone and of the repository it was cloned from. */
export interface WorkPlace {
  readonly directory: string;
  readonly hub: string;
}

/** The state of the work in a clone: its commit, and its work tree as a tree object. */
export interface WorkPoint {
  readonly head: Oid;
  readonly tree: Oid;
}

/** A file as git stores it; `mode` is a string such as `100644`. */
export interface FileState {
  readonly mode: string;
  readonly bytes: Uint8Array;
}

/** One path that differs; a side is `undefined` if the file does not exist there. */
export interface FileChange {
  readonly path: string;
  readonly before: FileState | undefined;
  readonly after: FileState | undefined;
}

/** The changes up to a commit; without a message, the changes left uncommitted. */
export interface WorkStep {
  readonly message: string | undefined;
  readonly changes: readonly FileChange[];
}

/** Reads the state of the work in a clone, without changing anything. */
export async function readWorkPoint(
  context: GitContext,
  place: WorkPlace,
): Promise<Result<WorkPoint, GitFailure>> {
  const git = gitOf(context, place);
  const head = await git.oid(["rev-parse", "--verify", "HEAD^{commit}"]);
  if (!head.ok) return head;
  const index = join(place.directory, ".git", "wisp-recording-index");
  const tree = await treeOfWork(
    { git, context, directory: place.directory },
    { index, from: head.value },
  );
  return tree.ok ? ok({ head: head.value, tree: tree.value }) : tree;
}

/**
 * The work done in the clone between two points: commit by commit, then what was left uncommitted.
 * If the history was rewritten in between, all of it counts as one commit.
 */
export async function workBetween(
  context: GitContext,
  place: WorkPlace,
  { before, after }: { readonly before: WorkPoint; readonly after: WorkPoint },
): Promise<Result<readonly WorkStep[], GitFailure>> {
  const git = gitOf(context, place);
  const commits = await commitsBetween(git, before.head, after.head);
  if (!commits.ok) return commits;
  const steps: WorkStep[] = [];
  let tree: string = before.tree;
  for (const commit of [...commits.value, undefined]) {
    const next = commit ?? after.tree;
    const changes = await changesBetween(git, tree, next);
    if (!changes.ok) return changes;
    const message = commit === undefined ? undefined : await messageOf(git, commit);
    if (changes.value.length > 0) steps.push({ message, changes: changes.value });
    tree = next;
  }
  return ok(steps);
}

/** The subject line of a commit; `undefined` if the commit does not exist. */
export async function subjectIn(
  context: GitContext,
  place: WorkPlace,
  commit: string,
): Promise<string | undefined> {
  const printed = await gitOf(context, place).ask(["log", "-1", "--format=%s", commit, "--"]);
  return printed?.trimEnd();
}

/**
 * git in a clone whose engine may have changed its configuration, which is restored before each
 * command.
 */
function gitOf(context: GitContext, { directory, hub }: WorkPlace): Git {
  const git = gitIn(directory, cloneEnvironment(context.environment, directory));
  return guardedGit(git, () => {
    const stored = context.files.read(`${directory}.config`);
    if (!stored.ok || stored.value === undefined) return ok(undefined);
    return restoreClone(context, directory, {
      config: new TextDecoder().decode(stored.value),
      hub,
    });
  });
}

/** Oldest first; for merges, only the first parent's side. */
async function commitsBetween(
  git: Git,
  from: Oid,
  to: Oid,
): Promise<Result<readonly string[], GitFailure>> {
  if (from === to) return ok([]);
  const isAhead = await git.run(["merge-base", "--is-ancestor", from, to]);
  if (!isAhead.ok) return isAhead;
  if (isAhead.value.exitCode !== 0) return ok([to]);
  const listed = await git.must(["rev-list", "--reverse", "--first-parent", `${from}..${to}`]);
  return listed.ok ? ok(linesOf(listed.value)) : listed;
}

async function messageOf(git: Git, commit: string): Promise<string> {
  const message = await git.ask(["log", "-1", "--format=%B", commit, "--"]);
  return message?.trim() || "Update";
}

/** `:100644 100755 <before> <after> M`; the path follows, and a NUL ends each of them. */
const RAW = /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) [A-Z]/u;

async function changesBetween(
  git: Git,
  from: string,
  to: string,
): Promise<Result<readonly FileChange[], GitFailure>> {
  const args = ["diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", from, to, "--"];
  const printed = await git.must(args, { encoding: "latin1" });
  if (!printed.ok) return printed;
  const words = printed.value.split("\0");
  const changes: FileChange[] = [];
  for (let at = 0; at + 1 < words.length; at += 2) {
    const [, modeBefore = "", modeAfter = "", before = "", after = ""] =
      RAW.exec(words[at] ?? "") ?? [];
    const path = decodedText(words[at + 1] ?? "");
    const states = [await stateOf(git, modeBefore, before), await stateOf(git, modeAfter, after)];
    const [old, now] = states;
    if (old?.ok === false) return old;
    if (now?.ok === false) return now;
    changes.push({ path, before: old?.value, after: now?.value });
  }
  return ok(changes);
}

const ABSENT = "000000";
const SUBMODULE = "160000";

async function stateOf(
  git: Git,
  mode: string,
  oid: string,
): Promise<Result<FileState | undefined, GitFailure>> {
  if (mode === ABSENT || mode === SUBMODULE || mode === "") return ok(undefined);
  const printed = await git.must(["cat-file", "blob", oid], { encoding: "latin1" });
  return printed.ok ? ok({ mode, bytes: Buffer.from(printed.value, "latin1") }) : printed;
}
