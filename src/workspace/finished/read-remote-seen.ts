import type { Oid } from "../../base/oid.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import {
  type KnownTip,
  knownTips,
  remoteRelation,
  type RemoteRelation,
} from "../../git/remote/remote-branch.ts";
import { gitContext, type World } from "../world.ts";
import { endOf } from "../../session/state/end-in-force.ts";
import type { FoundSession } from "../sessions.ts";
import { holdsCommit } from "../../git/repository/known-objects.ts";

/** Where the remote's branch was last seen, as far as this machine knows without asking. */
export interface RemoteSeen {
  readonly tip: Oid;
  /** In ms since 1970, with a resolution of one second. */
  readonly seenMs: number;
  /** How it relates to the branch here. */
  readonly relation: RemoteRelation;
}

type Reader = Pick<World, "host" | "env">;

/**
 * What is known about the remote that a session's branch is pushed to, once the session has ended:
 * before that, the builder checks it at each boundary. Undefined if there is no such remote, or if
 * nothing is known.
 */
export async function readRemoteSeen(
  world: Reader,
  { session }: FoundSession,
  state: SessionState,
): Promise<RemoteSeen | undefined> {
  const { repository: directory, branch, id, publish } = session;
  const { head } = state.branch;
  const { remote } = publish;
  const isAsked = remote !== undefined && publish.at === "boundary";
  if (!isAsked || head === undefined || endOf(state) === undefined) return undefined;
  if (state.human.closed !== undefined) return undefined;
  const context = gitContext(world);
  const tips = await knownTips(context, { directory, remote, branch, session: id });
  const { pushed, pushedMs } = state.builder.remote;
  const own =
    pushed === undefined || pushedMs === undefined ? [] : [{ oid: pushed, seenMs: pushedMs }];
  const newest = await newestOf(world, directory, [...own, ...tips]);
  if (newest === undefined) return undefined;
  const { oid: tip, seenMs } = newest;
  const relation = await remoteRelation(context, directory, { head, tip });
  return { tip, seenMs, relation };
}

/**
 * The newest by time; within the same second, the one that contains the other, since remote
 * branches move forward.
 */
async function newestOf(
  world: Reader,
  directory: string,
  tips: readonly KnownTip[],
): Promise<KnownTip | undefined> {
  let newest: KnownTip | undefined;
  for (const tip of tips) {
    if (newest === undefined || (await isLater(world, directory, tip, newest))) newest = tip;
  }
  return newest;
}

async function isLater(
  world: Reader,
  directory: string,
  tip: KnownTip,
  than: KnownTip,
): Promise<boolean> {
  const apartSeconds = secondOf(tip.seenMs) - secondOf(than.seenMs);
  if (apartSeconds !== 0) return apartSeconds > 0;
  if (tip.oid === than.oid) return false;
  return holdsCommit(gitContext(world), directory, { commit: than.oid, holder: tip.oid });
}

function secondOf(ms: number): number {
  return Math.floor(ms / 1_000);
}
