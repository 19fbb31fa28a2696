import type { Executor, ExecutorFailure } from "../../base/ports/executor.ts";
import type { FileFailure } from "../../base/ports/files.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import type { Oid } from "../../base/oid.ts";
import { ok, type Result } from "../../base/result.ts";
import { packSubmodules } from "../../git/submodules/pack-submodules.ts";
import type { SentSubmodule } from "../../git/submodules/take-submodule.ts";
import { gitContext, type World } from "../../workspace/world.ts";
import { putJoined, type PutThere } from "./put-joined.ts";

/** Submodules that a place is to have. */
export interface PutSubmodules extends PutThere {
  /** The commit that names them. */
  readonly commit: Oid;
}

/**
 * Puts the submodules of a commit at a place, in one file: their commits and files, as far as clones here are given
 * them, without their history. Puts nothing there if there are none, which takes one process.
 */
export function putSubmodules(
  world: World,
  executor: Executor,
  put: PutSubmodules,
): Promise<Result<void, ExecutorFailure | GitFailure | FileFailure>> {
  return putJoined(world, executor, put, async () => {
    const packed = await packSubmodules(gitContext(world), put);
    if (!packed.ok) return packed;
    return ok(
      packed.value.map(({ path, names, commit }) => {
        const sent: SentSubmodule = { names: [...names], commit };
        return { name: JSON.stringify(sent), path };
      }),
    );
  });
}
