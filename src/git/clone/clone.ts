import type { Clone } from "../../base/ports/repo.ts";
import type { Result } from "../../base/result.ts";
import { broughtIn } from "./brought-in.ts";
import { mustHead, type CloneRepo } from "./clone-repo.ts";
import { restClone } from "./rest-clone.ts";
import { commitAll, squashSince } from "./commit.ts";
import {
  changedLines,
  changedPaths,
  commitsSince,
  diff,
  filesAt,
  hasCommit,
  show,
  subjectOf,
  treeOf,
} from "./history.ts";
import { branchBeside } from "./commits-beside.ts";
import { copyAhead } from "../repository/fetch-hub.ts";
import { withContent } from "../lfs/with-content.ts";
import { cleanWorkTree, isDirty, overlayFiles } from "../repository/work-tree.ts";
import { impossiblePath } from "../publish/impossible-paths.ts";
import { joinRemote } from "../publish/join-remote.ts";
import { prefixSubjects } from "../publish/prefix-subjects.ts";
import { publish } from "../publish/publish.ts";
import { rebaseOntoHub } from "../publish/rebase.ts";
import { repair, rescueAndReset } from "../publish/repair.ts";
import { savedCommit } from "../publish/rescue.ts";
import { saveBeside } from "../publish/save-beside.ts";
import { bringCommit, syncTo } from "../publish/sync.ts";
import { thenFilled } from "../submodules/then-filled.ts";
import { unfilteredPaths } from "./unfiltered.ts";
import { linesLike, pathsAt, textsAt } from "./tree-contents.ts";

/**
 * Implements the port for a role's clone. Only one process at a time may use it: the role's, under
 * its lease.
 */
export function cloneOf(repo: CloneRepo): Clone {
  // What goes to another commit is followed by what git does not write of that commit.
  const moved = <T, F>(work: Promise<Result<T, F>>) =>
    withContent(
      repo,
      work.then((done) => thenFilled(repo, done)),
    );
  return {
    directory: repo.directory,
    head: () => mustHead(repo),
    syncTo: (at) => moved(syncTo(repo, at)),
    commitsSince: (base) => commitsSince(repo, base),
    branchBeside: (base) => branchBeside(repo, base),
    isDirty: () => isDirty(repo),
    commitAll: (message) => withContent(repo, commitAll(repo, message)),
    prefixSubjects: (base, prefix) => prefixSubjects(repo, base, prefix),
    squashSince: (base, message) => withContent(repo, squashSince(repo, base, message)),
    rebaseOntoHub: () => moved(rebaseOntoHub(repo)),
    joinRemote: (tip, message) => moved(joinRemote(repo, tip, message)),
    impossiblePath: (from, to) => impossiblePath(repo, { from, to }),
    publish: (at) => publish(repo, at),
    unfiltered: (range, names) => unfilteredPaths(repo, range, names),
    readAhead: () => {
      copyAhead(repo);
    },
    bring: (oid) => bringCommit(repo, oid),
    has: (oid) => hasCommit(repo, oid),
    changedPaths: (start, end) => changedPaths(repo, start, end),
    diff: (start, end, bytesMax) => diff(repo, { start, end }, bytesMax),
    changedLines: (start, end) => changedLines(repo, start, end),
    broughtIn: (start, end) =>
      broughtIn(repo.git, { start, end }, { files: repo.context.files, place: repo.location }),
    filesAt: (at) => filesAt(repo, at),
    treeOf: (at) => treeOf(repo, at),
    subjectOf: (at) => subjectOf(repo, at),
    overlayFiles: (from, paths) => withContent(repo, overlayFiles(repo, from, paths)),
    saved: (ref) => savedCommit(repo, ref),
    pathsAt: (at) => pathsAt(repo, at),
    linesLike: (at, wanted) => linesLike(repo, at, wanted),
    textsAt: (at, bounds) => textsAt(repo, at, bounds),
    show: (at, path) => show(repo, at, path),
    repair: () => moved(repair(repo)),
    rescueAndReset: (at) => moved(rescueAndReset(repo, at)),
    saveBeside: (base, made) => saveBeside(repo, base, made),
    clean: () => withContent(repo, cleanWorkTree(repo)),
    rest: () => restClone(repo),
  };
}
