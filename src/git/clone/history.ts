import { posix } from "node:path";
import type { Oid } from "../../base/oid.ts";
import type { ChangedPath, CommittedFile, DiffText, GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import { type CloneRange, type CloneRepo, HUB_REF, keep, mustHead, refOf } from "./clone-repo.ts";
import { linesInDiff } from "./diff-lines.ts";
import { readCommit, readHistory } from "../command/read-commit.ts";
import { readObject } from "../command/read-object.ts";
import { TreeReader } from "../command/read-tree.ts";
import { assertOids, printedOids } from "../command/object-ids.ts";
import { linesOf, parseTree } from "../command/raw-output.ts";

const SUBJECT_CHARS_MAX = 200;
/** How many trees are remembered: a turn asks for those at the starts of its unit, milestone and session. */
const TREES_MAX = 64;
/** How many lists of changed paths are remembered, and how long each may be. */
const CHANGES_MAX = 16;
const CHANGED_PATHS_MAX = 1_000;
/** The longest file that is read without git. */
const BLOB_BYTES_MAX = 4 * 1024 * 1024;

/** The commits of `base..HEAD` in the clone, oldest first. */
export async function commitsSince(
  repo: CloneRepo,
  base: Oid,
): Promise<Result<readonly Oid[], GitFailure>> {
  const head = await mustHead(repo);
  if (!head.ok) return head;
  const range = await rangeInClone(repo, base, head.value);
  return range.ok ? ok(range.value.commits) : range;
}

/** Whether the clone has the commit, reachable or not. */
export async function hasCommit(repo: CloneRepo, oid: Oid): Promise<boolean> {
  if (await isAtHand(repo, oid)) return true;
  return (await repo.git.ask(["cat-file", "-e", `${oid}^{commit}`])) !== undefined;
}

/** Whether the clone certainly has the commit; starts no process. */
export async function isAtHand(repo: CloneRepo, oid: Oid): Promise<boolean> {
  assertOids(oid);
  // The hub's commit as of the last fetch or publish is always present.
  if ((await refOf(repo, HUB_REF)) === oid) return true;
  return readCommit(repo.context.files, repo.location, oid) !== undefined;
}

/** The paths that differ between two commits, with renames detected. */
export async function changedPaths(
  { git, memory: { changes }, context, location }: CloneRepo,
  start: Oid,
  end: Oid,
): Promise<Result<readonly ChangedPath[], GitFailure>> {
  assertOids(start, end);
  if (start === end) return ok([]);
  const key = `${start} ${end}`;
  const known = changes.get(key) ?? reversed(changes.get(`${end} ${start}`));
  if (known !== undefined) return ok(known);
  const compared = new TreeReader(context.files, location).changes(start, end);
  const printed =
    compared === undefined
      ? await git.must(["diff-tree", "-r", "-z", "-M", "--name-status", start, end, "--"])
      : ok("");
  if (!printed.ok) return printed;
  const changed = compared ?? parseNameStatus(printed.value);
  if (changed.length <= CHANGED_PATHS_MAX) keep(changes, key, changed, CHANGES_MAX);
  return ok(changed);
}

/**
 * The same changes in the other direction; undefined if only git can tell them. Where files were both added
 * and deleted, git may find renames, and it names a renamed file by its new path only.
 */
function reversed(changed: readonly ChangedPath[] | undefined): readonly ChangedPath[] | undefined {
  const kinds = new Set(changed?.map(({ status }) => status));
  const isOneWay = !(kinds.has("added") && kinds.has("deleted"));
  if (!isOneWay || kinds.has("renamed") || kinds.has("other")) return undefined;
  return changed?.map(({ status, path }) => ({ status: OPPOSITES[status], path }));
}

const OPPOSITES: Readonly<Record<ChangedPath["status"], ChangedPath["status"]>> = {
  added: "deleted",
  deleted: "added",
  modified: "modified",
  renamed: "renamed",
  other: "other",
};

/**
 * The changes of a range, as `git diff` prints them: three lines of context, renames detected, no
 * external programs. Output beyond `bytesMax` is cut off at a line break.
 */
export async function diff(
  { git, memory }: CloneRepo,
  { start, end }: { readonly start: Oid; readonly end: Oid },
  bytesMax: number,
): Promise<Result<DiffText, GitFailure>> {
  assertOids(start, end);
  const options = ["--no-ext-diff", "--no-textconv", "--no-color", "--unified=3", "-M"];
  const printed = await git.must(["diff", ...options, start, end, "--"], {
    cutAtBytes: bytesMax + 1,
  });
  if (!printed.ok) return printed;
  const bytes = Buffer.from(printed.value);
  if (bytes.length <= bytesMax) {
    const lines = linesInDiff(printed.value);
    if (lines !== undefined) keep(memory.lines, `${start} ${end}`, lines, CHANGES_MAX);
    return ok({ text: printed.value, isWhole: true });
  }
  const lines = bytes.subarray(0, bytes.lastIndexOf("\n", bytesMax - 1) + 1);
  return ok({ text: lines.toString("utf8"), isWhole: false });
}

/**
 * The number of lines added and removed between two commits, with renames detected; binary files
 * count as 0.
 */
export async function changedLines(
  { git, memory }: CloneRepo,
  start: Oid,
  end: Oid,
): Promise<Result<number, GitFailure>> {
  assertOids(start, end);
  const known = memory.lines.get(`${start} ${end}`);
  if (known !== undefined) return ok(known);
  const printed = await git.must([
    ...["diff-tree", "-r", "-M", "--numstat", "--no-ext-diff", "--no-textconv"],
    ...[start, end, "--"],
  ]);
  if (!printed.ok) return printed;
  const rows = printed.value.matchAll(/^(\d+)\t(\d+)\t/gm);
  return ok(
    [...rows].reduce((sum, [, added, removed]) => sum + Number(added) + Number(removed), 0),
  );
}

/** All files in a commit. */
export async function filesAt(
  repo: CloneRepo,
  at: Oid,
): Promise<Result<readonly CommittedFile[], GitFailure>> {
  assertOids(at);
  const read = new TreeReader(repo.context.files, repo.location).filesAt(at);
  if (read !== undefined) return ok(read);
  const printed = await repo.git.must(["ls-tree", "-r", "-z", "--full-tree", at]);
  if (!printed.ok) return printed;
  return ok(parseTree(printed.value).map(({ path, oid, mode }) => ({ path, oid, mode })));
}

/**
 * The tree of a commit. The clone is restored first, like before a command: `open-tree.ts` relies
 * on it.
 */
export async function treeOf(repo: CloneRepo, at: Oid): Promise<Result<Oid, GitFailure>> {
  assertOids(at);
  const { trees } = repo.memory;
  const restored = repo.restore();
  if (!restored.ok) return restored;
  const known = trees.get(at) ?? readCommit(repo.context.files, repo.location, at)?.tree;
  if (known !== undefined) return ok(known);
  const asked = await repo.git.oid(["rev-parse", "--verify", "--end-of-options", `${at}^{tree}`]);
  if (asked.ok) keep(trees, at, asked.value, TREES_MAX);
  return asked;
}

/** The subject line of a commit, cleaned for display. */
export async function subjectOf(repo: CloneRepo, at: Oid): Promise<Result<string, GitFailure>> {
  assertOids(at);
  const printed = await repo.git.must(["log", "--no-walk", "--format=%s", at, "--"]);
  if (!printed.ok) return printed;
  return ok(cleanText(printed.value, { charsMax: SUBJECT_CHARS_MAX, lines: "one" }));
}

/**
 * The content of a regular file in a commit, decoded as UTF-8; `undefined` if there is no such
 * file.
 */
export async function show(
  repo: CloneRepo,
  at: Oid,
  path: string,
): Promise<Result<string | undefined, GitFailure>> {
  assertOids(at);
  const inside = posix.normalize(path);
  // Models supply these paths, so refuse any that leave the tree or contain a NUL.
  if (inside.startsWith("../") || inside.startsWith("/") || inside.includes("\0")) {
    return ok(undefined);
  }
  const read = blobAt(repo, at, inside);
  if (read !== undefined) return ok(read.text);
  const listing = ["--literal-pathspecs", "ls-tree", "-z", "--full-tree", at, "--", inside];
  const entry = await repo.git.must(listing);
  if (!entry.ok) return entry;
  const [, oid, name] = /^100[0-7]{3} blob ([0-9a-f]+)\t([^\0]*)\0$/u.exec(entry.value) ?? [];
  // A path ending in a slash lists the directory's entries instead.
  if (oid === undefined || name !== inside) return ok(undefined);
  // Returned as it is, because an empty file prints nothing.
  return repo.git.must(["cat-file", "blob", oid]);
}

/** A regular file of a commit, read from the files of its objects; undefined if only git can tell. */
function blobAt(
  { context: { files }, location }: CloneRepo,
  at: Oid,
  path: string,
): { readonly text: string | undefined } | undefined {
  const entry = new TreeReader(files, location).entryAt(at, path);
  if (entry === undefined) return undefined;
  if (entry === "absent" || !entry.mode.startsWith("100")) return { text: undefined };
  const blob = readObject(files, location, { oid: entry.oid, bytesMax: BLOB_BYTES_MAX });
  return blob?.kind === "blob" ? { text: blob.content.toString("utf8") } : undefined;
}

function parseNameStatus(printed: string): readonly ChangedPath[] {
  const fields = printed.split("\0");
  const changed: ChangedPath[] = [];
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const code = fields[index]?.charAt(0) ?? "";
    // A rename lists the old path first.
    if (code === "R" || code === "C") index += 1;
    changed.push({ status: STATUSES.get(code) ?? "other", path: fields[index + 1] ?? "" });
  }
  return changed;
}

/** Maps the letters of `--name-status` to changes. */
const STATUSES: ReadonlyMap<string, ChangedPath["status"]> = new Map([
  ["A", "added"],
  ["M", "modified"],
  ["D", "deleted"],
  ["R", "renamed"],
]);

/**
 * The range between two commits of the clone. The last one is remembered, because a turn's commits
 * are requested when it ends, before they are rebased and before they are published.
 */
export async function rangeInClone(
  repo: CloneRepo,
  from: Oid,
  to: Oid,
): Promise<Result<CloneRange, GitFailure>> {
  assertOids(from, to);
  const { git, memory } = repo;
  if (from === to) return ok({ from, to, commits: [], hasMerges: false, isBehind: false });
  if (memory.range?.from === from && memory.range.to === to) return ok(memory.range);
  const { files } = repo.context;
  const read = readHistory(files, repo.location, { from, to });
  if (read !== undefined) {
    memory.range = { from, to, commits: read, hasMerges: false, isBehind: false };
    return ok(memory.range);
  }
  const options = ["--reverse", "--topo-order", "--left-right", "--parents"];
  const printed = await git.must(["rev-list", ...options, `${from}...${to}`, "--"]);
  if (!printed.ok) return printed;
  const lines = linesOf(printed.value);
  const own = lines.filter((line) => line.startsWith(">")).map((line) => line.slice(1).split(" "));
  const commits = printedOids(own.map(([oid]) => oid).join("\n"), git.directory);
  if (!commits.ok) return commits;
  memory.range = {
    from,
    to,
    commits: commits.value,
    // Each line holds a commit followed by its parents.
    hasMerges: own.some(({ length }) => length > 2),
    isBehind: own.length < lines.length,
  };
  return ok(memory.range);
}
