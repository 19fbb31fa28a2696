import type { SessionJson } from "../fs-protocol/session-json.ts";
import type { SessionState } from "../fs-protocol/session-state.ts";
import { shortSha } from "./describe-unit.ts";
import { shown } from "./explanation.ts";
import { shellWord } from "./shell-word.ts";
import { takenAs } from "./taken-work.ts";
import { bareUrl } from "../git/remotes.ts";

/** Where the branch is at the remote that it is brought to at each boundary. */
export interface RemoteStatus {
  /** Its name, or its URL without user and password. */
  readonly remote: string;
  /** The commit that was brought there last; absent: none was. */
  readonly pushed: string | undefined;
  /** Whether that is the branch as it stands. */
  readonly isThere: boolean;
  /** Why the last push failed; absent: it did not. */
  readonly failure: string | undefined;
  /** A person said to leave it alone. */
  readonly isLeft: boolean;
  /** One sentence for people, where there is something to say: not while all is well. */
  readonly says: string | undefined;
  /** The command that leads on from there. */
  readonly command: string | undefined;
}

/** What is on record of the remote; undefined: the branch is not brought to one while it is worked on. */
export function remoteStatus(session: SessionJson, state: SessionState): RemoteStatus | undefined {
  const { publish } = session;
  if (publish.remote === undefined || publish.at !== "boundary") return undefined;
  const { builder, branch, human } = state;
  const { pushed, failure, isLeft } = builder.remote;
  const isThere = pushed !== undefined && pushed === branch.head;
  const remote = shown(bareUrl(publish.remote));
  const isOver = builder.done !== undefined && human.closed === undefined;
  const facts = { remote, pushed, isThere, failure, isLeft };
  return { ...facts, ...wordsOf(facts, { session, isOver }) };
}

type Facts = Omit<RemoteStatus, "says" | "command">;

function wordsOf(
  { remote, pushed, isThere, failure, isLeft }: Facts,
  { session, isOver }: { readonly session: SessionJson; readonly isOver: boolean },
): Pick<RemoteStatus, "says" | "command"> {
  const at = pushed === undefined ? "nothing of it is there" : `it is at ${shortSha(pushed)} there`;
  const command = isOver ? `wisp done ${shellWord(takenAs(session))}` : undefined;
  if (isThere) return { says: undefined, command: undefined };
  if (isLeft) {
    const alone = command === undefined ? undefined : `${command} --no-push`;
    return { says: `${remote} is left alone, as you said: ${at}`, command: alone };
  }
  if (failure !== undefined) {
    const next = isOver ? "" : "; the next boundary tries again";
    return { says: `the last push to ${remote} failed: ${shown(failure)} (${at}${next})`, command };
  }
  if (!isOver) return { says: undefined, command: undefined };
  return { says: `the work is not at ${remote}: ${at}`, command };
}
