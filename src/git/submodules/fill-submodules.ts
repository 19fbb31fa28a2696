import { join } from "node:path";
import {
  SUBMODULES_BYTES_MAX,
  SUBMODULES_DEPTH_MAX,
  SUBMODULES_FILLED_MAX,
} from "../../base/submodule-limits.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { FILLS_SUBMODULES, setupContains } from "../../base/setup-files.ts";
import type { CloneRepo } from "../clone/clone-repo.ts";
import { fileAsGitFailure } from "../command/git-failure.ts";
import { decodedText } from "../command/raw-output.ts";
import { readText } from "../command/git-directory.ts";
import { clearFilled, clearGone } from "./clear-submodules.ts";
import { filledIn, indexOf, recordFilled } from "./filled-record.ts";
import {
  aimedAt,
  folderAt,
  gitmodulesIn,
  isAsFilled,
  isEmptyFolder,
  isFreeWay,
  linksInClone,
  linksWithin,
} from "./filled-folder.ts";
import { FILLED_INDEX_BYTES_MAX, type FilledEntry, indexWithTimes } from "./index-entries.ts";
import { type ModulePlace, objectsIn, placeOfHub, placeWithin } from "./module-place.ts";
import { submoduleFiles } from "./submodule-files.ts";
import { submoduleNames } from "./submodule-names.ts";
import type { FilledSubmodule, SubmoduleLink } from "./submodule-links.ts";

/**
 * Puts the files of submodules into the folders that the clone has for them: those of the commits that the clone's index
 * names, as far as the user's repository has them, and without any repository. Nothing is fetched. A folder that is
 * filled already stays; in a verify tree, only if its files are exactly as they were written. Where setup fills
 * submodules itself, it is left to do so, because git fills empty folders only.
 */
export async function fillSubmodules(repo: CloneRepo): Promise<Result<void, GitFailure>> {
  const { directory, context, setup, hub } = repo;
  const cleared = await clearGone(repo);
  if (!cleared.ok || setup === undefined) return cleared;
  const text = gitmodulesIn(repo, directory);
  if (text === "" && filledIn(repo).length === 0) return ok(undefined);
  const textOf = (path: string) => readText(context.files, join(directory, path));
  const isLeft = text === "" || setupContains(setup, FILLS_SUBMODULES, textOf);
  const links = isLeft ? [] : await linksInClone(repo);
  const filling = { repo, present: new Set<string>(), seen: 0, bytes: 0 };
  const place = placeOfHub(context, hub.directory);
  const filled = await fillBelow(filling, { above: "", links, text, place, depth: 1 });
  return filled.ok ? clearAbsent(filling) : filled;
}

/** Empties what was filled for another commit, or with other settings, and is not to be filled now. */
async function clearAbsent({ repo, present }: Filling): Promise<Result<void, GitFailure>> {
  for (const { path } of filledIn(repo)) {
    if (present.has(path) || !filledIn(repo).some((one) => one.path === path)) continue;
    const cleared = await clearFilled(repo, path, { isGone: false });
    if (!cleared.ok) return cleared;
  }
  return ok(undefined);
}

/** What was looked at so far, against the limits. */
interface Filling {
  readonly repo: CloneRepo;
  /** The paths of those whose files are there. */
  readonly present: Set<string>;
  seen: number;
  bytes: number;
}

interface Below {
  /** The path of the repository, with a slash at its end unless it is the clone itself. */
  readonly above: string;
  readonly links: readonly SubmoduleLink[];
  /** Its `.gitmodules`. */
  readonly text: string;
  readonly place: ModulePlace;
  readonly depth: number;
}

async function fillBelow(
  filling: Filling,
  { above, links, text, place, depth }: Below,
): Promise<Result<void, GitFailure>> {
  if (links.length === 0 || depth > SUBMODULES_DEPTH_MAX) return ok(undefined);
  const { repo } = filling;
  const names = submoduleNames(text);
  for (const { path, commit } of links) {
    const name = names.get(path);
    if (name === undefined) continue;
    if (++filling.seen > SUBMODULES_FILLED_MAX) return ok(undefined);
    const own = placeWithin(repo.context, place, { name, path });
    const one = { path: `${above}${path}`, commit };
    const filled = await fillOne(filling, one, own);
    if (!filled.ok) return filled;
    if (!filled.value) continue;
    filling.present.add(one.path);
    const inside = await fillBelow(filling, {
      above: `${one.path}/`,
      links: linksWithin(repo, one),
      text: gitmodulesIn(repo, join(repo.directory, one.path)),
      place: own,
      depth: depth + 1,
    });
    if (!inside.ok) return inside;
  }
  return ok(undefined);
}

/** Whether the folder has the files of its commit now. */
async function fillOne(
  filling: Filling,
  { path, commit }: SubmoduleLink,
  place: ModulePlace,
): Promise<Result<boolean, GitFailure>> {
  const { repo } = filling;
  const { files } = repo.context;
  const known = filledIn(repo).find((each) => each.path === path);
  const folder = folderAt(repo, path);
  if (known?.isWhole === true && known.commit === commit && folder !== undefined) {
    const kept = !isEmptyFolder(repo, folder) && (await isKept(repo, known, place));
    if (kept) filling.bytes += known.bytes;
    if (kept) return ok(true);
  }
  if (known === undefined && folder !== undefined && !isEmptyFolder(repo, folder)) return ok(false);
  // A file or a link in the folder's place is a change, which is not for us to undo.
  if (folder === undefined && !isFreeWay(repo, path)) return ok(false);
  const cleared =
    known === undefined ? ok(undefined) : await clearFilled(repo, path, { isGone: false });
  if (!cleared.ok) return cleared;
  const made = folderAt(repo, path) ?? files.makeScratchDirectory(join(repo.directory, path));
  if (typeof made !== "string" && !made.ok)
    return fail(fileAsGitFailure("submodules", made.failure));
  if (place.gitDirectories.length === 0 || folderAt(repo, path) === undefined) return ok(false);
  return fillEmpty(filling, { path, commit }, place);
}

/** Whether a folder may stay as it is; in a verify tree, its files are written again where they were changed. */
async function isKept(
  repo: CloneRepo,
  known: FilledSubmodule,
  place: ModulePlace,
): Promise<boolean> {
  if (repo.isTree !== true || isAsFilled(repo, known)) return true;
  return (await exportFiles(repo, known, place)) && isAsFilled(repo, known);
}

async function fillEmpty(
  filling: Filling,
  link: SubmoduleLink,
  place: ModulePlace,
): Promise<Result<boolean, GitFailure>> {
  const { repo } = filling;
  const { directories } = repo.context;
  const found = await submoduleFiles(repo.git, place, link.commit);
  // What is too large is not even begun.
  if (found === undefined || filling.bytes + found.bytes > SUBMODULES_BYTES_MAX) return ok(false);
  const { bytes } = found;
  const others = filledIn(repo);
  const begun = recordFilled(repo, [...others, { ...link, isWhole: false, bytes: 0 }]);
  if (!begun.ok) return begun;
  const index = indexOf(repo, link.path);
  for (const path of [index, `${index}.lock`]) directories.removeTree(path);
  if (await exportFiles(repo, link, place)) {
    filling.bytes += bytes;
    const whole = recordFilled(repo, [...others, { ...link, isWhole: true, bytes }]);
    return whole.ok ? ok(true) : whole;
  }
  const emptied = directories.empty(join(repo.directory, link.path));
  if (!emptied.ok) return fail(fileAsGitFailure("submodules", emptied.failure));
  const left = recordFilled(repo, others);
  return left.ok ? ok(false) : left;
}

/** Writes a commit's files with git in the clone, which reads none of the settings of the repository that has them. */
async function exportFiles(
  repo: CloneRepo,
  { path, commit }: SubmoduleLink,
  place: ModulePlace,
): Promise<boolean> {
  const variables = { ...aimedAt(repo, path), ...objectsIn(place) };
  const written = await repo.git.act(["read-tree", "--reset", "-u", commit], { variables });
  if (!written.ok) return false;
  // What is changed here is no part of any commit, so that the rights say so.
  const closed = repo.context.directories.makeReadOnly(join(repo.directory, path));
  return closed.ok && noteFiles(repo, { path, commit });
}

/** Notes the files of a submodule in its index as they are now. */
function noteFiles(repo: CloneRepo, { path, commit }: SubmoduleLink): boolean {
  const { files } = repo.context;
  const index = indexOf(repo, path);
  const read = files.read(index, FILLED_INDEX_BYTES_MAX);
  if (!read.ok || read.value === undefined) return false;
  const changedMsOf = (entry: FilledEntry) =>
    files.stat(join(repo.directory, path, decodedText(entry.path)))?.changedMs;
  const noted = indexWithTimes(read.value, commit.length / 2, changedMsOf);
  return noted !== undefined && files.replace(index, noted).ok;
}
