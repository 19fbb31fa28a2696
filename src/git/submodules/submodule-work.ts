import { join } from "node:path";
import { SUBMODULE_REFS_MAX } from "../../base/submodule-limits.ts";
import { Oid } from "../../base/oid.ts";
import { shown } from "../../base/words/shown.ts";
import type { CloneRepo } from "../clone/clone-repo.ts";
import { linesOf } from "../command/raw-output.ts";
import { asideFolder, changedIn } from "./clear-submodules.ts";
import {
  besideFilled,
  folderAt,
  gitmodulesIn,
  isAsFilled,
  linksInClone,
  linksWithin,
} from "./filled-folder.ts";
import { filledIn } from "./filled-record.ts";
import { type ModulePlace, objectsIn, placeOfHub, placeWithin } from "./module-place.ts";
import { submoduleNames } from "./submodule-names.ts";
import type { SubmoduleLink } from "./submodule-links.ts";

/**
 * What an engine made in the submodules of a clone, in words: commits that the user's repository lacks, and files that
 * were changed. No commit of the clone has it, and wisp saves none of it. Empty if there is nothing of the kind. No git
 * runs in a repository that an engine may have made or set up: only names and ids are read from it.
 */
export async function submoduleWork(repo: CloneRepo): Promise<readonly string[]> {
  const { context, location, directory } = repo;
  const { directories } = context;
  const hasModules = directories.kindOf(join(location.gitDirectory, "modules")) !== undefined;
  const hasFile = directories.kindOf(join(directory, ".gitmodules")) !== undefined;
  if (!hasModules && !hasFile && filledIn(repo).length === 0) return [];
  const kept = directories.entries(asideFolder(repo));
  const aside = kept.ok ? kept.value.map(({ name }) => join(asideFolder(repo), name)) : [];
  const held = aside.map((path) => `files that were changed in a submodule, now in ${shown(path)}`);
  for (const one of filledIn(repo)) {
    const changed = await changedIn(repo, one);
    if (changed.length > 0)
      held.push(`files that were changed in the submodule ${shown(one.path)}`);
  }
  return [...held, ...(await commitsHeld(repo))];
}

/**
 * Whether a clone's submodules hold nothing but what wisp put there, so that they can be made again: each is filled, all
 * files are as they were written, and nothing lies beside them. Starts no process unless the index is an unusual one.
 */
export async function areOnlyFilled(repo: CloneRepo): Promise<boolean> {
  const { directories } = repo.context;
  if (directories.kindOf(join(repo.location.gitDirectory, "modules")) !== undefined) return false;
  if (directories.kindOf(asideFolder(repo)) !== undefined) return false;
  const filled = filledIn(repo);
  const links = await linksInClone(repo);
  return (
    links.every(({ path }) => filled.some((one) => one.path === path)) &&
    filled.every((one) => one.isWhole && isAsFilled(repo, one)) &&
    filled.every((one) => besideFilled(repo, one).length === 0)
  );
}

/** A repository in a clone that is one of its submodules, and where the user may have its commits. */
interface Inner {
  readonly gitDirectory: string;
  readonly words: string;
  readonly place: ModulePlace;
}

async function commitsHeld(repo: CloneRepo): Promise<readonly string[]> {
  const { context } = repo;
  const top = placeOfHub(context, repo.hub.directory);
  const links = await linksInClone(repo);
  const modules = join(repo.location.gitDirectory, "modules");
  const below = innerModules(repo, modules, top);
  if (below === undefined) return ["more repositories in .git/modules than wisp looks through"];
  const folders = [...innerFolders(repo, { above: "", links, place: top }), ...below];
  const known = new Set(links.map(({ commit }) => commit));
  const held: string[] = [];
  for (const inner of folders) {
    const ids = commitsNamed(repo, inner.gitDirectory);
    const own = ids && [...ids].filter((id) => !known.has(id));
    const isHeld = own === undefined || (await lacksAny(repo, inner.place, own));
    if (isHeld) held.push(`commits in the submodule ${shown(inner.words)}`);
  }
  return [...new Set(held)];
}

interface Within {
  readonly above: string;
  readonly links: readonly SubmoduleLink[];
  readonly place: ModulePlace;
}

/** Repositories in the folders of submodules. */
function innerFolders(repo: CloneRepo, { above, links, place }: Within): readonly Inner[] {
  const { context, directory } = repo;
  const names = submoduleNames(gitmodulesIn(repo, join(directory, above)));
  return links.flatMap(({ path, commit }) => {
    const words = `${above}${path}`;
    const folder = folderAt(repo, words);
    if (folder === undefined) return [];
    const own = placeWithin(context, place, { name: names.get(path) ?? path, path });
    const gitDirectory = join(folder, ".git");
    // A file there leads to a repository below `.git/modules`, where it is found.
    const isOne = context.directories.kindOf(gitDirectory) === "directory";
    const within = { above: `${words}/`, links: linksWithin(repo, { path: words, commit }) };
    return [
      ...(isOne ? [{ gitDirectory, words, place: own }] : []),
      ...innerFolders(repo, { ...within, place: own }),
    ];
  });
}

/** How many folders below `.git/modules` are looked into. */
const FOLDERS_MAX = 1_000;

/**
 * Repositories below `.git/modules`, by their names there, which may contain slashes. Undefined if there is too much to
 * look through.
 */
function innerModules(
  { context }: CloneRepo,
  modules: string,
  top: ModulePlace,
): readonly Inner[] | undefined {
  const found: Inner[] = [];
  const waiting = [{ folder: modules, name: "", words: "", place: top }];
  for (let seen = 0; seen < FOLDERS_MAX; seen++) {
    const next = waiting.shift();
    if (next === undefined) return found;
    const { folder, name, words, place } = next;
    if (context.directories.kindOf(folder) !== "directory") continue;
    const listed = context.directories.entries(folder);
    const entries = listed.ok ? listed.value : [];
    if (name !== "" && entries.some((entry) => entry.name === "objects")) {
      const own = placeWithin(context, place, { name, path: name });
      found.push({ gitDirectory: folder, words, place: own });
      waiting.push({ folder: join(folder, "modules"), name: "", words, place: own });
      continue;
    }
    for (const entry of entries.filter(({ kind }) => kind === "directory")) {
      const path = [name, entry.name].filter((part) => part !== "").join("/");
      const shownAs = [words, entry.name].filter((part) => part !== "").join("/");
      waiting.push({ folder: join(folder, entry.name), name: path, words: shownAs, place });
    }
  }
  return undefined;
}

/**
 * The commits that HEAD, references and their logs name, without those that a remote is known to have. Undefined if
 * there is too much to read.
 */
function commitsNamed(repo: CloneRepo, gitDirectory: string): ReadonlySet<Oid> | undefined {
  const paths = filesThatName(repo, gitDirectory);
  if (paths === undefined || paths.length > SUBMODULE_REFS_MAX) return undefined;
  const named: Named[] = [];
  for (const path of paths) {
    const read = repo.context.files.read(join(gitDirectory, path), REFS_BYTES_MAX);
    if (!read.ok) return undefined;
    const lines = linesOf(Buffer.from(read.value ?? []).toString("latin1"));
    named.push(...lines.flatMap((line) => namedIn(path, line)));
  }
  const remote = new Set(named.flatMap(({ id, isRemote }) => (isRemote ? [id] : [])));
  return new Set(named.map(({ id }) => id).filter((id) => !remote.has(id)));
}

interface Named {
  readonly id: Oid;
  readonly isRemote: boolean;
}

/** The commits in a line of a reference, of packed references or of a log, in which a tab precedes words. */
function namedIn(path: string, line: string): readonly Named[] {
  const isRemote = path.includes("refs/remotes/") || line.includes(" refs/remotes/");
  const [words = ""] = line.split("\t", 1);
  return (words.match(IDS) ?? []).filter(isId).map((id) => ({ id, isRemote }));
}

/** The files of a repository in which references are, and their logs; undefined if they cannot be listed. */
function filesThatName(
  { context }: CloneRepo,
  gitDirectory: string,
): readonly string[] | undefined {
  const { directories } = context;
  const found: string[] = [];
  const waiting = ["HEAD", "ORIG_HEAD", "packed-refs", "refs", "logs"];
  // More files than are read are not listed either.
  while (waiting.length > 0 && found.length <= SUBMODULE_REFS_MAX) {
    const path = waiting.shift() ?? "";
    const kind = directories.kindOf(join(gitDirectory, path));
    if (kind === "file") found.push(path);
    if (kind !== "directory") continue;
    const listed = directories.entries(join(gitDirectory, path));
    if (!listed.ok) return undefined;
    waiting.push(...listed.value.map(({ name }) => `${path}/${name}`));
  }
  return found;
}

const REFS_BYTES_MAX = 4 * 1024 * 1024;
const IDS = /\b(?:[0-9a-f]{64}|[0-9a-f]{40})\b/gu;

function isId(text: string): text is Oid {
  return Oid.safeParse(text).success && !/^0+$/u.test(text);
}

/** Whether the user's repository of a submodule lacks any of these. */
async function lacksAny(
  { git }: CloneRepo,
  place: ModulePlace,
  ids: readonly Oid[],
): Promise<boolean> {
  if (ids.length === 0) return false;
  const stdin = ids.map((id) => `${id}\n`).join("");
  const options = { stdin, variables: objectsIn(place) };
  const printed = await git.ask(["cat-file", "--batch-check"], options);
  return printed === undefined || linesOf(printed).some((line) => line.endsWith(" missing"));
}
