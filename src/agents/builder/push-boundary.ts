import {
  PUBLISH_ATTEMPTS_MAX,
  PUBLISH_REMOTE_BACKOFF_MS_MIN,
  UNIT_BACKOFF_MS_MAX,
} from "../../base/limits.ts";
import type { Oid } from "../../base/oid.ts";
import { pushRemote, type RemotePushFailure } from "../../git/push-remote.ts";
import { pushWithRetry } from "../../streams/push-with-retry.ts";
import type { RoleContext } from "../role-context.ts";
import { clip } from "../clip.ts";

/** Silence of a remote after which one attempt is ended. */
const REMOTE_SILENCE_MS_MAX = 60_000;

const INTERRUPTED = "the builder was asked to end";

/**
 * Brings the branch to the user's remote at a milestone boundary, where that is configured: three
 * attempts with backoff, never forced. A remote that refuses stops nobody's work; it is on record, and
 * the next boundary tries again. A process that is asked to end does not wait for it.
 */
export async function pushBoundary(context: RoleContext<"builder">, at: Oid): Promise<void> {
  const { session, env, journal, random, signal } = context;
  const { remote, at: when } = session.publish;
  if (remote === undefined || when !== "boundary") return;
  const push = async () => {
    const { repository: directory, branch } = session;
    const pushed = await pushRemote(
      { environment: env },
      { directory, remote, branch, at, silenceMsMax: REMOTE_SILENCE_MS_MAX, signal },
    );
    if (pushed.ok) return { kind: "published", value: undefined } as const;
    const kind = pushed.failure.kind === "git" ? "failed" : "rejected";
    return { kind, failure: pushed.failure } as const;
  };
  const result = await pushWithRetry<undefined, RemotePushFailure>(push, {
    attemptsMax: PUBLISH_ATTEMPTS_MAX,
    msMin: PUBLISH_REMOTE_BACKOFF_MS_MIN,
    msMax: UNIT_BACKOFF_MS_MAX,
    random,
    signal,
  });
  const outcomeAt = { kind: "remote.push", time: journal.time(), at } as const;
  if (result.kind === "published") journal.append({ ...outcomeAt, outcome: "pushed" });
  else {
    const reason = signal.aborted ? INTERRUPTED : reasonOf(result.failure);
    journal.append({ ...outcomeAt, outcome: "failed", reason });
  }
}

function reasonOf(failure: RemotePushFailure): string {
  if (failure.kind === "rejected") return "the remote's branch has commits that this one lacks";
  return clip(failure.message);
}
