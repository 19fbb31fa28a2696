import type { Budget } from "../../fs-protocol/home/budget.ts";
import {
  inWholeUnits,
  LIMIT_NAMES,
  plusAmount,
  splitAmount,
  type LimitName,
} from "./share-budget.ts";

/** One session of a fleet, as far as its budget depends on it. */
export interface FleetMember {
  readonly id: string;
  /**
   * `finished`: it begins no further turn, and none runs, so that what it used is known. `working`: it may need more.
   * `idle`: neither; a person stopped it, or it ended in a way that a person may still change.
   */
  readonly stage: "finished" | "working" | "idle";
  /** The effective budget: the frozen share, or what a person set since, with what was granted and without what was given. */
  readonly budget: Budget;
  readonly used: Readonly<Record<LimitName, number>>;
  /** How many shares it has given so far. */
  readonly given: number;
}

/** A share that a finished session gives to a working one. */
export interface Grant {
  /** `<giver>.<n>`, where n counts the shares of the giver from 1: whoever decides on the same facts names it the same. */
  readonly id: string;
  readonly from: string;
  readonly to: string;
  /** Exactly one limit. */
  readonly amounts: Budget;
}

/** A session needs more once it has used this part of a limit. */
const NEEDY_PART = 0.8;
/** No grant is smaller than this part of what the receiver may use, unless less is left: the records stay few. */
const GRANT_PART_MIN = 0.1;

/**
 * Decides the next grant; undefined if there is none. For each limit in turn:
 *
 * - Those that need more are working and have used at least four fifths of the limit. Those that have used all of it come
 *   first, then the others by the part that they have used, then by name.
 * - The first finished session, by name, that has not used a whole cent, turn, token or second of the limit gives to the
 *   first of these: an equal part for each of those that need more, and at least a tenth of the receiver's limit, but
 *   never more than it has left.
 *
 * Decided again after each grant, until there is none. What a session has been granted and did not use is passed on when
 * it is finished.
 */
export function nextGrant(members: readonly FleetMember[]): Grant | undefined {
  for (const of of LIMIT_NAMES) {
    const needy = needyOf(members, of);
    const [receiver] = needy;
    const giver = giverOf(members, of);
    if (receiver === undefined || giver === undefined) continue;
    const left = unusedOf(giver, of);
    const least = inWholeUnits(of, (receiver.budget[of] ?? 0) * GRANT_PART_MIN);
    const [part = 0] = splitAmount(of, left, needy.length);
    const amount = Math.min(left, Math.max(part, least));
    const id = `${giver.id}.${String(giver.given + 1)}`;
    return { id, from: giver.id, to: receiver.id, amounts: { [of]: amount } };
  }
  return undefined;
}

/**
 * Whether a session may still give this share: it is finished, the share is the next one that it gives, and no limit of
 * it is more than the session has left. Checked again on the records that are there when the share is appended, under the
 * lock of its log; so of two processes that decide at once only one appends, and what is given is never given twice.
 */
export function mayGive(
  giver: FleetMember,
  { id, amounts }: Pick<Grant, "id" | "amounts">,
): boolean {
  if (giver.stage !== "finished" || id !== `${giver.id}.${String(giver.given + 1)}`) return false;
  return LIMIT_NAMES.every((of) => (amounts[of] ?? 0) <= unusedOf(giver, of));
}

/** What a session may still use of a limit, in whole cents, turns, tokens or seconds; 0 if the limit does not apply. */
function unusedOf({ budget, used }: FleetMember, of: LimitName): number {
  const allowed = budget[of];
  return allowed === undefined
    ? 0
    : Math.max(0, inWholeUnits(of, plusAmount(of, allowed, -used[of])));
}

function giverOf(members: readonly FleetMember[], of: LimitName): FleetMember | undefined {
  return members
    .filter((member) => member.stage === "finished" && unusedOf(member, of) > 0)
    .sort(byName)[0];
}

function needyOf(members: readonly FleetMember[], of: LimitName): readonly FleetMember[] {
  const isNeedy = (member: FleetMember) =>
    member.stage === "working" &&
    member.budget[of] !== undefined &&
    usedPart(member, of) >= NEEDY_PART;
  // All that have used up a limit are alike, however much a last turn went beyond it.
  const rank = (member: FleetMember) => Math.min(1, usedPart(member, of));
  return members
    .filter(isNeedy)
    .sort((one, other) => rank(other) - rank(one) || byName(one, other));
}

function usedPart({ budget, used }: FleetMember, of: LimitName): number {
  const allowed = budget[of] ?? 0;
  return allowed === 0 ? 1 : used[of] / allowed;
}

function byName(one: FleetMember, other: FleetMember): number {
  return one.id < other.id ? -1 : 1;
}
