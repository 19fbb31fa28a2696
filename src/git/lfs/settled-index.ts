import { join } from "node:path";
import type { RecordedStat } from "../../base/ports/directories.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { type CloneRepo, headOf } from "../clone/clone-repo.ts";
import { fileAsGitFailure } from "../command/git-failure.ts";
import { recordingStats } from "../repository/index-file.ts";
import { INDEX_BYTES_MAX } from "../repository/work-tree.ts";

/** The index of a clone. */
export interface GitIndex {
  readonly bytes: Uint8Array;
  /** The length of object ids. */
  readonly hashBytes: number;
  readonly modifiedMs: number;
  /**
   * A time before the second in which it was written. git reads a file again whose last change is not older than the
   * index, because it may have been changed in the same second.
   */
  readonly beforeMs: number;
}

const NS_PER_MS = 1_000_000n;
const MS_PER_S = 1_000;

/** Tells one state of a clone's index from others, without reading it; undefined if there is none. */
export function indexStamp({ context, location }: CloneRepo): string | undefined {
  const stat = context.directories.recordedStat(indexOf(location));
  return stat && [stat.inode, stat.changedNs, stat.sizeBytes].join(" ");
}

function indexOf({ gitDirectory }: CloneRepo["location"]): string {
  return join(gitDirectory, "index");
}

/** Reads the index of a clone; undefined if there is none, or no commit yet. */
export async function readGitIndex(repo: CloneRepo): Promise<GitIndex | undefined> {
  const { context, location } = repo;
  const stat = context.directories.recordedStat(indexOf(location));
  const read = context.files.read(indexOf(location), INDEX_BYTES_MAX);
  const head = await headOf(repo);
  if (stat === undefined || !read.ok || read.value === undefined || !head) return undefined;
  const modifiedMs = Number(stat.modifiedNs / NS_PER_MS);
  return {
    bytes: read.value,
    hashBytes: head.length / 2,
    modifiedMs,
    beforeMs: (Math.floor(modifiedMs / MS_PER_S) - 1) * MS_PER_S,
  };
}

/**
 * Records the states of files in the index of a clone that nothing else uses now, so that git takes them for unchanged
 * without reading them. The index keeps its time: git must still read other files again that changed in its second.
 */
export async function recordPlaced(
  repo: CloneRepo,
  index: GitIndex,
  stats: ReadonlyMap<string, RecordedStat>,
): Promise<Result<void, GitFailure>> {
  if (stats.size === 0) return ok(undefined);
  const bytes = recordingStats(index.bytes, index.hashBytes, stats);
  if (bytes === undefined) {
    // An index in a form that only git writes. A refresh is not enough: another size is a change, whatever is stored.
    const stdin = [...stats.keys()].map((name) => `${name}\0`).join("");
    return repo.git.act(["update-index", "-z", "--stdin"], { stdin, encoding: "latin1" });
  }
  const { files, directories } = repo.context;
  const path = indexOf(repo.location);
  const replaced = files.replace(path, bytes);
  if (!replaced.ok) return fail(fileAsGitFailure("lfs", replaced.failure));
  const timed = directories.setModified(path, index.modifiedMs);
  return timed.ok ? ok(undefined) : fail(fileAsGitFailure("lfs", timed.failure));
}
