import { Oid } from "../../base/oid.ts";
import { userEnvironment, type GitContext } from "../command/git-environment.ts";
import { gitIn, linesOf, type Git } from "../command/git.ts";
import { remoteRef, type RemoteLook } from "./fetch-remote.ts";

/** A commit that the remote's branch was seen at. */
export interface KnownTip {
  readonly oid: Oid;
  /** In ms since 1970, to the second. */
  readonly seenMs: number;
}

/**
 * What the user's repository knows of the remote's branch without asking it: wisp's last look, and the user's own
 * fetches, pulls and pushes. A reference of which no time is on record is left out.
 */
export async function knownTips(
  { environment }: Pick<GitContext, "environment">,
  { directory, remote, branch, session }: Omit<RemoteLook, "silenceMsMax" | "signal">,
): Promise<readonly KnownTip[]> {
  const git = gitIn(directory, userEnvironment(environment, directory));
  const refs = [remoteRef(session), `refs/remotes/${remote}/${branch}`];
  const listed = await git.run(["for-each-ref", "--format=%(objectname) %(refname)", ...refs]);
  if (!listed.ok || listed.value.exitCode !== 0) return [];
  const tips: KnownTip[] = [];
  for (const line of linesOf(listed.value.stdout)) {
    const [name = "", ref = ""] = line.split(" ");
    const oid = Oid.safeParse(name);
    // A pattern names everything below it, too.
    const seenMs = refs.includes(ref) ? await movedAt(git, ref) : undefined;
    if (oid.success && seenMs !== undefined) tips.push({ oid: oid.data, seenMs });
  }
  return tips;
}

/** When a reference was set last, by its reflog. */
async function movedAt(git: Git, ref: string): Promise<number | undefined> {
  const told = await git.run(["log", "-g", "-1", "--format=%gd", "--date=unix", ref, "--"]);
  if (!told.ok || told.value.exitCode !== 0) return undefined;
  const seconds = /@\{(\d{1,12})\}$/u.exec(told.value.stdout.trim())?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1_000;
}
