import { join, posix } from "node:path";
import type { Oid } from "../../base/oid.ts";
import type { UnfilteredPath, UnfilteredRange } from "../../base/ports/filters.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import {
  ANNEX_ATTRIBUTE,
  ANNEX_FILTER,
  takenByAnnex,
  type TakenByAnnex,
} from "../annex/taken-by-annex.ts";
import { fileAsGitFailure } from "../command/git-failure.ts";
import { type Git, userGit } from "../command/git.ts";
import { assertOids } from "../command/object-ids.ts";
import {
  decodedText,
  LOG_FORMAT,
  parseLog,
  parseTree,
  type TreeChange,
} from "../command/raw-output.ts";
import { isTreePath } from "../command/tree-paths.ts";
import type { CloneRepo } from "./clone-repo.ts";

/** Not every path is UTF-8. */
const BYTES = { encoding: "latin1" } as const;
const LOG_OPTIONS = [
  // With -c, a merge lists only what none of its parents has.
  ...["--reverse", "--topo-order", "--root", "-c", "--no-color", "--no-ext-diff"],
  ...["--no-show-signature", "--raw", "--no-abbrev", "-r", "-z", "--no-renames"],
  `--format=${LOG_FORMAT}`,
];

/**
 * The files that commits of a range add or change, and that one of the filters `names` is to run on, by the attributes
 * of the session's base, of any commit of the range, or of the person's own. What the branch has already, under
 * whatever path, is published and does not count. Everything is read from objects and from the person's files: nothing
 * in the clone's work tree decides.
 */
export async function unfilteredPaths(
  repo: CloneRepo,
  { base, onto, head, brought }: UnfilteredRange,
  names: readonly string[],
): Promise<Result<readonly UnfilteredPath[], GitFailure>> {
  const known = [base, onto, ...(brought === undefined ? [] : [brought])];
  assertOids(head, ...known);
  const without = known.map((commit) => `^${commit}`);
  const log = await repo.git.must(["log", ...LOG_OPTIONS, head, ...without, "--"], BYTES);
  if (!log.ok) return log;
  const { changes } = parseLog(log.value);
  if (!changes.some(isFile)) return ok([]);
  const trees = await Promise.all(known.map((commit) => treeOf(repo.git, commit)));
  const published = new Set<Oid>();
  for (const tree of trees) {
    if (!tree.ok) return tree;
    for (const { oid } of tree.value) published.add(oid);
  }
  // What git checks out nowhere has no attributes, and is refused when it is to be published.
  const files = changes.filter(
    (one) => isFile(one) && !published.has(one.oid) && isTreePath(one.path),
  );
  if (files.length === 0) return ok([]);
  const holders = changes.flatMap((one) => (isAttributes(one) ? (one.commit ?? []) : []));
  const changed = await Promise.all(
    [...new Set([...holders, head])].map((commit) => treeOf(repo.git, commit)),
  );
  const isTaken = names.includes(ANNEX_FILTER)
    ? await takenByAnnex(
        repo,
        trees.flatMap((tree) => (tree.ok ? [tree.value] : [])),
        new Set(files.map(({ path }) => path)),
      )
    : ok(() => true);
  if (!isTaken.ok) return isTaken;
  const found = await filtersOf(repo, [...trees, ...changed], { files, isTaken: isTaken.value });
  if (!found.ok) return found;
  return ok(unfilteredIn(files, found.value, new Set(names)));
}

function unfilteredIn(
  files: readonly TreeChange[],
  found: ReadonlyMap<string, ReadonlySet<string>>,
  names: ReadonlySet<string>,
): readonly UnfilteredPath[] {
  const paths = new Map<string, UnfilteredPath>();
  for (const { path, commit } of files) {
    const filter = [...(found.get(path) ?? [])].find((name) => names.has(name));
    if (filter === undefined || commit === undefined || paths.has(path)) continue;
    paths.set(path, { path: decodedText(path), filter, commit });
  }
  return [...paths.values()];
}

/** Regular files: git runs no filter on links and submodules. */
function isFile({ mode }: TreeChange): boolean {
  return mode.startsWith("100");
}

function isAttributes({ path }: TreeChange): boolean {
  return posix.basename(path).toLowerCase() === ".gitattributes" && isTreePath(path);
}

async function treeOf(git: Git, at: Oid): Promise<Result<readonly TreeChange[], GitFailure>> {
  const listed = await git.must(["ls-tree", "-r", "-z", "--full-tree", at], BYTES);
  return listed.ok ? ok(parseTree(listed.value)) : listed;
}

type Tree = Awaited<ReturnType<typeof treeOf>>;

/** The filters of each path, by the attributes of any of the trees, alone and together with the person's own. */
async function filtersOf(
  repo: CloneRepo,
  trees: readonly Tree[],
  { files, isTaken }: { readonly files: readonly TreeChange[]; readonly isTaken: TakenByAnnex },
): Promise<Result<ReadonlyMap<string, ReadonlySet<string>>, GitFailure>> {
  const lists = new Set<string>();
  for (const tree of trees) {
    if (!tree.ok) return tree;
    const attributes = tree.value.filter((one) => isAttributes(one) && isFile(one));
    lists.add(attributes.map(({ mode, oid, path }) => `${mode} ${oid}\t${path}\0`).join(""));
  }
  const stdin = [...new Set(files.map(({ path }) => path))].map((path) => `${path}\0`).join("");
  const found = new Map<string, Set<string>>();
  for (const list of lists) {
    const said = await saidBy(repo, { list, stdin });
    if (!said.ok) return said;
    const counts = ({ path, filter, largeFiles }: Said) =>
      filter !== ANNEX_FILTER || isTaken(path, largeFiles);
    for (const { path, filter } of said.value.filter(counts)) {
      found.set(path, (found.get(path) ?? new Set()).add(filter));
    }
  }
  return ok(found);
}

/**
 * Reads the attributes that one set of attribute files gives each path. git reads these files from an index of their
 * own, because the option that names a tree is newer than the oldest git that wisp works with.
 *
 * @param list the attribute files, as `update-index --index-info -z` reads them
 * @param stdin the paths, each with a NUL at its end
 */
async function saidBy(
  { git, context, hub, location }: CloneRepo,
  { list, stdin }: { readonly list: string; readonly stdin: string },
): Promise<Result<readonly Said[], GitFailure>> {
  const index = join(location.gitDirectory, "wisp-attributes-index");
  for (const path of [index, `${index}.lock`]) {
    const removed = context.directories.removeTree(path);
    if (!removed.ok) return fail(fileAsGitFailure("check-attr", removed.failure));
  }
  const variables = { GIT_INDEX_FILE: index };
  const made = await git.act(["read-tree", "--empty"], { variables });
  if (!made.ok) return made;
  const info = { variables, stdin: list, ...BYTES };
  const filled = await git.act(["update-index", "-z", "--index-info"], info);
  if (!filled.ok) return filled;
  const words = ["check-attr", "--cached", "-z", "--stdin", "filter", ANNEX_ATTRIBUTE];
  // Their files are in objects that the person's repository may lack.
  const objects = `"${join(location.commonDirectory, "objects").replaceAll(/["\\]/gu, "\\$&")}"`;
  const theirs = { ...variables, GIT_ALTERNATE_OBJECT_DIRECTORIES: objects };
  const printed = await Promise.all([
    git.must(words, { variables, stdin, ...BYTES }),
    userGit(context, hub.directory).must(words, { variables: theirs, stdin, ...BYTES }),
  ]);
  context.directories.removeTree(index);
  const all: Said[] = [];
  for (const one of printed) {
    if (!one.ok) return one;
    all.push(...saidIn(one.value));
  }
  return ok(all);
}

/** What attributes say of a path. */
interface Said {
  readonly path: string;
  readonly filter: string;
  readonly largeFiles: string | undefined;
}

/** The output of `check-attr -z` for two attributes: path, attribute, value, and the same again. */
function saidIn(printed: string): readonly Said[] {
  const fields = printed.split("\0");
  const all: Said[] = [];
  for (let at = 0; at + 5 < fields.length; at += 6) {
    all.push({
      path: fields[at] ?? "",
      filter: fields[at + 2] ?? "",
      largeFiles: fields[at + 5],
    });
  }
  return all;
}
