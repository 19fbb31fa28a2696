import type { Oid } from "../../base/oid.ts";
import type { Role } from "../../base/role.ts";
import type { Budget } from "../../fs-protocol/home/budget.ts";
import type { LogStates } from "./session-logs.ts";
import type { Policy } from "../../fs-protocol/home/policy.ts";
import type { TurnHistory } from "./turn-ledger.ts";

/**
 * The session's branch in the hub, read after the logs, so that it contains every commit that they
 * name.
 */
export interface Branch {
  readonly base: Oid;
  /** Undefined if a person deleted the branch. */
  readonly head: Oid | undefined;
  /** Commits after `base`, oldest first. */
  readonly commits: readonly Oid[];
  /** Place of each commit: 1 is the first after the base. */
  readonly places: ReadonlyMap<Oid, number>;
  /**
   * Number of commits that were on the branch before the logs were read. Roles record an intent
   * before they publish, so commits among these that no log names are a person's.
   */
  readonly settled: number;
}

/** The folded logs of a session and its branch: everything on which a decision may depend. */
export interface SessionState extends LogStates {
  readonly policy: Policy;
  readonly branch: Branch;
  /** Whether the session has verify commands; absent if not. */
  readonly hasVerify?: boolean | undefined;
  /** Whether its branch is pushed to a remote at boundaries; absent if not. */
  readonly hasRemote?: boolean | undefined;
  readonly turns?: SessionTurns | undefined;
}

/** An engine and a model that a turn asks for; undefined: those of its role. */
export interface WantedEngine {
  readonly engine?: string | undefined;
  readonly model?: string | undefined;
}

/** The facts that decide whether a role may have another turn. */
export interface SessionTurns {
  readonly facts: TurnHistory;
  /** Names of each role's engines: the first one that is available is used. */
  readonly engines: Readonly<Record<Role, readonly string[]>>;
  /** The model of each role's first engine, as the settings name it; absent: the engine chooses. */
  readonly models?: Readonly<Record<Role, string | undefined>> | undefined;
  /** Who makes the attempts of the builder in a row without progress; absent: its first engine. */
  readonly attempts?: readonly WantedEngine[] | undefined;
  readonly budget: { readonly session: Budget; readonly milestone: Budget };
}

/**
 * Creates a `Branch` from git's answer, with no commits known to be there before the logs were
 * read.
 */
export function branchOf(base: Oid, head: Oid | undefined, commits: readonly Oid[]): Branch {
  const places = new Map(commits.map((oid, index) => [oid, index + 1]));
  return { base, head, commits, places, settled: 0 };
}

/**
 * Returns the place of a commit on the branch: 0 for the base and for a commit that is not (yet) in
 * view.
 */
export function placeOf(branch: Branch, oid: Oid | undefined): number {
  return oid === undefined ? 0 : (branch.places.get(oid) ?? 0);
}

/** Returns the commit before `oid` on the branch; for the first commit, the base. */
export function previousOf(branch: Branch, oid: Oid): Oid {
  return branch.commits[placeOf(branch, oid) - 2] ?? branch.base;
}
