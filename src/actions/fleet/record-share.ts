import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import { CannotGoOn, need } from "../../base/fatal.ts";
import { shown } from "../../base/words/shown.ts";
import { mayGive, type Grant } from "../../session/rules/next-grant.ts";
import type { HumanFold } from "../../session/state/fold-human.ts";
import { fleetMember } from "../../session/steps/fleet-member.ts";
import { appendHuman, type HumanEntry } from "../../workspace/session/append-human.ts";
import { readLeases } from "../../workspace/session/read-leases.ts";
import { readState } from "../../workspace/session/read-state.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import type { World } from "../../workspace/world.ts";

/** A session cannot give a share of its budget, because it goes on or has too little left. */
export const ShareNotGiven = refusal(
  "share-not-given",
  EXIT.failure,
  ({ session, id }: { readonly session: string; readonly id: string }) => [
    `${shown(session)} did not give the share ${shown(id)} of its budget: it is not finished, or has less left, or has given it already.`,
    "Nothing was recorded. To see what it used:",
    "wisp cost",
  ],
);

/**
 * Records that a finished session gives a share, in its own log; does nothing if the share is there already. Whether it
 * may give is decided again under the lock of the log, by the records that are there then: a session that was reopened
 * meanwhile, or that another process has had give, gives nothing. Throws `CannotGoOn` with `ShareNotGiven` then, and if
 * the record cannot be written.
 */
export async function recordGiven(
  world: World,
  found: FoundSession,
  grant: Omit<Grant, "from">,
  isGivenUp: boolean,
): Promise<void> {
  const { id, to, amounts } = grant;
  const alive = await readLeases(world.host, found.home);
  // Read after the processes were looked at: none of them has begun a turn since.
  const { state } = need(await readState(world, found));
  const mayGiveBy = (human: HumanFold) => {
    const member = fleetMember(found.session.id, { ...state, human }, isGivenUp);
    return alive.size === 0 && member !== undefined && mayGive(member, grant);
  };
  const has = ({ given }: HumanFold) => given.some((share) => share.id === id);
  const isThere = await appendShare(world, found, {
    entry: { kind: "budget.give", id, to, amounts },
    when: (human) => !has(human) && mayGiveBy(human),
    has,
  });
  if (!isThere) throw new CannotGoOn(ShareNotGiven({ session: found.session.id, id }));
}

/**
 * Records that a session was granted a share, in its own log; does nothing if the share's id is there already, so that it
 * counts once however often this is begun again. To be called only once the giver's record is there. Throws `CannotGoOn`
 * if the record cannot be written.
 */
export async function recordGranted(
  world: World,
  found: FoundSession,
  { id, from, amounts }: Omit<Grant, "to">,
): Promise<void> {
  const has = ({ granted }: HumanFold) => granted.some((share) => share.id === id);
  await appendShare(world, found, {
    entry: { kind: "budget.grant", id, from, amounts },
    when: (human) => !has(human),
    has,
  });
}

interface Sharing {
  readonly entry: HumanEntry;
  /** Decided under the lock. */
  readonly when: (human: HumanFold) => boolean;
  readonly has: (human: HumanFold) => boolean;
}

/** Appends the record if it may be; returns whether the log has it now. */
async function appendShare(
  world: World,
  found: FoundSession,
  { entry, when, has }: Sharing,
): Promise<boolean> {
  let hadIt = false;
  const appended = await appendHuman(world, found, (human) => {
    hadIt = has(human);
    return when(human) ? entry : undefined;
  });
  // Nothing was to be appended to the log of a closed session.
  if (!appended.ok && appended.failure.kind === "session-closed") return hadIt;
  return need(appended).isAppended || hadIt;
}
