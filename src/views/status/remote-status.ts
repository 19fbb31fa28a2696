import { shown } from "../../base/words/shown.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { shortSha } from "../../workspace/session/describe-unit.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import { shippedAs } from "../../workspace/finished/shipped-work.ts";
import { pullCommand } from "../next/pull-command.ts";
import type { RemoteSeen } from "../../workspace/finished/read-remote-seen.ts";
import { endOf } from "../../session/state/end-in-force.ts";
import { bareUrl } from "../../git/remote/remotes.ts";

/** The state of the branch at the remote that it is pushed to at each boundary. */
export interface RemoteStatus {
  /** Name of the remote, or its URL without user and password. */
  readonly remote: string;
  /** The commit that was pushed last; absent if none was. */
  readonly pushed: string | undefined;
  /** The last known commit of the remote branch and when it was seen, ISO 8601; absent if only the push is known. */
  readonly seen?: { readonly at: string; readonly time: string } | undefined;
  /** Whether the remote has the current branch, as far as is known. */
  readonly isThere: boolean;
  /** Whether the remote branch has commits that the local branch lacks. */
  readonly hasMore: boolean;
  /** Why the last push failed; absent if it did not fail. */
  readonly failure: string | undefined;
  /** Whether a person asked to leave the remote alone. */
  readonly isLeft: boolean;
  /** One sentence for people; absent while all is well. */
  readonly says: string | undefined;
  /** The next command. */
  readonly command: string | undefined;
}

/** Whether the remote branch has commits that the local branch lacks. */
export function isAhead(seen: Pick<RemoteSeen, "relation"> | undefined): boolean {
  return seen?.relation === "ahead" || seen?.relation === "apart";
}

/**
 * What is known about the remote without contacting it; undefined if the branch is not pushed during the session.
 *
 * @param seen the last known state of the remote branch; absent if only the builder's record is known
 */
export function remoteStatus(
  session: SessionJson,
  state: SessionState,
  seen?: RemoteSeen,
): RemoteStatus | undefined {
  const { publish } = session;
  if (publish.remote === undefined || publish.at !== "boundary") return undefined;
  const { builder, branch, human } = state;
  const { pushed, failure, isLeft } = builder.remote;
  const isThere =
    seen === undefined ? pushed !== undefined && pushed === branch.head : seen.relation === "same";
  const remote = shown(bareUrl(publish.remote));
  const isOver = endOf(state) !== undefined && human.closed === undefined;
  const facts = {
    remote,
    pushed,
    isThere,
    hasMore: isAhead(seen),
    failure,
    isLeft,
    ...seenOf(seen),
  };
  return { ...facts, ...wordsOf(facts, { session, isOver }) };
}

function seenOf(seen: RemoteSeen | undefined): Pick<RemoteStatus, "seen"> {
  if (seen === undefined) return {};
  return { seen: { at: seen.tip, time: new Date(seen.seenMs).toISOString() } };
}

type Facts = Omit<RemoteStatus, "says" | "command">;

function wordsOf(
  facts: Facts,
  { session, isOver }: { readonly session: SessionJson; readonly isOver: boolean },
): Pick<RemoteStatus, "says" | "command"> {
  const { remote, isThere, hasMore, failure, isLeft } = facts;
  const at = placeWords(facts);
  const command = isOver ? `wisp done ${shellWord(shippedAs(session))}` : undefined;
  if (isThere) return { says: undefined, command: undefined };
  if (isLeft) {
    const alone = command === undefined ? undefined : `${command} --no-push`;
    return { says: `${remote} is left alone, as you asked: ${at}`, command: alone };
  }
  if (hasMore && isOver) {
    const says = `${remote} has commits that this branch lacks: ${at}`;
    return { says, command: pullCommand({ branch: session.branch, remote }) };
  }
  if (failure !== undefined) {
    const next = isOver ? "" : "; the next boundary tries again";
    return { says: `the last push to ${remote} failed: ${shown(failure)} (${at}${next})`, command };
  }
  if (!isOver) return { says: undefined, command: undefined };
  return { says: `the work is not at ${remote}: ${at}`, command };
}

const TO_THE_MINUTE_CHARS = "2026-11-23T08:57".length;

function placeWords({ pushed, seen }: Pick<Facts, "pushed" | "seen">): string {
  if (seen !== undefined) {
    const time = seen.time.slice(0, TO_THE_MINUTE_CHARS).replace("T", " ");
    return `it was at ${shortSha(seen.at)} there when last checked, ${time} UTC`;
  }
  return pushed === undefined
    ? "nothing has been pushed there"
    : `it is at ${shortSha(pushed)} there`;
}
