import type { Oid } from "../../base/oid.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { fileAround, touchedPaths } from "../../git/repository/touched-paths.ts";
import { gitContext, type World } from "../world.ts";
import {
  sensitiveChanges,
  type ManifestChange,
  type SensitiveChange,
} from "./sensitive-changes.ts";
import { isPackageJson } from "./sensitive-paths.ts";

/** The maximum number of manifests to compare; further ones count as changed. */
const MANIFESTS_MAX = 200;

/**
 * The same for a status, for a session that has ended and whose branch exists. If git fails, the
 * status shows none; `wisp done` reports the failure.
 */
export async function sensitiveAtEnd(
  world: Pick<World, "host" | "env">,
  session: Pick<SessionJson, "repository" | "base">,
  { builder, branch }: Pick<SessionState, "builder" | "branch">,
): Promise<readonly SensitiveChange[]> {
  if (builder.stage.kind !== "done" || branch.head === undefined) return [];
  const read = await readSensitiveChanges(world, session, branch.head);
  return read.ok ? read.value : [];
}

/** Files changed by the session's work that can run something outside of it, according to git. */
export async function readSensitiveChanges(
  world: Pick<World, "host" | "env">,
  { repository: directory, base }: Pick<SessionJson, "repository" | "base">,
  head: Oid,
): Promise<Result<readonly SensitiveChange[], GitFailure>> {
  const context = gitContext(world);
  const commits = await touchedPaths(context, { directory, base, head });
  if (!commits.ok) return commits;
  const touched = commits.value.flatMap(({ sha, paths }) =>
    paths.filter(isPackageJson).map((path) => ({ sha, path })),
  );
  const manifests: ManifestChange[] = [];
  for (const one of touched.slice(0, MANIFESTS_MAX)) {
    manifests.push({ ...one, ...(await fileAround(context, directory, one)) });
  }
  return ok(sensitiveChanges(commits.value, manifests));
}
