import {
  BROUGHT_BLOB_BYTES_MAX,
  LINK_TARGET_BYTES_MAX,
  LINKS_FOLLOWED_MAX,
} from "../../base/limits.ts";
import type { Oid } from "../../base/oid.ts";
import type { BroughtIn, BroughtPath } from "../../base/ports/brought-in.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import type { Git } from "../command/git.ts";
import type { Files } from "../../base/ports/files.ts";
import type { GitDirectory } from "../command/git-directory.ts";
import { readCommit, type CommitObject } from "../command/read-commit.ts";
import { readObject } from "../command/read-object.ts";
import { linkEnds, type TreeLinks } from "./link-target.ts";
import { assertOids } from "../command/object-ids.ts";
import {
  LOG_FORMAT,
  parseBatch,
  parseLog,
  parseRaw,
  parseTree,
  decodedText,
  type TreeChange,
} from "../command/raw-output.ts";

/**
 * Reads output as bytes: not every path is UTF-8, and blobs are cut out of the output by their
 * size.
 */
const BYTES = { encoding: "latin1" } as const;
/** Forbids git to fetch missing objects of a partial clone just to inspect them. */
const HERE = { ...BYTES, variables: { GIT_NO_LAZY_FETCH: "1" } } as const;
/** Spells out every option, so that the user's own settings cannot change the output. */
const RAW = ["--raw", "--no-abbrev", "-r", "-z", "--no-renames", "--ignore-submodules=none"];

const LINK = "120000";
const SUBMODULE = "160000";

/** A repository whose objects are read from files. */
export interface ObjectPlace {
  readonly files: Files;
  readonly place: GitDirectory;
}

interface Range {
  readonly start: Oid;
  readonly end: Oid;
}

/**
 * What the commits after `start`, up to and including `end`, add; commits of merged branches count
 * too.
 *
 * @param objects where objects of the same repository are read that are not packed
 */
export async function broughtIn(
  git: Git,
  { start, end }: Range,
  objects?: ObjectPlace,
): Promise<Result<BroughtIn, GitFailure>> {
  assertOids(start, end);
  const [log, before] = await Promise.all([
    // With -c, a merge lists only what none of its parents has; the rest came with the merged
    // commits.
    git.must(["log", ...LOG_OPTIONS, ...RAW, `${start}..${end}`, "--"], BYTES),
    committedSeconds(git, start, objects && readCommit(objects.files, objects.place, start)),
  ]);
  if (!log.ok) return log;
  if (!before.ok) return before;
  const logged = parseLog(log.value);
  const { commits, changes } = logged;
  const net = await notableNow(git, { start, end }, logged);
  if (!net.ok) return net;
  const now = net.value;
  const links = now.filter(({ mode }) => mode === LINK);
  const tree = links.length === 0 ? ok([]) : await linksOf(git, end, links);
  if (!tree.ok) return tree;
  const files = changes.filter(({ mode }) => mode.startsWith("100"));
  const sizes = await sizesOf(git, [...files, ...tree.value], objects);
  if (!sizes.ok) return sizes;
  const targets = await targetsOf(git, tree.value, sizes.value);
  if (!targets.ok) return targets;
  const bringers = bringersOf(changes);
  const submodules = now.filter(({ mode }) => mode === SUBMODULE);
  return ok({
    startMs: before.value * 1_000,
    commits,
    links: leavingLinks(links, targets.value, bringers),
    submodules: submodules.map((one) => broughtBy(one, bringers)),
    blobs: largeFiles(files, sizes.value),
  });
}

async function committedSeconds(
  git: Git,
  at: Oid,
  read: CommitObject | undefined,
): Promise<Result<number, GitFailure>> {
  if (read?.committedSeconds !== undefined) return ok(read.committedSeconds);
  const format = ["log", "--no-walk", "--no-show-signature", "--format=%ct"];
  const printed = await git.must([...format, at, "--"]);
  return printed.ok ? ok(Number(printed.value.trim())) : printed;
}

/**
 * What differs between the two ends of a range, as far as links and submodules are concerned. If the
 * range is one line of commits, and none of them changed any, there is nothing.
 */
async function notableNow(
  git: Git,
  { start, end }: Range,
  { commits, parents, changes }: ReturnType<typeof parseLog>,
): Promise<Result<readonly TreeChange[], GitFailure>> {
  const line = [start, ...commits.map(({ sha }) => sha)];
  const isLine = parents.every((own, index) => own.length === 1 && own[0] === line[index]);
  if (isLine && line.at(-1) === end && !changes.some(isNotable)) return ok([]);
  const net = await git.must(["diff-tree", ...RAW, start, end, "--"], BYTES);
  return net.ok ? ok(parseRaw(net.value)) : net;
}

function isNotable({ mode }: TreeChange): boolean {
  return mode === LINK || mode === SUBMODULE;
}

const LOG_OPTIONS = [
  ...["--reverse", "--topo-order", "--root", "-c", "--no-color", "--no-ext-diff"],
  ...["--no-show-signature", "--encoding=UTF-8", `--format=${LOG_FORMAT}`],
];

/** All links of a commit, the `wanted` ones first. */
async function linksOf(
  git: Git,
  at: Oid,
  wanted: readonly TreeChange[],
): Promise<Result<readonly TreeChange[], GitFailure>> {
  const listed = await git.must(["ls-tree", "-r", "-z", "--full-tree", at], BYTES);
  if (!listed.ok) return listed;
  const paths = new Set(wanted.map(({ path }) => path));
  const others = parseTree(listed.value).filter(
    ({ mode, path }) => mode === LINK && !paths.has(path),
  );
  return ok([...wanted, ...others]);
}

/** The size in bytes of each blob that is present locally. */
async function sizesOf(
  git: Git,
  blobs: readonly TreeChange[],
  objects: ObjectPlace | undefined,
): Promise<Result<ReadonlyMap<Oid, number>, GitFailure>> {
  const known = new Map<Oid, number>();
  const all = [...new Set(blobs.map(({ oid }) => oid))];
  for (const oid of all.slice(0, READ_BLOBS_MAX)) {
    const blob =
      objects && readObject(objects.files, objects.place, { oid, bytesMax: READ_BYTES_MAX });
    if (blob?.kind === "blob") known.set(oid, blob.content.length);
  }
  const oids = all.filter((oid) => !known.has(oid));
  if (oids.length === 0) return ok(known);
  const stdin = `${oids.join("\n")}\n`;
  const format = "--batch-check=%(objectname) %(objecttype) %(objectsize)";
  const printed = await git.must(["cat-file", format], { ...HERE, stdin });
  if (!printed.ok) return printed;
  const rows = printed.value.matchAll(/^([0-9a-f]+) blob (\d+)$/gmu);
  for (const [, oid = "", bytes = ""] of rows) known.set(oid, Number(bytes));
  return ok(known);
}

/** How many blobs are read without git, and how long each may be: together they take less time than a process. */
const READ_BLOBS_MAX = 64;
const READ_BYTES_MAX = 256 * 1024;

/**
 * The target of each link, as bytes; `undefined` for links beyond the limit or longer than any
 * path.
 */
async function targetsOf(
  git: Git,
  links: readonly TreeChange[],
  sizes: ReadonlyMap<Oid, number>,
): Promise<Result<TreeLinks, GitFailure>> {
  const read = new Set(
    links
      .slice(0, LINKS_FOLLOWED_MAX)
      .map(({ oid }) => oid)
      .filter((oid) => (sizes.get(oid) ?? Infinity) <= LINK_TARGET_BYTES_MAX),
  );
  if (read.size === 0) return ok(new Map(links.map(({ path }) => [path, undefined])));
  const stdin = `${[...read].join("\n")}\n`;
  const printed = await git.must(["cat-file", "--batch"], { ...HERE, stdin });
  if (!printed.ok) return printed;
  const texts = parseBatch(printed.value);
  return ok(new Map(links.map(({ path, oid }) => [path, texts.get(oid)])));
}

function leavingLinks(
  links: readonly TreeChange[],
  targets: TreeLinks,
  bringers: Bringers,
): BroughtIn["links"] {
  const endOf = linkEnds(targets);
  return links.flatMap((link) => {
    const target = targets.get(link.path);
    const end = target === undefined ? "unknown" : endOf(link.path, target);
    if (end === undefined) return [];
    return [{ ...broughtBy(link, bringers), target: decodedText(target ?? ""), end }];
  });
}

/** Maps mode, object and path of a link or submodule to the last commit that added it. */
type Bringers = ReadonlyMap<string, Oid | undefined>;

function bringersOf(changes: readonly TreeChange[]): Bringers {
  const notable = changes.filter(isNotable);
  return new Map(notable.map((change) => [keyOf(change), change.commit]));
}

function broughtBy(change: TreeChange, bringers: Bringers): BroughtPath {
  return { path: decodedText(change.path), commit: bringers.get(keyOf(change)) };
}

function keyOf({ mode, oid, path }: TreeChange): string {
  return `${mode} ${oid} ${path}`;
}

/** Lists each large content once, where it first appeared. */
function largeFiles(
  files: readonly TreeChange[],
  sizes: ReadonlyMap<Oid, number>,
): BroughtIn["blobs"] {
  const large = new Map<Oid, BroughtIn["blobs"][number]>();
  for (const { path, oid, commit } of files) {
    const bytes = sizes.get(oid) ?? 0;
    if (bytes <= BROUGHT_BLOB_BYTES_MAX || large.has(oid)) continue;
    large.set(oid, { path: decodedText(path), bytes, commit });
  }
  return [...large.values()];
}
