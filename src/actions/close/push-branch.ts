import { CannotGoOn, need } from "../../base/fatal.ts";
import { inSentences } from "../../base/words/in-sentences.ts";
import { EXIT } from "../../base/exit-code.ts";
import { refusal, type Words } from "../../base/failure.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import { shown } from "../../base/words/shown.ts";
import { refuseWrites } from "../../home/write-fence.ts";
import { fetchFromRemote, pushToRemote } from "../../work/push-to-remote.ts";
import type { Oid } from "../../base/oid.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import { remoteRelation } from "../../git/remote/remote-branch.ts";
import { remoteNames } from "../../git/remote/remotes.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import { gitContext, type World } from "../../workspace/world.ts";
import { pullCommand } from "../../views/next/pull-command.ts";

interface NotPushed {
  readonly session: string;
  readonly branch: string;
  readonly remote: string;
  /** `rejected`: the remote branch has commits that ours lacks. */
  readonly why: "rejected" | "unreachable" | "refused" | "content";
  readonly message: string;
}

/** The branch could not be pushed to the user's remote. */
export const RemoteFailure = refusal("remote", EXIT.failure, remoteWords);
type RemoteFailure = ReturnType<typeof RemoteFailure>;

function remoteWords({ session, branch, remote, why, message }: NotPushed): Words {
  const at = `${shown(remote)}, branch '${shown(branch)}'`;
  const again = `wisp done ${shellWord(session)}`;
  switch (why) {
    case "rejected":
      return [
        `${at} has commits that the session's branch lacks: somebody else pushed to it.`,
        "wisp never force-pushes, and nothing was removed. Merge them, have them reviewed and tested, and run the command again; or ship without the remote:",
        pullCommand({ branch, remote }),
        `wisp resume ${shellWord(session)}`,
        again,
        `${again} --no-push`,
      ];
    case "unreachable":
      return [
        inSentences(`${shown(remote)} could not be reached: ${shown(message)}`),
        "Nothing was removed. To try again, or to ship without a remote:",
        again,
        `${again} --no-push`,
      ];
    case "content":
      return [
        inSentences(
          `Content of files under Git LFS was not uploaded to ${shown(remote)}: ${shown(message)}`,
        ),
        "Nothing was pushed or removed. When that is resolved, or to ship without a remote:",
        again,
        `${again} --no-push`,
      ];
    case "refused":
      return [
        inSentences(`The remote refused the push to ${at}: ${shown(message)}`),
        "A rule of the remote forbids it. Nothing was removed. When that is resolved:",
        again,
      ];
  }
}

/**
 * The remote to push a session's branch to: the requested one, or else the one in the settings, or
 * else `origin`, or else the only one. Undefined if there is none.
 */
export async function chooseRemote(
  world: Pick<World, "host" | "env">,
  session: SessionJson,
  wanted: string | undefined,
): Promise<string | undefined> {
  const { repository, publish, id, branch } = session;
  const names = need(await remoteNames(gitContext(world), repository));
  const named = wanted ?? publish.remote;
  if (named === undefined) {
    const [only, ...others] = names;
    return names.includes("origin") ? "origin" : others.length === 0 ? only : undefined;
  }
  const isUrl = /[:/]/u.test(named);
  if (isUrl || names.includes(named)) return named;
  const message = `there is no remote with that name (existing remotes: ${names.join(", ")})`;
  const about = { session: id, branch, remote: named };
  throw new CannotGoOn(RemoteFailure({ ...about, why: "unreachable", message }));
}

/**
 * Checks whether a push can succeed: fetches the commits of the remote's branch and compares,
 * without changing either branch. Throws `CannotGoOn` if it cannot.
 */
export async function checkBeforePush(
  world: Pick<World, "host" | "env">,
  { repository: directory, branch, id }: SessionJson,
  { remote, head }: { readonly remote: string; readonly head: Oid },
): Promise<void> {
  const context = gitContext(world);
  const retry = { random: Math.random };
  const fetched = await fetchFromRemote(context, { directory, remote, branch, session: id }, retry);
  const about = { session: id, branch, remote };
  if (!fetched.ok) {
    throw new CannotGoOn(
      RemoteFailure({ ...about, why: "unreachable", message: fetched.failure.message }),
    );
  }
  const relation = await remoteRelation(context, directory, { head, tip: fetched.value });
  const isMoved = relation === "ahead" || relation === "apart";
  if (isMoved) throw new CannotGoOn(RemoteFailure({ ...about, why: "rejected", message: "" }));
}

/** Throws `CannotGoOn` if the session moved away: only a mirror's work is shipped from here, though it runs elsewhere. */
export function needShippedHere(
  { host }: Pick<World, "host">,
  { home, mirrors }: FoundSession,
): void {
  if (mirrors === undefined) need(refuseWrites(host.files, home));
}

/** Pushes the branch, never with force; retries if the remote does not answer. */
export async function pushBranch(
  world: Pick<World, "host" | "env">,
  found: FoundSession,
  { remote, head }: { readonly remote: string; readonly head: Oid },
): Promise<void> {
  const { repository: directory, branch, id, base: since } = found.session;
  needShippedHere(world, found);
  const push = { directory, remote, branch, at: head, since };
  const retry = { random: Math.random };
  const pushed = await pushToRemote(gitContext(world), push, retry);
  if (pushed.ok) return;
  const { failure } = pushed;
  const message = failure.kind === "rejected" ? "" : failure.message;
  const why = failure.kind === "git" ? "refused" : failure.kind;
  throw new CannotGoOn(RemoteFailure({ session: id, branch, remote, why, message }));
}
