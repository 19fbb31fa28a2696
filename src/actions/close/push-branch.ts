import { CannotGoOn, need } from "../../base/fatal.ts";
import { inSentences } from "../../base/words/in-sentences.ts";
import { EXIT } from "../../base/exit-code.ts";
import { refusal, type Words } from "../../base/failure.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import { shown } from "../../base/words/shown.ts";
import { fetchFromRemote, pushToRemote } from "../../agents/work/push-to-remote.ts";
import type { Oid } from "../../base/oid.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import { remoteRelation } from "../../git/repository/remote-branch.ts";
import { remoteNames } from "../../git/repository/remotes.ts";
import { gitContext, type World } from "../../workspace/world.ts";
import { pullCommand } from "../../views/next/pull-command.ts";

interface NotPushed {
  readonly session: string;
  readonly branch: string;
  readonly remote: string;
  /** `rejected`: its branch has commits that ours lacks. */
  readonly why: "rejected" | "unreachable" | "refused";
  readonly message: string;
}

/** The branch could not be brought to the user's remote. */
export const RemoteFailure = refusal("remote", EXIT.failure, remoteWords);
type RemoteFailure = ReturnType<typeof RemoteFailure>;

function remoteWords({ session, branch, remote, why, message }: NotPushed): Words {
  const at = `${shown(remote)}, branch '${shown(branch)}'`;
  const again = `wisp done ${shellWord(session)}`;
  switch (why) {
    case "rejected":
      return [
        `${at} has commits that this one lacks: somebody else pushed there.`,
        "wisp forces nothing, and nothing was removed. Merge them, have them reviewed and tested, and say it again; or take the work without the remote:",
        pullCommand({ branch, remote }),
        `wisp resume ${shellWord(session)}`,
        again,
        `${again} --no-push`,
      ];
    case "unreachable":
      return [
        inSentences(`${shown(remote)} was not reached: ${shown(message)}`),
        "Nothing was removed. To try again, or to do without a remote:",
        again,
        `${again} --no-push`,
      ];
    case "refused":
      return [
        inSentences(`${at} was refused by the remote: ${shown(message)}`),
        "A rule of the remote's keeps it out. Nothing was removed; when it is settled:",
        again,
      ];
  }
}

/**
 * The remote that a session's branch is brought to: the wanted one, else that of the settings, else `origin`,
 * else the only one there is; undefined: there is none.
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
  const message = `there is no remote of that name (there are: ${names.join(", ")})`;
  const about = { session: id, branch, remote: named };
  throw new CannotGoOn(RemoteFailure({ ...about, why: "unreachable", message }));
}

/**
 * Whether a push can succeed, as far as the remote's branch says: its commits are fetched, and nothing of ours or of
 * theirs is changed.
 */
export async function lookBeforePush(
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

/** Pushes the branch, never forced; a remote that does not answer is tried again. */
export async function pushBranch(
  world: Pick<World, "host" | "env">,
  { repository: directory, branch, id }: SessionJson,
  { remote, head }: { readonly remote: string; readonly head: Oid },
): Promise<void> {
  const push = { directory, remote, branch, at: head };
  const retry = { random: Math.random };
  const pushed = await pushToRemote(gitContext(world), push, retry);
  if (pushed.ok) return;
  const { failure } = pushed;
  const message = failure.kind === "rejected" ? "" : failure.message;
  const why = failure.kind === "git" ? "refused" : failure.kind;
  throw new CannotGoOn(RemoteFailure({ session: id, branch, remote, why, message }));
}
