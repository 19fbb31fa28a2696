import { join } from "node:path";
import type { Executor, ExecutorFailure, Place } from "../../base/ports/executor.ts";
import type { FileFailure } from "../../base/ports/files.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import type { World } from "../../workspace/world.ts";
import { type JoinedFile, joinFiles } from "./joined-files.ts";

/** What a place is to have of the repository here beside its commits, in one file. */
export interface PutThere {
  readonly place: Place;
  /** The repository here. */
  readonly directory: string;
  /** The path of a folder here for what is on its way, which is removed afterwards. */
  readonly scratch: string;
  /** The path there. */
  readonly to: string;
}

/** Puts files at a place, joined into one; nothing if there are none. `gather` may make them in the scratch folder. */
export async function putJoined(
  { host }: Pick<World, "host">,
  executor: Executor,
  { place, scratch, to }: PutThere,
  gather: () => Promise<Result<readonly JoinedFile[], GitFailure | FileFailure>>,
): Promise<Result<void, ExecutorFailure | GitFailure | FileFailure>> {
  try {
    const parts = await gather();
    if (!parts.ok || parts.value.length === 0) return parts.ok ? ok(undefined) : parts;
    const made = host.files.makeDirectory(scratch);
    if (!made.ok) return made;
    const path = join(scratch, "joined");
    const joined = joinFiles(host, path, parts.value);
    return joined.ok ? await executor.put(place, { from: { path }, to }) : joined;
  } finally {
    host.directories.removeTree(scratch);
  }
}
