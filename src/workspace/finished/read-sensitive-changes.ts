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

/** Manifests that are looked into; of more, each counts as changed. */
const MANIFESTS_MAX = 200;

/**
 * The same for a status: of a session that has ended, and whose branch is there. What git does not tell is left
 * out there, and told by `wisp done`.
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

/** What the work of a session changes that has something run outside of it, from git alone. */
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
