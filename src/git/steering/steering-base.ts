import { createHash } from "node:crypto";
import { join, posix } from "node:path";
import type { Oid } from "../../base/oid.ts";
import type { ExactContent } from "../../base/ports/directories.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { fileAsGitFailure } from "../command/git-failure.ts";
import { assertOids } from "../command/object-ids.ts";
import { decodedText, parseBatch, parseTree, type TreeChange } from "../command/raw-output.ts";
import { steeringRoot } from "./steering-paths.ts";
import { type SteeredClone, steeringFolder } from "./steering-place.ts";

/** What a base may have of such files; others count as absent, and are named. */
const FILES_MAX = 2_000;
const FILE_BYTES_MAX = 8 * 1024 * 1024;
const ALL_BYTES_MAX = 32 * 1024 * 1024;
/** Links that lead to links. */
const LINKS_MAX = 8;
const LINK_BYTES_MAX = 4_096;

/** A file of the base as a checkout writes it. */
export interface BaseFile extends ExactContent {
  readonly path: string;
  /** Its copy beside the clone. */
  readonly from: string;
  readonly isExecutable: boolean;
  readonly oid: Oid;
  /** The link of the base in whose place it is, and where that leads to; absent: it is a file in the base. */
  readonly through?: { readonly link: string; readonly to: string } | undefined;
}

/** The files of a base that steer agents. */
export interface SteeringBase {
  readonly at: Oid;
  /** By the file or folder that steers agents as a whole. In place of a link are the files that it leads to. */
  readonly roots: ReadonlyMap<string, readonly BaseFile[]>;
  /** The links and submodules, by path. Where nobody changed them they stay; else only the files of links are placed. */
  readonly others: ReadonlyMap<string, Oid>;
  /** Paths beyond the limits, which count as absent. */
  readonly left: readonly string[];
}

/** Whether the copies are still where they were put. */
export function hasCopies(
  { files }: Pick<SteeredClone["context"], "files">,
  { roots }: SteeringBase,
): boolean {
  return [...roots.values()].flat().every(({ from }) => files.stat(from) !== undefined);
}

/** Reads the files of a commit that steer agents, and puts copies beside the clone. The clone must have the commit. */
export async function steeringBase(
  clone: SteeredClone,
  at: Oid,
): Promise<Result<SteeringBase, GitFailure>> {
  assertOids(at);
  const args = ["ls-tree", "-r", "-z", "--full-tree", at];
  const printed = await clone.git.must(args, { encoding: "latin1" });
  if (!printed.ok) return printed;
  const tree = new Map<string, TreeChange>();
  for (const one of parseTree(printed.value)) tree.set(decodedText(one.path), one);
  const links = [...tree].filter(([, { mode }]) => mode === LINK);
  const targets = await targetsOf(clone, links);
  if (!targets.ok) return targets;
  const { files, others } = chosen(tree, targets.value);
  if (files.length === 0) return ok({ at, roots: rootsOf([], others), others, left: [] });
  const attributes = [...tree.values()].filter(
    ({ path, mode }) => /(?:^|\/)\.gitattributes$/iu.test(path) && mode.startsWith("100"),
  );
  const within = files.slice(0, FILES_MAX);
  const copied = await copyOut(clone, within, attributes);
  if (!copied.ok) return copied;
  const { read, left } = readAll(clone, within);
  const beyond = files.slice(FILES_MAX).map(({ path }) => path);
  return ok({ at, others, roots: rootsOf(read, others), left: [...left, ...beyond] });
}

const LINK = "120000";

type Tree = ReadonlyMap<string, TreeChange>;

interface Chosen {
  readonly path: string;
  readonly mode: string;
  readonly oid: Oid;
  readonly through?: BaseFile["through"];
}

/** The text of links: paths in the tree, relative to the link. */
async function targetsOf(
  { git }: SteeredClone,
  links: readonly (readonly [string, TreeChange])[],
): Promise<Result<ReadonlyMap<string, string>, GitFailure>> {
  const isNeeded = links.some(([path]) => steeringRoot(path) !== undefined);
  if (!isNeeded) return ok(new Map());
  const stdin = [...new Set(links.map(([, { oid }]) => oid))].map((oid) => `${oid}\n`).join("");
  const printed = await git.must(["cat-file", "--batch"], { stdin, encoding: "latin1" });
  if (!printed.ok) return printed;
  const texts = parseBatch(printed.value);
  const known = links.flatMap(([path, { oid }]) => {
    const text = texts.get(oid);
    return text === undefined || text.length > LINK_BYTES_MAX
      ? []
      : [[path, decodedText(text)] as const];
  });
  return ok(new Map(known));
}

/** The files that steer agents, with what links among them lead to inside of the commit. */
function chosen(
  tree: Tree,
  targets: ReadonlyMap<string, string>,
): { readonly files: readonly Chosen[]; readonly others: ReadonlyMap<string, Oid> } {
  const files: Chosen[] = [];
  const others = new Map<string, Oid>();
  for (const [path, { mode, oid }] of tree) {
    if (steeringRoot(path) === undefined || path.includes("\uFFFD")) continue;
    const isFile = mode.startsWith("100");
    if (isFile) files.push({ path, mode, oid });
    else others.set(path, oid);
    const ends = mode === LINK ? endsOf(tree, targets, path) : [];
    for (const { to, rest, end } of ends) {
      const through = { link: path, to };
      files.push({ path: `${path}${rest}`, mode: end.mode, oid: end.oid, through });
    }
  }
  return { files, others };
}

interface LinkEnd {
  readonly to: string;
  /** What follows the link's path: nothing, or a path in the folder that it leads to. */
  readonly rest: string;
  readonly end: TreeChange;
}

function endsOf(
  tree: Tree,
  targets: ReadonlyMap<string, string>,
  path: string,
): readonly LinkEnd[] {
  let to = path;
  for (let links = 0; ; links++) {
    const target = targets.get(to);
    if (target === undefined) break;
    if (links >= LINKS_MAX || target.startsWith("/")) return [];
    to = posix.normalize(posix.join(posix.dirname(to), target)).replace(/\/$/u, "");
    if (to === "." || to === ".." || to.startsWith("../")) return [];
  }
  const file = tree.get(to);
  const isPlain = ({ mode }: TreeChange) => mode.startsWith("100");
  if (file !== undefined) return isPlain(file) ? [{ to, rest: "", end: file }] : [];
  return [...tree].flatMap(([at, end]) =>
    at.startsWith(`${to}/`) && isPlain(end) ? [{ to: at, rest: at.slice(to.length), end }] : [],
  );
}

/**
 * Has git write the files as it would check them out, by the attributes of the same commit: those of the branch decide
 * nothing. No filter is run, since the clone's configuration has none that writes files.
 */
async function copyOut(
  { git, context: { files, directories }, directory }: SteeredClone,
  chosen: readonly Chosen[],
  attributes: readonly TreeChange[],
): Promise<Result<void, GitFailure>> {
  const [index, copies] = [indexPath(directory), copiesFolder(directory)];
  for (const path of [index, `${index}.lock`, copies]) {
    const removed = directories.removeTree(path);
    if (!removed.ok) return fail(fileAsGitFailure("steer", removed.failure));
  }
  const made = files.makeDirectory(copies);
  if (!made.ok) return fail(fileAsGitFailure("steer", made.failure));
  const variables = { GIT_INDEX_FILE: index, GIT_WORK_TREE: copies };
  const paths = chosen.map(({ path }) => Buffer.from(path).toString("latin1"));
  const own = chosen.map(({ mode, oid }, at) => `${mode} ${oid}\t${paths[at] ?? ""}\0`);
  const others = attributes.map(({ mode, oid, path }) => `${mode} ${oid}\t${path}\0`);
  const list = [...new Set([...own, ...others])].join("");
  const options = { variables, encoding: "latin1" } as const;
  const filled = await git.act(["update-index", "-z", "--index-info"], { ...options, stdin: list });
  if (!filled.ok) return filled;
  const stdin = paths.map((path) => `${path}\0`).join("");
  return git.act(["checkout-index", "-f", "-q", "-z", "--stdin"], { ...options, stdin });
}

function indexPath(directory: string): string {
  return join(steeringFolder(directory), "index");
}

function copiesFolder(directory: string): string {
  return join(steeringFolder(directory), "base");
}

function readAll(
  { context, directory }: SteeredClone,
  chosen: readonly Chosen[],
): { readonly read: readonly BaseFile[]; readonly left: readonly string[] } {
  const found: BaseFile[] = [];
  const left: string[] = [];
  let remaining = ALL_BYTES_MAX;
  for (const { path, mode, oid, through } of chosen) {
    const from = join(copiesFolder(directory), path);
    const read = context.files.read(from, FILE_BYTES_MAX);
    const bytes = read.ok ? read.value : undefined;
    remaining -= bytes?.length ?? 0;
    if (bytes === undefined || remaining < 0) {
      left.push(path);
      continue;
    }
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const isExecutable = mode === "100755";
    found.push({ path, from, oid, through, isExecutable, sizeBytes: bytes.length, sha256 });
  }
  return { read: found, left };
}

function rootsOf(
  files: readonly BaseFile[],
  others: ReadonlyMap<string, Oid>,
): SteeringBase["roots"] {
  const roots = new Map<string, BaseFile[]>();
  for (const path of others.keys()) roots.set(steeringRoot(path) ?? path, []);
  for (const file of files) {
    const root = steeringRoot(file.path) ?? file.path;
    roots.set(root, [...(roots.get(root) ?? []), file]);
  }
  return roots;
}
