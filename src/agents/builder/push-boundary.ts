import type { Oid } from "../../base/oid.ts";
import type { RemotePushFailure } from "../../git/push-remote.ts";
import { clip } from "../clip.ts";
import { pushToRemote } from "../push-to-remote.ts";
import type { RoleContext } from "../role-context.ts";

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
  const { repository: directory, branch } = session;
  const pushed = await pushToRemote(
    { environment: env },
    { directory, remote, branch, at, signal },
    { random, isPatient: true },
  );
  const outcomeAt = { kind: "remote.push", time: journal.time(), at } as const;
  if (pushed.ok) journal.append({ ...outcomeAt, outcome: "pushed" });
  else {
    const reason = signal.aborted ? INTERRUPTED : reasonOf(pushed.failure);
    journal.append({ ...outcomeAt, outcome: "failed", reason });
  }
}

function reasonOf(failure: RemotePushFailure): string {
  if (failure.kind === "rejected") return "the remote's branch has commits that this one lacks";
  return clip(failure.message);
}
