import { z } from "zod";
import { PositiveInt } from "../../base/plain-values.ts";
import { lateObject } from "../../base/late-object.ts";
import { REQUESTED_REVISIONS_MAX } from "../../base/limits.ts";
import { KNOWN_RED_MAX } from "../../base/look-limits.ts";
import { Level } from "../records/finding.ts";

const attempts = PositiveInt.optional();

/**
 * What is done about a milestone after consecutive attempts without progress, by their number. A
 * stage at or after `pause` never comes.
 */
export const StuckStages = lateObject(() => ({
  /** After each such number of attempts, a turn investigates what is in the way; absent: never. */
  hint: attempts,
  /** From this number on, other milestones are built first; absent: never. */
  skip: attempts,
  /** After this number, the session halts. */
  pause: PositiveInt,
}));
export type StuckStages = z.infer<typeof StuckStages>;

/** For a request made of stories, each of which is a milestone. */
export const STORIES_STUCK = { hint: 3, skip: 5, pause: 7 } as const satisfies StuckStages;

/** For a revision: all of it is wanted, so no milestone is skipped. */
export const REVISION_STUCK = { hint: 2, pause: 4 } as const satisfies StuckStages;

/**
 * When a person has to approve a plan of the planner before it comes into force. Without limits,
 * each first plan and each later one that adds milestones.
 */
export const PlanApproval = lateObject(() => ({
  /** Only plans with more tasks than this. */
  tasks: z.int().nonnegative().optional(),
  /**
   * Only plans whose tasks are estimated to cost more than this many US dollars, or whose cost
   * cannot be estimated.
   */
  usd: z.number().nonnegative().optional(),
  /**
   * What a task cost in earlier sessions of the repository, in US dollars: the estimate that `usd`
   * is compared with. Absent: nothing is known.
   */
  usdPerTask: z.number().nonnegative().optional(),
}));
export type PlanApproval = z.infer<typeof PlanApproval>;

/**
 * How a base at which verify is red is decided: every such base is a question to a person (since version 3). These are
 * the answers that they gave in advance.
 */
export const RedBasePolicy = lateObject(() => ({
  /** The work begins on a red base, whatever fails there: for those who are not there to answer. */
  accept: z.literal(true).optional(),
  /** Tests, by their exact names, that a person knows to fail. A base at which only these fail needs no answer. */
  known: z.array(z.string().min(1)).max(KNOWN_RED_MAX).optional(),
  /** The same, as they accepted it at the bases of earlier sessions. */
  remembered: z.array(z.string().min(1)).max(KNOWN_RED_MAX).optional(),
}));
export type RedBasePolicy = z.infer<typeof RedBasePolicy>;

/**
 * The limits of a session, frozen in `session.json` when it starts, so that a role that is started
 * on its own decides by the same numbers (docs/PROTOCOL.md, section 9).
 */
export const Policy = lateObject(() => ({
  /** A: fix attempts that one finding or bug may use. */
  fixAttemptsMax: PositiveInt,
  /** R: fix rounds after one milestone, and in the final phase. */
  fixRoundsMax: PositiveInt,
  /**
   * The maximum number of similar findings that share a fix turn and its commit; absent: each has
   * its own.
   */
  fixBatchMax: PositiveInt.optional(),
  /**
   * K: consecutive build attempts without progress before the session halts; `stuck` overrides it.
   */
  buildAttemptsMax: PositiveInt,
  /** Absent: the session halts after K attempts, and nothing is done before. */
  stuck: StuckStages.optional(),
  /** Attempts at one unit of planner, reviewer or tester before it gives up. */
  unitAttemptsMax: PositiveInt,
  /** Drain limits: how long the builder waits for each role after a milestone. */
  drainMs: z.object({
    planner: PositiveInt,
    reviewer: PositiveInt,
    tester: PositiveInt,
  }),
  replan: z.enum(["changed", "always", "never"]),
  /** Absent: plans come into force without a person. */
  planApproval: PlanApproval.optional(),
  /** Absent, as before version 3: only a base that is red without naming a test is a question. */
  redBase: RedBasePolicy.optional(),
  /**
   * What the session takes over from a milestone that brings it, if it has no verify command: what the settings left
   * open when it began. Absent, as before version 3: nothing.
   */
  adopts: z.array(z.enum(["verify", "setup", "build"])).optional(),
  /** Whether findings of every level hold up the session and are fixed, whatever `floor` is. */
  strict: z.boolean(),
  /** The lowest level that holds up the session and is fixed; absent: `blocking`. */
  floor: Level.optional(),
  /**
   * Whether reviewers' findings are only reported; people's findings and bugs are fixed all the
   * same.
   */
  noFix: z.boolean().optional(),
  /**
   * The maximum number of wisp's own commits that are reviewed with their milestone, or together,
   * instead of one by one; absent: 0.
   */
  reviewPerCommit: z.int().nonnegative().optional(),
  /** How many revisions reviews of the finished work may request; absent: 3. */
  requestedRevisionsMax: PositiveInt.optional(),
  /**
   * Idle time after which the clones may be released, counted from the last turn or command;
   * absent: an hour. 0: never.
   */
  hibernateMs: z.int().nonnegative().optional(),
}));
export type Policy = z.infer<typeof Policy>;

/** Whether an item of this level is fixed, and keeps the session from becoming complete. */
export function holdsUp(level: Level, { strict, floor = "blocking" }: Policy): boolean {
  return strict || Level.options.indexOf(level) <= Level.options.indexOf(floor);
}

/** The stages in force. */
export function stagesOf({ stuck, buildAttemptsMax }: Policy): StuckStages {
  return stuck ?? { pause: buildAttemptsMax };
}

/** How many revisions reviews of the finished work may request. */
export function requestedMax({ requestedRevisionsMax }: Policy): number {
  return requestedRevisionsMax ?? REQUESTED_REVISIONS_MAX;
}

/** What differs in a revision: a person defined its items, and nobody replans them. */
export const REVISION_POLICY: Partial<Policy> = { replan: "never" };
