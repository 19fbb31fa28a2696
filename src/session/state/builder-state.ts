import type { Oid } from "../../base/oid.ts";
import type { EndedMilestone } from "../../fs-protocol/records/builder-log.ts";
import type { RanCommand } from "../../fs-protocol/records/command-result.ts";
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
  /** The unit that made it: findings of a batch have it in common. */
  readonly unit: string;
  readonly attempt: number;
  readonly outcome: "fixed" | "failed" | "nochange";
  /** Of a fix: its commit. Of `nochange`: the HEAD at which nothing was to be done. */
  readonly sha: Oid | undefined;
  readonly reason: string | undefined;
}

export interface PushIntent {
  readonly shas: readonly Oid[];
  readonly ticks: readonly MilestoneTicks[];
  readonly splits: readonly Split[];
  /** Of a fix: what its turn said of it. */
  readonly said?: string | undefined;
}

/** How the last build attempt at a milestone went wrong, for the next prompt. */
export interface BuildTrouble {
  readonly outcome: string;
  readonly reason: string;
}

/** A build attempt that made no progress. */
export interface StalledAttempt extends BuildTrouble {
  readonly unit: string;
  /** Raw output of its newest turn, below `logs/turns/`; undefined: it had none. */
  readonly turn: string | undefined;
}

/** What a turn made of the attempts that stalled at a milestone. */
export interface StuckHint {
  readonly m: string;
  /** Build attempts at the milestone before it, all of them counted. */
  readonly attempts: number;
  /** Those of them in a row without progress. */
  readonly stalled: number;
  /** Undefined: the turn failed, or said nothing. */
  readonly text: string | undefined;
}

export interface VerifyResult {
  readonly outcome: "passed" | "failed";
  readonly failing: readonly string[] | undefined;
  readonly output: string | undefined;
  /** Key of the setup that it was made with; absent: not made in a verify tree. */
  readonly setup?: string | undefined;
  /** The commit that it was run at last. */
  readonly at?: Oid | undefined;
}

/** What became of a base at which verify was red and named no test. */
export type BaseOutcome =
  /** A person was asked; whether they have answered stands in human.log. */
  | { readonly kind: "asked"; readonly question: string }
  /** Verify was run again: it passed, or named what fails. */
  | { readonly kind: "judged" }
  /** A person said that red against red without names is no worse. */
  | { readonly kind: "accepted" };

/** What is on record of the branch at the user's remote. */
interface RemotePushState {
  /** Looks that have ended, questions not counted: the next one's key. */
  readonly ended: number;
  /** A boundary was passed since the last one. */
  readonly isDue: boolean;
  /** The hub's HEAD at the end of the last one, whatever came of it. */
  readonly at: Oid | undefined;
  /** The commit that was brought to the remote last. */
  readonly pushed: Oid | undefined;
  /** When, in ms since 1970. */
  readonly pushedMs: number | undefined;
  /** Why the last one failed; undefined: it did not. */
  readonly failure: string | undefined;
  /** The question that the next one waits for. */
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

/** What is counted anew from each boundary. */
interface Stretch {
  /** Fix rounds; they begin anew with a reopen, and with the first final pass, too. */
  readonly rounds: number;
  /** A final pass was opened since the last milestone or reopen. */
  readonly isFinal: boolean;
  /** Items that used up their attempts since the boundary, and in the stretch before it. */
  readonly spent: readonly string[];
  readonly spentBefore: readonly string[];
}

/** Everything that `builder.log` says, folded. Persistent: each record makes a new value. */
export interface BuilderFold {
  readonly stage: BuilderStage;
  readonly plan: readonly PlanMilestone[];
  readonly planSha: string | undefined;
  /** Version of the request for which the plan in force was made; -1 before the first. */
  readonly planRequest: number;
  /** Highest `seq` of a planner's answer that was adopted or refused; -1 before the first. */
  readonly adjudicated: number;
  /** Place in human.log of the newest edit of TASKS.md that was adopted or refused; -1 before the first. */
  readonly edited: number;
  readonly refusals: number;
  readonly lastRefusal: string | undefined;
  readonly milestones: readonly EndedMilestone[];
  /** The builder's own last published commit; undefined before the first. */
  readonly ownEnd: Oid | undefined;
  /** All commits that ends of its units name. */
  readonly own: OwnCommits | undefined;
  readonly ticks: ReadonlyMap<string, ReadonlySet<number>>;
  /** Ended build attempts per milestone, questions not counted. */
  readonly buildAttempts: ReadonlyMap<string, number>;
  /** Milestones with own published commits: the evidence behind later ticks. */
  readonly backed: ReadonlySet<string>;
  /** By milestone, until there is progress at it. */
  readonly troubles: ReadonlyMap<string, BuildTrouble>;
  /**
   * Attempts in a row without progress, by milestone and oldest first: until there is progress at it, a
   * new plan, or a reopen.
   */
  readonly stalls: ReadonlyMap<string, readonly StalledAttempt[]>;
  /** The newest hint of each milestone, until there is progress at it or it is changed. */
  readonly hints: ReadonlyMap<string, StuckHint>;
  /** The newest hint that says something, of any milestone: `.stuck-hint.md`. */
  readonly lastHint: StuckHint | undefined;
  /**
   * HEAD as the first attempt at each milestone that is not recorded found it: what "no worse" is measured
   * by, also when others were built meanwhile.
   */
  readonly milestoneBases: ReadonlyMap<string, Oid>;
  readonly fixes: ReadonlyMap<string, readonly FixAttempt[]>;
  /** Attempts per item that a reopen has forgiven. */
  readonly forgiven: ReadonlyMap<string, number>;
  readonly stretch: Stretch;
  /** Final passes that were opened. */
  readonly finalN: number;
  /** Whether it was complete once, whatever has reopened it since. */
  readonly wasComplete: boolean;
  readonly questions: readonly Question[];
  /** Records of human.log that the builder's own log says were read. */
  readonly human: number;
  readonly reopens: number;
  readonly open: OpenUnit<PushIntent> | undefined;
  /** Verify results by `<command> <tree>`. */
  readonly verified: ReadonlyMap<string, VerifyResult>;
  /** What tests as they stood before a fix said of it, by `ranKey`; the last one counts. */
  readonly ran: ReadonlyMap<string, RanCommand>;
  /** What verify said of the session's base, looked at before there is a plan, and again where a person was asked. */
  readonly baseline: VerifyResult | undefined;
  /** What came of a base that is red without names; undefined: nothing had to. */
  readonly baseOutcome: BaseOutcome | undefined;
  /** What is on record of the branch at the user's remote. */
  readonly remote: RemotePushState;
}

export const EMPTY_BUILDER: BuilderFold = {
  stage: { kind: "plan" },
  plan: [],
  planSha: undefined,
  planRequest: -1,
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
  remote: NO_PUSH,
};

/** Attempts that were made at the same findings by the same turn: the others of its batch. */
export function fixesInSameTurn(fold: BuilderFold, { id, unit }: FixAttempt): readonly FixAttempt[] {
  return [...fold.fixes.values()].flat().filter((other) => other.unit === unit && other.id !== id);
}

/** Whether an item has used up its attempts since the last reopen. */
export function isSpent(fold: BuilderFold, id: string, policy: Policy): boolean {
  return (fold.fixes.get(id)?.length ?? 0) >= attemptsMaxOf(fold, id, policy);
}

/** How many attempts there may be at an item, counted from the first: a reopen grants as many again. */
export function attemptsMaxOf(
  { forgiven }: Pick<BuilderFold, "forgiven">,
  id: string,
  { fixAttemptsMax }: Pick<Policy, "fixAttemptsMax">,
): number {
  return fixAttemptsMax + (forgiven.get(id) ?? 0);
}

/** Under which a verify result is remembered. */
export function verifyKey(command: string, tree: Oid): string {
  return `${command} ${tree}`;
}
