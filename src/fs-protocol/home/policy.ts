import { z } from "zod";
import { REQUESTED_REVISIONS_MAX } from "../../base/limits.ts";
import { Level } from "../records/finding.ts";

const attempts = z.int().positive().optional();

/**
 * What is done about a milestone at which attempts in a row make no progress, by their number. A stage
 * at or behind `pause` never comes.
 */
export const StuckStages = z.object({
  /** Every so many attempts a turn looks for what is in the way; absent: never. */
  hint: attempts,
  /** From so many on other milestones are built first; absent: never. */
  skip: attempts,
  /** After so many the session halts. */
  pause: z.int().positive(),
});
export type StuckStages = z.infer<typeof StuckStages>;

/** Of a request that is stories, each of which is a milestone. */
export const STORIES_STUCK = { hint: 3, skip: 5, pause: 7 } as const satisfies StuckStages;

/** Of a revision: all of it is wanted, so nothing is set aside. */
export const REVISION_STUCK = { hint: 2, pause: 4 } as const satisfies StuckStages;

/**
 * The bounds of a session, frozen in `session.json` when it starts, so that a role started alone
 * decides by the same numbers (coordination, section 4: A, R, K).
 */
export const Policy = z.object({
  /** A: fix attempts that one finding or bug may use. */
  fixAttemptsMax: z.int().positive(),
  /** R: fix rounds after one milestone, and in the final phase. */
  fixRoundsMax: z.int().positive(),
  /** So many similar findings at most share a fix turn, and its commit; absent: each has its own. */
  fixBatchMax: z.int().positive().optional(),
  /** K: build attempts in a row without progress before the session halts; `stuck` overrules it. */
  buildAttemptsMax: z.int().positive(),
  /** Absent: after K attempts the session halts, and nothing is done before. */
  stuck: StuckStages.optional(),
  /** Attempts of one unit of planner, reviewer or tester before it gives up. */
  unitAttemptsMax: z.int().positive(),
  /** Drain limits: how long the builder waits for each role after a milestone. */
  drainMs: z.object({
    planner: z.int().positive(),
    reviewer: z.int().positive(),
    tester: z.int().positive(),
  }),
  replan: z.enum(["changed", "always", "never"]),
  /** Whether findings of every level hold up and are fixed, whatever `floor` says. */
  strict: z.boolean(),
  /** The lowest level that holds up and is fixed; absent: `blocking`. */
  floor: Level.optional(),
  /** Whether findings of reviewers are only reported; those of people, and bugs, are fixed all the same. */
  noFix: z.boolean().optional(),
  /**
   * So many commits of wisp's own at most are reviewed with their milestone, or together, instead of each
   * by itself; absent: 0.
   */
  reviewPerCommit: z.int().nonnegative().optional(),
  /** So many revisions a review of the finished work may ask for; absent: 3. */
  requestedRevisionsMax: z.int().positive().optional(),
  /** After so long with nobody at work and nothing said its clones may be released; absent: an hour. 0: never. */
  hibernateMs: z.int().nonnegative().optional(),
});
export type Policy = z.infer<typeof Policy>;

/** Whether an item of this level is fixed, and keeps the session from becoming complete. */
export function holdsUp(level: Level, { strict, floor = "blocking" }: Policy): boolean {
  return strict || Level.options.indexOf(level) <= Level.options.indexOf(floor);
}

/** The stages that are in force. */
export function stagesOf({ stuck, buildAttemptsMax }: Policy): StuckStages {
  return stuck ?? { pause: buildAttemptsMax };
}

/** How many revisions a review of the finished work may ask for. */
export function requestedMax({ requestedRevisionsMax }: Policy): number {
  return requestedRevisionsMax ?? REQUESTED_REVISIONS_MAX;
}

/** What is otherwise in a revision: its items are a person's, and nobody plans them anew. */
export const REVISION_POLICY: Partial<Policy> = { replan: "never" };
