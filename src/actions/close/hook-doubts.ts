import { ok, type Result } from "../../base/result.ts";
import type { Refusal } from "../../base/failure.ts";
import type { Oid } from "../../base/oid.ts";
import type { MeanwhileFact } from "../../fs-protocol/records/meanwhile-record.ts";
import { userGit } from "../../git/command/git.ts";
import { linesOf } from "../../git/command/raw-output.ts";
import { listSessions, readSession, type FoundSession } from "../../workspace/sessions.ts";
import { gitContext, type World } from "../../workspace/world.ts";

/** Places whose change makes git run nothing else: all others, and whatever comes later, can. */
const HARMLESS = /^(?:refs\/.*|HEAD|index|info\/exclude|logs\/human\.log)$/u;

/**
 * Why the pre-push hook could run what an agent wrote, as the begin of a sentence; undefined if it cannot. `meanwhile`
 * is what changed while engines ran without a sandbox; `head` is the work that is shipped.
 */
export async function hookDoubt(
  world: Pick<World, "host" | "env">,
  found: FoundSession,
  { meanwhile, head }: { readonly meanwhile: readonly MeanwhileFact[]; readonly head: Oid },
): Promise<Result<string | undefined, Refusal>> {
  const changed = meanwhile.find(({ place }) => !HARMLESS.test(place));
  if (changed !== undefined) {
    return ok(`.git/${changed.place} was ${changed.how} while engines ran without a sandbox`);
  }
  const { files } = world.host;
  const { repository, base, id } = found.session;
  const git = userGit(gitContext(world), repository);
  const shared = await git.ask(["merge-base", "--all", "HEAD", head]);
  const own = linesOf(shared ?? "");
  if (own.length > 0) {
    const beyond = await git.must(["rev-list", "--max-count=1", ...own, `^${base}`]);
    if (!beyond.ok) return beyond;
    if (beyond.value.trim() !== "") return ok(`your checkout has commits of ${id}`);
  }
  const holding = await git.ask(["for-each-ref", "--contains=HEAD", "--format=%(refname)"]);
  const refs = new Set(linesOf(holding ?? ""));
  const homes = listSessions(files, repository);
  if (!homes.ok) return homes;
  for (const home of homes.value) {
    const other = readSession(files, home);
    if (!other.ok || !refs.has(`refs/heads/${other.value.session.branch}`)) continue;
    const before = ["merge-base", "--is-ancestor", "HEAD", other.value.session.base];
    const isBefore = await git.run(before);
    if (isBefore.ok && isBefore.value.exitCode === 0) continue;
    return ok(`your checkout is at a commit of ${other.value.session.id}`);
  }
  return ok(undefined);
}
