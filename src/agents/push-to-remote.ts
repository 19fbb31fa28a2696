import {
  PUBLISH_ATTEMPTS_MAX,
  PUBLISH_REMOTE_BACKOFF_MS_MIN,
  UNIT_BACKOFF_MS_MAX,
} from "../base/limits.ts";
import { fail, ok, type Result } from "../base/result.ts";
import type { GitContext } from "../git/git-environment.ts";
import { pushRemote, type RemotePush, type RemotePushFailure } from "../git/push-remote.ts";
import { pushWithRetry } from "../streams/push-with-retry.ts";

/** Silence of a remote after which one attempt is ended. */
const REMOTE_SILENCE_MS_MAX = 60_000;

/** How a push is tried again. */
export interface RemoteRetry {
  readonly random: () => number;
  /** Whether commits on the remote's branch may be gone after a while: then that is waited for, too. */
  readonly isPatient: boolean;
}

/** Pushes a commit to a remote of the user's, never forced; one that does not answer is tried again. */
export async function pushToRemote(
  context: Pick<GitContext, "environment">,
  push: Omit<RemotePush, "silenceMsMax">,
  { random, isPatient }: RemoteRetry,
): Promise<Result<void, RemotePushFailure>> {
  const once = async () => {
    const pushed = await pushRemote(context, { ...push, silenceMsMax: REMOTE_SILENCE_MS_MAX });
    if (pushed.ok) return { kind: "published", value: undefined } as const;
    const { failure } = pushed;
    const isWorthAnother =
      failure.kind === "unreachable" || (isPatient && failure.kind === "rejected");
    return { kind: isWorthAnother ? "rejected" : "failed", failure } as const;
  };
  const result = await pushWithRetry<undefined, RemotePushFailure>(once, {
    attemptsMax: PUBLISH_ATTEMPTS_MAX,
    msMin: PUBLISH_REMOTE_BACKOFF_MS_MIN,
    msMax: UNIT_BACKOFF_MS_MAX,
    random,
    signal: push.signal,
  });
  return result.kind === "published" ? ok(undefined) : fail(result.failure);
}
