import { join } from "node:path";
import { Oid } from "../../base/oid.ts";
import type { GitFailure, SavedBeside } from "../../base/ports/repo.ts";
import { PRODUCED_FOLDERS } from "../../base/produced-folders.ts";
import { ok, type Result } from "../../base/result.ts";
import { shown } from "../../base/words/shown.ts";
import type { CloneRepo } from "../clone/clone-repo.ts";
import { unkeepable } from "../clone/unkeepable.ts";
import { entriesOf, linesOf } from "../command/raw-output.ts";
import { keepContent } from "../lfs/keep-content.ts";
import type { PointerRange } from "../lfs/new-pointers.ts";
import { fewPaths, pointerPaths } from "../lfs/pointer-paths.ts";
import { leftBehind } from "../repository/left-behind.ts";
import { rangePatches } from "../repository/range-patches.ts";
import { submoduleWork } from "../submodules/submodule-work.ts";
import { saveRescue } from "./rescue.ts";

/**
 * Saves what a clone holds beside its branch and its work tree, before it is removed: the tips of its other references
 * (branches, stashes, notes) that no reference of the hub leads to, and the content under Git LFS of all commits since
 * `base`, which an earlier program did not keep. What cannot be saved is named, and so are ignored files that these
 * commits name.
 */
export async function saveBeside(
  repo: CloneRepo,
  base: Oid,
  made: readonly string[] = [],
): Promise<Result<SavedBeside, GitFailure>> {
  const own = await ownTips(repo);
  if (!own.ok) return own;
  const rescue = await saveRescue(repo, { hasWork: false, commits: own.value });
  if (!rescue.ok) return rescue;
  const head = await repo.hub.head(repo.branch);
  const held = [...unkeepable(repo), ...(await submoduleWork(repo))];
  if (head === undefined || head === base) return ok({ rescue: rescue.value, held });
  const range = { from: base, to: head };
  const over = await contentOver(repo, range);
  if (!over.ok) return over;
  const ignored = await ignoredHeld(repo, range, made);
  if (!ignored.ok) return ignored;
  return ok({ rescue: rescue.value, held: [...held, ...over.value, ...ignored.value] });
}

/** Keeps the content under Git LFS of a range, and says what is more than a session may bring. */
async function contentOver(
  repo: CloneRepo,
  range: PointerRange,
): Promise<Result<readonly string[], GitFailure>> {
  const kept = await keepContent(repo, range);
  if (!kept.ok) return kept;
  if (kept.value.over.length === 0) return ok([]);
  const paths = await pointerPaths(repo.git, range, kept.value.over);
  if (!paths.ok) return paths;
  return ok([`content under Git LFS beyond the session's limit: ${fewPaths(paths.value)}`]);
}

/** Ignored files that the range names, in words. */
async function ignoredHeld(
  repo: CloneRepo,
  { from, to }: PointerRange,
  made: readonly string[],
): Promise<Result<readonly string[], GitFailure>> {
  const { context, directory: clone, hub } = repo;
  const range = { directory: hub.directory, base: from, head: to };
  const patches = await rangePatches(context, range);
  // A partial clone may lack what old commits had: that must not keep a session from being closed.
  const { net, isWhole } = patches.ok ? patches.value : { net: [], isWhole: false };
  const places = { hub: hub.directory, head: to, clones: [clone], made };
  const found = await leftBehind(context, net, places);
  if (!found.ok) return found;
  const words = found.value.named.map(
    ({ path, by }) => `${shown(path)}, which git ignores and ${shown(by)} names`,
  );
  if (isWhole && found.value.isWhole) return ok(words);
  const listing = ["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"];
  const others = await repo.git.must(listing);
  if (!others.ok) return others;
  const isOwn = (path: string) =>
    !path.split("/").some((part) => PRODUCED_FOLDERS.has(part)) &&
    ![hub.directory, ...made].some((top) => context.directories.kindOf(join(top, path)));
  const rest = entriesOf(others.value).filter(isOwn);
  if (rest.length === 0) return ok(words);
  return ok([
    ...words,
    `ignored files, in a session whose changes wisp could not search whole for their names: ${fewPaths(rest)}`,
  ]);
}

/** The commits that references of the clone name, and entries of its stash, and that the hub's do not lead to. */
async function ownTips({ git, atHub }: CloneRepo): Promise<Result<readonly Oid[], GitFailure>> {
  const format = "--format=%(objectname) %(*objectname)";
  const named = await git.must(["for-each-ref", format]);
  if (!named.ok) return named;
  const stashed = await git.ask(["log", "-g", "--format=%H", "refs/stash", "--"]);
  const ours = [...named.value.split(/\s+/u), ...linesOf(stashed ?? "")].filter(isOid);
  const known = await atHub.must(["for-each-ref", "--format=%(objectname)"]);
  if (!known.ok) return known;
  const theirs = linesOf(known.value).map((oid) => `^${oid}`);
  const stdin = [...new Set([...ours, ...theirs])].map((word) => `${word}\n`).join("");
  const listed = await git.must(["rev-list", "--ignore-missing", "--stdin"], { stdin });
  if (!listed.ok) return listed;
  const lacking = new Set(linesOf(listed.value));
  return ok([...new Set(ours)].filter((oid) => lacking.has(oid)));
}

function isOid(text: string): boolean {
  return Oid.safeParse(text).success;
}
