import { Oid } from "../../base/oid.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { FETCH_ONLY } from "../repository/fetch-hub.ts";
import { remoteEnvironment } from "../command/git-environment.ts";
import { gitFailure } from "../command/git-failure.ts";
import { type Git, type UserContext, userGit } from "../command/git.ts";
import { askForRef } from "../command/read-ref.ts";
import { runSimpleGit } from "../command/simple-git.ts";
import { linesOf } from "../command/raw-output.ts";
import { holdsCommit } from "../repository/known-objects.ts";

/** Which branch of which remote to check. */
export interface RemoteCheck {
  /** The user's repository, which provides the remotes and credentials. */
  readonly directory: string;
  /** The name of a remote, or its URL. */
  readonly remote: string;
  readonly branch: string;
  /** The id of the session under which fetched commits are kept. */
  readonly session: string;
  /** How long the remote may stay silent before the check ends. */
  readonly silenceMsMax: number;
  /** Ends the check at once. */
  readonly signal?: AbortSignal | undefined;
}

/** No connection, no access, or no such remote; `message` has git's explanation. */
export interface Unreachable {
  readonly kind: "unreachable";
  readonly message: string;
}

/** The time limit of a check, however much the remote sends. */
const CHECK_MS_MAX = 10 * 60_000;

/** The prefix of all references that keep commits of the remotes of a session and its revisions. */
function remoteRefs(session: string): string {
  return `refs/wisp/remote/${session}/`;
}

/**
 * The reference in the user's repository that keeps the tip of the remote's branch. It lies below the session's
 * name, because a revision's name starts with its parent's, and git cannot store a reference at both levels.
 */
export function remoteRef(session: string): string {
  return `${remoteRefs(session)}tip`;
}

/** Removes the references kept for a session's remote; each check fetches them again. Idempotent. */
export async function forgetRemote(
  { environment }: UserContext,
  { directory, session }: Pick<RemoteCheck, "directory" | "session">,
): Promise<Result<void, GitFailure>> {
  const git = userGit({ environment }, directory);
  const kept = await git.must(["for-each-ref", "--format=%(refname)", remoteRefs(session)]);
  if (!kept.ok) return kept;
  for (const ref of linesOf(kept.value)) {
    const gone = await git.must(["update-ref", "--no-deref", "-d", ref]);
    if (!gone.ok) return gone;
  }
  return ok(undefined);
}

/**
 * Fetches one branch of a remote into the user's repository, with the user's own transport settings, and returns
 * its tip; `undefined` if the remote has no such branch. Fetches no tags or other branches, never prompts, and runs
 * no hook. Fetches nothing if the commit is already present.
 */
export async function fetchRemote(
  context: UserContext,
  look: RemoteCheck,
): Promise<Result<Oid | undefined, Unreachable>> {
  const { remote, branch, session, directory } = look;
  const name = `refs/heads/${branch}`;
  const within = AbortSignal.timeout(CHECK_MS_MAX);
  const signal = look.signal === undefined ? within : AbortSignal.any([look.signal, within]);
  const run = (args: readonly string[]) => reach(context, { ...look, signal }, args);
  const listed = await run(["ls-remote", "--quiet", "--refs", "--", remote, name]);
  if (!listed.ok) return listed;
  const line = linesOf(listed.value).find((entry) => entry.endsWith(`\t${name}`));
  const tip = Oid.safeParse(line?.split("\t")[0]);
  if (line === undefined || !tip.success) return ok(undefined);
  const git = userGit(context, directory);
  const ref = remoteRef(session);
  if (await isThere(git, tip.data)) return renewTip(git, ref, tip.data);
  // The empty refmap leaves the user's remote-tracking references alone.
  const fetched = await run([...FETCH_ONLY, "--refmap=", "--", remote, `+${name}:${ref}`]);
  if (!fetched.ok) return fetched;
  const now = await askForRef(git, ref);
  return now === undefined ? ok(undefined) : renewTip(git, ref, now);
}

/** Recreates the reference on every check, so that its reflog has the time even if the remote has not moved. */
async function renewTip(git: Git, ref: string, tip: Oid): Promise<Result<Oid, Unreachable>> {
  const gone = await git.must(["update-ref", "--no-deref", "-d", ref]);
  if (!gone.ok) return unreachable(gone.failure);
  const kept = await git.must(["update-ref", "--no-deref", "--create-reflog", ref, tip]);
  return kept.ok ? ok(tip) : unreachable(kept.failure);
}

async function isThere(git: Git, oid: Oid): Promise<boolean> {
  return (await git.ask(["cat-file", "-e", `${oid}^{commit}`])) !== undefined;
}

async function reach(
  { environment }: UserContext,
  { directory, silenceMsMax, signal }: RemoteCheck,
  args: readonly string[],
): Promise<Result<string, Unreachable>> {
  const ran = await runSimpleGit({
    ...{ directory, args, silenceMsMax, signal },
    environment: remoteEnvironment(environment, directory),
  });
  if (!ran.ok) return unreachable(ran.failure);
  const { exitCode, stdout, stderr } = ran.value;
  if (exitCode === 0) return ok(stdout);
  return unreachable(gitFailure(args[0] ?? "", directory, stderr));
}

function unreachable({ message }: GitFailure): Result<never, Unreachable> {
  return fail({ kind: "unreachable", message });
}

/** How the remote's branch relates to ours, `head`. */
export type RemoteRelation =
  /** The remote has no such branch, or ours contains it. */
  | "behind"
  | "same"
  /** The remote's branch contains ours, and more. */
  | "ahead"
  /** Each branch has commits that the other lacks. */
  | "apart";

/** Compares two commits of the user's repository. */
export async function remoteRelation(
  context: UserContext,
  directory: string,
  { head, tip }: { readonly head: Oid; readonly tip: Oid | undefined },
): Promise<RemoteRelation> {
  if (tip === undefined) return "behind";
  if (tip === head) return "same";
  if (await holdsCommit(context, directory, { commit: tip, holder: head })) return "behind";
  return (await holdsCommit(context, directory, { commit: head, holder: tip })) ? "ahead" : "apart";
}

/** A commit that the remote's branch was seen at. */
export interface KnownTip {
  readonly oid: Oid;
  /** In ms since 1970, to the second. */
  readonly seenMs: number;
}

/**
 * What the user's repository knows of the remote's branch without asking it: from wisp's last check, and from the
 * user's own fetches, pulls and pushes. A reference without a recorded time is left out.
 */
export async function knownTips(
  { environment }: UserContext,
  { directory, remote, branch, session }: Omit<RemoteCheck, "silenceMsMax" | "signal">,
): Promise<readonly KnownTip[]> {
  const git = userGit({ environment }, directory);
  const refs = [remoteRef(session), `refs/remotes/${remote}/${branch}`];
  const listed = await git.ask(["for-each-ref", "--format=%(objectname) %(refname)", ...refs]);
  const tips: KnownTip[] = [];
  for (const line of linesOf(listed ?? "")) {
    const [name = "", ref = ""] = line.split(" ");
    const oid = Oid.safeParse(name);
    // The pattern also matches references below it.
    const seenMs = refs.includes(ref) ? await movedAt(git, ref) : undefined;
    if (oid.success && seenMs !== undefined) tips.push({ oid: oid.data, seenMs });
  }
  return tips;
}

/** The time at which a reference last moved, from its reflog. */
async function movedAt(git: Git, ref: string): Promise<number | undefined> {
  const printed = await git.ask(["log", "-g", "-1", "--format=%gd", "--date=unix", ref, "--"]);
  const seconds = /@\{(\d{1,12})\}$/u.exec(printed?.trim() ?? "")?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1_000;
}
