import { join } from "node:path";
import { need } from "../base/fatal.ts";
import { fail, ok, type Result } from "../base/result.ts";
import { ROLES } from "../base/role.ts";
import { clonesDirectory } from "../fs-protocol/session-json.ts";
import { appendHuman } from "./append-human.ts";
import type { Cli } from "./cli.ts";
import { endSession } from "./end-session.ts";
import type { CliFailure } from "./failures.ts";
import { isCloneName } from "./has-clones.ts";
import { saveClone } from "./tear-down.ts";
import { withAllLeases } from "./session-leases.ts";
import type { FoundSession } from "./sessions.ts";

/**
 * Gives a revision up: everybody at work on it is interrupted, and what the clones hold beyond the branch is
 * saved under rescue references. Branch and clones are its parent's, and stay. Twice is the same as once.
 *
 * @returns the references
 */
export async function endRevision(
  cli: Cli,
  revision: FoundSession,
): Promise<Result<readonly string[], CliFailure>> {
  const said = await appendHuman(cli, revision, () => ({ kind: "abandon" }));
  const isAgain =
    !said.ok && said.failure.kind === "session-closed" && said.failure.how === "abandoned";
  if (!said.ok && !isAgain) return fail(said.failure);
  const ended = await endSession(cli, revision);
  if (!ended.ok) return ended;
  const saved = await withAllLeases(cli.host, revision.home, () => saveClones(cli, revision));
  return saved.ok ? saved.value : saved;
}

async function saveClones(
  cli: Cli,
  { session }: FoundSession,
): Promise<Result<readonly string[], CliFailure>> {
  const clones = ROLES.flatMap((role) => {
    const above = clonesDirectory(session, role);
    const names = need(cli.host.files.list(above)).filter(isCloneName);
    return names.map((name) => join(above, name));
  });
  const rescues: string[] = [];
  for (const directory of clones) {
    const saved = await saveClone(cli, session, directory);
    if (!saved.ok) return saved;
    if (saved.value !== undefined) rescues.push(saved.value);
  }
  return ok(rescues);
}
