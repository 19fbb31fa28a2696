import { fetchFromRemote, pushToRemote } from "../agents/push-to-remote.ts";
import type { Oid } from "../base/oid.ts";
import type { GitFailure } from "../base/repo.ts";
import { fail, ok, type Result } from "../base/result.ts";
import type { SessionJson } from "../fs-protocol/session-json.ts";
import { remoteRelation } from "../git/fetch-remote.ts";
import { remoteNames } from "../git/remotes.ts";
import { gitContext, type Cli } from "./cli.ts";
import type { RemoteFailure } from "./failures.ts";

/**
 * The remote that a session's branch is brought to: the wanted one, else that of the settings, else `origin`,
 * else the only one there is; undefined: there is none.
 */
export async function chooseRemote(
  cli: Pick<Cli, "host" | "env">,
  session: SessionJson,
  wanted: string | undefined,
): Promise<Result<string | undefined, GitFailure | RemoteFailure>> {
  const { repository, publish, id, branch } = session;
  const names = await remoteNames(gitContext(cli), repository);
  if (!names.ok) return names;
  const named = wanted ?? publish.remote;
  if (named === undefined) {
    const [only, ...others] = names.value;
    return ok(names.value.includes("origin") ? "origin" : others.length === 0 ? only : undefined);
  }
  const isUrl = /[:/]/u.test(named);
  if (isUrl || names.value.includes(named)) return ok(named);
  const message = `there is no remote of that name (there are: ${names.value.join(", ")})`;
  const failure = { session: id, branch, remote: named, why: "unreachable", message } as const;
  return fail({ kind: "remote", ...failure });
}

/**
 * Whether a push can succeed, as far as the remote's branch says: its commits are fetched, and nothing of ours or of
 * theirs is changed.
 */
export async function lookBeforePush(
  cli: Pick<Cli, "host" | "env">,
  { repository: directory, branch, id }: SessionJson,
  { remote, head }: { readonly remote: string; readonly head: Oid },
): Promise<Result<void, RemoteFailure>> {
  const context = gitContext(cli);
  const retry = { random: Math.random };
  const fetched = await fetchFromRemote(context, { directory, remote, branch, session: id }, retry);
  const about = { kind: "remote", session: id, branch, remote } as const;
  if (!fetched.ok) {
    return fail({ ...about, why: "unreachable", message: fetched.failure.message });
  }
  const relation = await remoteRelation(context, directory, { head, tip: fetched.value });
  const isMoved = relation === "ahead" || relation === "apart";
  return isMoved ? fail({ ...about, why: "rejected", message: "" }) : ok(undefined);
}

/** Pushes the branch, never forced; a remote that does not answer is tried again. */
export async function pushBranch(
  cli: Pick<Cli, "host" | "env">,
  { repository: directory, branch, id }: SessionJson,
  { remote, head }: { readonly remote: string; readonly head: Oid },
): Promise<Result<void, RemoteFailure>> {
  const push = { directory, remote, branch, at: head };
  const retry = { random: Math.random };
  const pushed = await pushToRemote(gitContext(cli), push, retry);
  if (pushed.ok) return pushed;
  const { failure } = pushed;
  const message = failure.kind === "rejected" ? "" : failure.message;
  const why = failure.kind === "git" ? "refused" : failure.kind;
  return fail({ kind: "remote", session: id, branch, remote, why, message });
}
