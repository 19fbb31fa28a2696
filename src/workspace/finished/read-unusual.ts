import { findUnusual, type Unusual } from "../../evidence/unusual/find-unusual.ts";
import type { Oid } from "../../base/oid.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { broughtIn } from "../../git/clone/brought-in.ts";
import { userEnvironment } from "../../git/command/git-environment.ts";
import { gitIn } from "../../git/command/git.ts";
import { locateGitDirectory } from "../../git/command/git-directory.ts";
import { gitContext, type World } from "../world.ts";
import { sensitiveAtEnd } from "./read-sensitive-changes.ts";
import type { SensitiveChange } from "./sensitive-changes.ts";

/** What is unusual about the commits of a session, according to git. */
export async function readUnusual(
  world: Pick<World, "host" | "env">,
  { repository, base, identity }: Pick<SessionJson, "repository" | "base" | "identity">,
  head: Oid,
): Promise<readonly Unusual[]> {
  const { environment, clock, files } = gitContext(world);
  const git = gitIn(repository, userEnvironment(environment, repository));
  const place = locateGitDirectory(files, repository);
  const objects = place && { files, place };
  const read = await broughtIn(git, { start: base, end: head }, objects);
  return findUnusual(read, { identity, nowMs: clock.nowMs() });
}

/**
 * The unusual facts about the commits of a session that has ended and whose branch exists, for a
 * person to check.
 */
export async function unusualAtEnd(
  world: Pick<World, "host" | "env">,
  session: Pick<SessionJson, "repository" | "base" | "identity">,
  state: Pick<SessionState, "builder" | "branch">,
): Promise<{
  readonly sensitive: readonly SensitiveChange[];
  readonly unusual: readonly Unusual[];
}> {
  const { head } = state.branch;
  const isOver = state.builder.stage.kind === "done" && head !== undefined;
  const [sensitive, unusual] = await Promise.all([
    sensitiveAtEnd(world, session, state),
    isOver ? readUnusual(world, session, head) : [],
  ]);
  return { sensitive, unusual };
}
