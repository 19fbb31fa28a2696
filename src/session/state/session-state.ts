import type { Oid } from "../../base/oid.ts";
import type { Role } from "../../base/role.ts";
import type { Budget } from "../../fs-protocol/home/budget.ts";
import type { LogStates } from "./session-logs.ts";
import type { Policy } from "../../fs-protocol/home/policy.ts";
import type { TurnHistory } from "./turn-ledger.ts";

/** The session branch as the hub had it, read after the logs: it holds every commit that they name. */
export interface Branch {
  readonly base: Oid;
  /** Undefined when a person deleted the branch. */
  readonly head: Oid | undefined;
  /** Commits after `base`, oldest first. */
  readonly commits: readonly Oid[];
  /** Place of each commit: 1 is the first after the base. */
  readonly places: ReadonlyMap<Oid, number>;
  /**
   * So many of the commits were there before the logs were read. Since roles announce what they
   * publish, those of them that no log names are a person's.
   */
  readonly settled: number;
}

/** All logs of a session, folded, and its branch: everything that a decision may look at. */
export interface SessionState extends LogStates {
  readonly policy: Policy;
  readonly branch: Branch;
  /** Whether the session has verify commands; absent: it has none. */
  readonly hasVerify?: boolean | undefined;
  /** Whether its branch is brought to a remote at boundaries; absent: it is not. */
  readonly hasRemote?: boolean | undefined;
  readonly turns?: SessionTurns | undefined;
}

/** What says whether a role may have another turn. */
export interface SessionTurns {
  readonly facts: TurnHistory;
  /** Names of each role's engines: the first is used unless it may not be asked. */
  readonly engines: Readonly<Record<Role, readonly string[]>>;
  readonly budget: { readonly session: Budget; readonly milestone: Budget };
}

/** Makes a `Branch` of what git says, with nothing known of what was there before the logs were read. */
export function branchOf(base: Oid, head: Oid | undefined, commits: readonly Oid[]): Branch {
  const places = new Map(commits.map((oid, index) => [oid, index + 1]));
  return { base, head, commits, places, settled: 0 };
}

/** Place of a commit on the branch: 0 for the base and for a commit that is not (yet) in view. */
export function placeOf(branch: Branch, oid: Oid | undefined): number {
  return oid === undefined ? 0 : (branch.places.get(oid) ?? 0);
}

/** The commit before `oid` on the branch: the base before the first. */
export function previousOf(branch: Branch, oid: Oid): Oid {
  return branch.commits[placeOf(branch, oid) - 2] ?? branch.base;
}
