import {
  PUBLISH_ATTEMPTS_MAX,
  PUBLISH_REMOTE_BACKOFF_MS_MIN,
  UNIT_BACKOFF_MS_MAX,
} from "../base/limits.ts";
import type { Oid } from "../base/oid.ts";
import { fail, ok, type Result } from "../base/result.ts";
import { type ContentPush, uploadContent } from "../git/lfs/upload-content.ts";
import { fetchRemote, type RemoteCheck, type Unreachable } from "../git/remote/remote-branch.ts";
import type { GitContext } from "../git/command/git-environment.ts";
import { pushRemote, type RemotePushFailure } from "../git/remote/push-remote.ts";
import { pushWithRetry } from "../streams/push-with-retry.ts";

/** A remote that sends nothing for this long ends an attempt. */
const REMOTE_SILENCE_MS_MAX = 60_000;

type Context = Pick<GitContext, "environment" | "files">;
type Environment = Pick<GitContext, "environment">;

/** How attempts at a remote are repeated. */
export interface RemoteRetry {
  /** In [0, 1): jitter of the waits between attempts. */
  readonly random: () => number;
}

/**
 * Pushes a commit to a remote of the user's, never with force, after the content of its new files under Git LFS. Tries again if the remote does not answer, but not if it
 * refuses the push: it would refuse again.
 */
export async function pushToRemote(
  context: Context,
  push: Omit<ContentPush, "silenceMsMax">,
  retry: RemoteRetry,
): Promise<Result<void, RemotePushFailure>> {
  const limited = { ...push, silenceMsMax: REMOTE_SILENCE_MS_MAX };
  // A branch that arrives first would point to nothing for whoever fetches it meanwhile.
  const uploaded = await uploadContent(context, limited);
  if (!uploaded.ok) return uploaded;
  const once = () => pushRemote(context, limited);
  return whileUnreachable(once, push.signal, retry);
}

/** Fetches a branch of a remote of the user's like `fetchRemote`, and tries again if the remote does not answer. */
export async function fetchFromRemote(
  context: Environment,
  look: Omit<RemoteCheck, "silenceMsMax">,
  retry: RemoteRetry,
): Promise<Result<Oid | undefined, Unreachable>> {
  const once = () => fetchRemote(context, { ...look, silenceMsMax: REMOTE_SILENCE_MS_MAX });
  return whileUnreachable(once, look.signal, retry);
}

async function whileUnreachable<T, F extends { readonly kind: string }>(
  once: () => Promise<Result<T, F>>,
  signal: AbortSignal | undefined,
  { random }: RemoteRetry,
): Promise<Result<T, F>> {
  const attempt = async () => {
    const tried = await once();
    if (tried.ok) return { kind: "published", value: tried.value } as const;
    const { failure } = tried;
    return { kind: failure.kind === "unreachable" ? "rejected" : "failed", failure } as const;
  };
  const result = await pushWithRetry<T, F>(attempt, {
    attemptsMax: PUBLISH_ATTEMPTS_MAX,
    msMin: PUBLISH_REMOTE_BACKOFF_MS_MIN,
    msMax: UNIT_BACKOFF_MS_MAX,
    random,
    signal,
  });
  return result.kind === "published" ? ok(result.value) : fail(result.failure);
}
