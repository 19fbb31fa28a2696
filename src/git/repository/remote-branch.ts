import { Oid } from "../../base/oid.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { FETCH_ONLY } from "./fetch-hub.ts";
import { remoteEnvironment } from "../command/git-environment.ts";
import { gitFailure } from "../command/git-failure.ts";
import { type Git, type UserContext, userGit } from "../command/git.ts";
import { askForRef } from "../command/read-ref.ts";
import { runSimpleGit } from "../command/simple-git.ts";
import { linesOf } from "../command/raw-output.ts";
import { holdsCommit } from "./known-objects.ts";

/** Which branch of which remote is looked at. */
export interface RemoteLook {
  /** The user's repository, whose remotes and credentials are used. */
  readonly directory: string;
  /** The name of a remote, or its URL. */
  readonly remote: string;
  readonly branch: string;
  /** The session's id: what is fetched is kept under it. */
  readonly session: string;
  /** Silence of the other side after which the look is ended. */
  readonly silenceMsMax: number;
  /** Ends the look at once. */
  readonly signal?: AbortSignal | undefined;
}

/** No connection, no access, no such remote: git says which in `message`. */
export interface Unreachable {
  readonly kind: "unreachable";
  readonly message: string;
}

/** However much the other side has to say, a look ends. */
const LOOK_MS_MAX = 10 * 60_000;

/** What is kept of a session's remote, and of its revisions', in the user's repository lies below this. */
function remoteRefs(session: string): string {
  return `refs/wisp/remote/${session}/`;
}

/**
 * Where in the user's repository the tip of the remote's branch is kept; nobody else's references are touched. Below
 * the session's name, not at it: that of a revision begins with its parent's, and git has no room for both then.
 */
export function remoteRef(session: string): string {
  return `${remoteRefs(session)}tip`;
}

/** Removes what was kept of a session's remote; each look fetches it anew. Twice is the same as once. */
export async function forgetRemote(
  { environment }: UserContext,
  { directory, session }: Pick<RemoteLook, "directory" | "session">,
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
 * Brings the one branch of a remote into the user's repository, with the user's own means, and returns its tip;
 * `undefined`: the remote has no such branch. No tags, no other branch, no question, no hook. Nothing is fetched
 * where the commit is there already.
 */
export async function fetchRemote(
  context: UserContext,
  look: RemoteLook,
): Promise<Result<Oid | undefined, Unreachable>> {
  const { remote, branch, session, directory } = look;
  const name = `refs/heads/${branch}`;
  const within = AbortSignal.timeout(LOOK_MS_MAX);
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
  // An empty map: what the user configured to follow the remote is the user's to update.
  const fetched = await run([...FETCH_ONLY, "--refmap=", "--", remote, `+${name}:${ref}`]);
  if (!fetched.ok) return fetched;
  const now = await askForRef(git, ref);
  return now === undefined ? ok(undefined) : renewTip(git, ref, now);
}

/** Made anew at each look: then its reflog has the time of the look, also where the remote has not moved. */
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
  { directory, silenceMsMax, signal }: RemoteLook,
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

/** How the remote's branch stands to ours, `head`. */
export type RemoteRelation =
  /** It has no such branch, or one that ours holds. */
  | "behind"
  | "same"
  /** It holds ours, and more. */
  | "ahead"
  /** Each has commits that the other lacks. */
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
 * What the user's repository knows of the remote's branch without asking it: wisp's last look, and the user's own
 * fetches, pulls and pushes. A reference of which no time is on record is left out.
 */
export async function knownTips(
  { environment }: UserContext,
  { directory, remote, branch, session }: Omit<RemoteLook, "silenceMsMax" | "signal">,
): Promise<readonly KnownTip[]> {
  const git = userGit({ environment }, directory);
  const refs = [remoteRef(session), `refs/remotes/${remote}/${branch}`];
  const listed = await git.ask(["for-each-ref", "--format=%(objectname) %(refname)", ...refs]);
  const tips: KnownTip[] = [];
  for (const line of linesOf(listed ?? "")) {
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
  const told = await git.ask(["log", "-g", "-1", "--format=%gd", "--date=unix", ref, "--"]);
  const seconds = /@\{(\d{1,12})\}$/u.exec(told?.trim() ?? "")?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1_000;
}
