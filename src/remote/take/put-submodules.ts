import { join } from "node:path";
import type { Executor, ExecutorFailure, Place } from "../../base/ports/executor.ts";
import type { FileFailure } from "../../base/ports/files.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import type { Oid } from "../../base/oid.ts";
import { ok, type Result } from "../../base/result.ts";
import { packSubmodules } from "../../git/submodules/pack-submodules.ts";
import type { SentSubmodule } from "../../git/submodules/take-submodule.ts";
import { gitContext, type World } from "../../workspace/world.ts";
import { joinFiles } from "./joined-files.ts";

/** Submodules that a place is to have. */
export interface PutSubmodules {
  readonly place: Place;
  /** The repository here. */
  readonly directory: string;
  /** The commit that names them. */
  readonly commit: Oid;
  /** The path of a folder here for what is on its way, which is removed afterwards. */
  readonly scratch: string;
  /** The path there. */
  readonly to: string;
}

/**
 * Puts the submodules of a commit at a place, in one file: their commits and files, as far as clones here are given
 * them, without their history. Puts nothing there if there are none, which takes one process.
 */
export async function putSubmodules(
  world: World,
  executor: Executor,
  { place, directory, commit, scratch, to }: PutSubmodules,
): Promise<Result<void, ExecutorFailure | GitFailure | FileFailure>> {
  const { host } = world;
  try {
    const packed = await packSubmodules(gitContext(world), { directory, commit, scratch });
    if (!packed.ok || packed.value.length === 0) return packed.ok ? ok(undefined) : packed;
    const parts = packed.value.map(({ path, names, commit: own }) => {
      const sent: SentSubmodule = { names: [...names], commit: own };
      return { name: JSON.stringify(sent), path };
    });
    const joined = join(scratch, "joined");
    const made = joinFiles(host, joined, parts);
    return made.ok ? await executor.put(place, { from: { path: joined }, to }) : made;
  } finally {
    host.directories.removeTree(scratch);
  }
}
