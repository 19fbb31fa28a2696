import type { Oid } from "../../base/oid.ts";
import type { EndedMilestone } from "../../fs-protocol/records/builder-log.ts";
import type { RanCommand } from "../../fs-protocol/records/command-result.ts";
import type { AdoptedCommands } from "../commands/adopted-commands.ts";
import type { LookNetwork } from "../../fs-protocol/records/look-record.ts";
import type { Tally } from "../../fs-protocol/records/tally.ts";
import type { OpenUnit, Question } from "./open-unit.ts";
import type { OwnCommits } from "./own-commits.ts";
import type { BuilderStage } from "./stage.ts";
import type { Policy } from "../../fs-protocol/home/policy.ts";
import type {
  PlanMilestone,
  Split,
  MilestoneTicks,
} from "../../fs-protocol/codec/record-fields.ts";

export interface FixAttempt {
  readonly id: string;
  /** The unit that made the attempt; attempts at the findings of one batch have the same unit. */
  readonly unit: string;
  readonly attempt: number;
  readonly outcome: "fixed" | "failed" | "nochange";
  /**
   * For `fixed`: the commit of the fix. For `nochange`: the HEAD at which nothing had to be done.
   */
  readonly sha: Oid | undefined;
  readonly reason: string | undefined;
  /** Output of verify, below `logs/turns/`, if it was worse with the fix. */
  readonly output?: string | undefined;
}

export interface PushIntent {
  readonly shas: readonly Oid[];
  readonly ticks: readonly MilestoneTicks[];
  readonly splits: readonly Split[];
  /** For a fix: how its turn described it. */
  readonly said?: string | undefined;
}

/** How the last build attempt at a milestone failed, for the next prompt. */
export interface BuildTrouble {
  readonly outcome: string;
  readonly reason: string;
}

/** A build attempt that completed its milestone, with verify worse than before. */
export interface RedAttempt {
  readonly unit: string;
  readonly reason: string;
  /** Output of verify, below `logs/turns/`; undefined if it is not on record. */
  readonly output: string | undefined;
}

/** A build attempt that made no progress. */
export interface StalledAttempt extends BuildTrouble {
  readonly unit: string;
  /** Raw output of its newest turn, below `logs/turns/`; undefined if it had no turn. */
  readonly turn: string | undefined;
}

/** The hint that a turn wrote after attempts at a milestone stalled. */
export interface StuckHint {
  readonly m: string;
  /** Number of all build attempts at the milestone before the hint. */
  readonly attempts: number;
  /** Number of the latest consecutive attempts without progress. */
  readonly stalled: number;
  /** Undefined if the turn failed or wrote nothing. */
  readonly text: string | undefined;
}

export interface VerifyResult {
  readonly outcome: "passed" | "failed";
  readonly failing: readonly string[] | undefined;
  /** Numbers of these failures, and totals; absent if an older wisp read the names, by other rules. */
  readonly tally?: Tally | undefined;
  readonly output: string | undefined;
  /** Key of the setup with which verify ran; absent if it did not run in a verify tree. */
  readonly setup?: string | undefined;
  /** The commit at which it ran last. */
  readonly at?: Oid | undefined;
  /** How long the commands ran, in milliseconds. */
  readonly took?: number | undefined;
  /** How many tests ran, by the runner's own summary. */
  readonly ran?: number | undefined;
  /** The network on which it was decided; absent: the machine's, or the only one that the sandbox gives. */
  readonly network?: LookNetwork | undefined;
  /** Whether it is green only without `CI=true`. */
  readonly ci?: "no" | undefined;
  /** How many looks it took; absent: one. */
  readonly looks?: number | undefined;
  /** Tests that failed in one look and passed in another one. */
  readonly split?: readonly string[] | undefined;
}

/** What was decided about a base at which verify was red and named no test. */
export type BaseOutcome =
  /** A person was asked; the answer, if any, is in human.log. */
  | { readonly kind: "asked"; readonly question: string }
  /** Verify ran again: it passed, or named the failing tests. */
  | { readonly kind: "judged" }
  /** A person said that red without names is no worse than a base that is red without names. */
  | { readonly kind: "accepted" };

/** The recorded state of the branch at the user's remote. */
interface RemotePushState {
  /**
   * Number of remote units that have ended, not counting those that ended with a question; the next
   * unit's key follows from it.
   */
  readonly ended: number;
  /** A boundary was passed since the last remote unit ended. */
  readonly isDue: boolean;
  /** The hub's HEAD when the last remote unit ended, with any outcome. */
  readonly at: Oid | undefined;
  /** The commit that was pushed last. */
  readonly pushed: Oid | undefined;
  /** Time of that push, in milliseconds since 1970. */
  readonly pushedMs: number | undefined;
  /** Why the last remote unit failed; undefined if it did not. */
  readonly failure: string | undefined;
  /** The question whose answer the next remote unit waits for. */
  readonly question: string | undefined;
  /** A person said to leave the remote alone. */
  readonly isLeft: boolean;
}

const NO_PUSH: RemotePushState = {
  ended: 0,
  isDue: false,
  at: undefined,
  pushed: undefined,
  pushedMs: undefined,
  failure: undefined,
  question: undefined,
  isLeft: false,
};

/** Counters that start again at each boundary. */
interface Stretch {
  /** Fix rounds; the count also restarts with a reopen and with the first final pass. */
  readonly rounds: number;
  /** A final pass was opened since the last milestone or reopen. */
  readonly isFinal: boolean;
  /**
   * Items that used up their attempts since the boundary (`spent`), and between the previous
   * boundary and it (`spentBefore`).
   */
  readonly spent: readonly string[];
  readonly spentBefore: readonly string[];
}

/** The fold of `builder.log`. Persistent: each record creates a new value. */
export interface BuilderFold {
  readonly stage: BuilderStage;
  readonly plan: readonly PlanMilestone[];
  readonly planSha: string | undefined;
  /** Version of the request for which the plan in force was made; -1 before the first plan. */
  readonly planRequest: number;
  /** The digest of the last plan, if it was refused because a person changed the request. */
  readonly rejected: string | undefined;
  /** The newest version of the request for which the builder refused a plan as outdated; 0 if none. */
  readonly requestSeen: number;
  /** Highest `seq` of a planner's answer that was adopted or refused; -1 before the first. */
  readonly adjudicated: number;
  /** Place in human.log of the newest edit of TASKS.md that was adopted or refused; -1 before the first. */
  readonly edited: number;
  readonly refusals: number;
  readonly lastRefusal: string | undefined;
  readonly milestones: readonly EndedMilestone[];
  /** The builder's own last published commit; undefined before the first. */
  readonly ownEnd: Oid | undefined;
  /** All commits that the ends of the builder's units name. */
  readonly own: OwnCommits | undefined;
  readonly ticks: ReadonlyMap<string, ReadonlySet<number>>;
  /**
   * Number of ended build attempts per milestone, not counting those that ended with a question.
   */
  readonly buildAttempts: ReadonlyMap<string, number>;
  /** Milestones with published commits of their own, which back later ticks. */
  readonly backed: ReadonlySet<string>;
  /** Last failure per milestone, until the milestone makes progress. */
  readonly troubles: ReadonlyMap<string, BuildTrouble>;
  /** The last attempt per unrecorded milestone after which verify was worse, whatever later attempts did. */
  readonly reds: ReadonlyMap<string, RedAttempt>;
  /**
   * Consecutive attempts without progress per milestone, oldest first; cleared by progress at the
   * milestone, a new plan, or a reopen.
   */
  readonly stalls: ReadonlyMap<string, readonly StalledAttempt[]>;
  /** The newest hint of each milestone, until the milestone makes progress or is changed. */
  readonly hints: ReadonlyMap<string, StuckHint>;
  /** The newest hint with a text, of any milestone: `.stuck-hint.md`. */
  readonly lastHint: StuckHint | undefined;
  /**
   * HEAD when the first attempt at each unrecorded milestone began: "no worse" is measured against
   * it, even if other milestones were built in between.
   */
  readonly milestoneBases: ReadonlyMap<string, Oid>;
  readonly fixes: ReadonlyMap<string, readonly FixAttempt[]>;
  /** Attempts per item that no longer count because of a reopen. */
  readonly forgiven: ReadonlyMap<string, number>;
  readonly stretch: Stretch;
  /** Number of final passes that were opened. */
  readonly finalN: number;
  /** Whether the session was complete at any time, even if it was reopened since. */
  readonly wasComplete: boolean;
  readonly questions: readonly Question[];
  /** Number of human.log records that the builder's own log records as read. */
  readonly human: number;
  readonly reopens: number;
  readonly open: OpenUnit<PushIntent> | undefined;
  /** Verify results by `verifyKey`. */
  readonly verified: ReadonlyMap<string, VerifyResult>;
  /**
   * Results of running the tests as they were before a fix, by `ranKey`; the last result counts.
   */
  readonly ran: ReadonlyMap<string, RanCommand>;
  /**
   * Result of verify at the session's base, which runs before there is a plan, and again after a
   * person was asked.
   */
  readonly baseline: VerifyResult | undefined;
  /** What was decided about a red base; undefined if no decision was needed. */
  readonly baseOutcome: BaseOutcome | undefined;
  /** What a milestone brought, in a session that had no verify; undefined if nothing was adopted. */
  readonly adopted: AdoptedCommands | undefined;
  /** The recorded state of the branch at the user's remote. */
  readonly remote: RemotePushState;
}

export const EMPTY_BUILDER: BuilderFold = {
  stage: { kind: "plan" },
  plan: [],
  planSha: undefined,
  planRequest: -1,
  rejected: undefined,
  requestSeen: 0,
  adjudicated: -1,
  edited: -1,
  refusals: 0,
  lastRefusal: undefined,
  milestones: [],
  ownEnd: undefined,
  own: undefined,
  ticks: new Map(),
  buildAttempts: new Map(),
  backed: new Set(),
  troubles: new Map(),
  reds: new Map(),
  stalls: new Map(),
  hints: new Map(),
  lastHint: undefined,
  milestoneBases: new Map(),
  fixes: new Map(),
  forgiven: new Map(),
  stretch: { rounds: 0, isFinal: false, spent: [], spentBefore: [] },
  finalN: 0,
  wasComplete: false,
  questions: [],
  human: 0,
  reopens: 0,
  open: undefined,
  verified: new Map(),
  ran: new Map(),
  baseline: undefined,
  baseOutcome: undefined,
  adopted: undefined,
  remote: NO_PUSH,
};

/** Returns the attempts of the same turn at the other findings of its batch. */
export function fixesInSameTurn(
  fold: BuilderFold,
  { id, unit }: FixAttempt,
): readonly FixAttempt[] {
  return [...fold.fixes.values()].flat().filter((other) => other.unit === unit && other.id !== id);
}

/** Whether an item has used up its fix attempts since the last reopen. */
export function isSpent(fold: BuilderFold, id: string, policy: Policy): boolean {
  return (fold.fixes.get(id)?.length ?? 0) >= attemptsMaxOf(fold, id, policy);
}

/**
 * Returns how many attempts an item may have in all, counted from the first; each reopen grants a
 * full number of new attempts.
 */
export function attemptsMaxOf(
  { forgiven }: Pick<BuilderFold, "forgiven">,
  id: string,
  { fixAttemptsMax }: Pick<Policy, "fixAttemptsMax">,
): number {
  return fixAttemptsMax + (forgiven.get(id) ?? 0);
}

/** Returns the key under which a verify result is remembered. */
export function verifyKey(command: string, tree: Oid): string {
  return `${command} ${tree}`;
}
