import { z } from "zod";
import { NonEmpty } from "../../base/plain-values.ts";
import { lateObject } from "../../base/late-object.ts";
import { copiedRecordOf } from "./copied-at-once.ts";
import { HINT_CHARS_MAX } from "../../base/limits.ts";
import { Oid } from "../../base/oid.ts";
import {
  Reason,
  RoleField,
  UnitKey,
  WireInt,
  WireList,
  WireMilestones,
  WireSplits,
  WireTicks,
  recordOf,
  wireJson,
} from "../codec/record-fields.ts";
import { Argvs } from "../home/command-settings.ts";
import { CommandResult } from "./command-result.ts";
import { commonRecords, endFields } from "./common-records.ts";
import { DivergenceRecord } from "./divergence.ts";
import { LookNetwork } from "./look-record.ts";
import { WireTally } from "./tally.ts";
import {
  ACCEPTS_BY_ID,
  ANSWERS_ONE,
  ASKS_BY_ID,
  BATCHES_LISTED,
  NAMES_COMMIT,
  NAMES_EACH_ONCE,
  NAMES_MILESTONES,
  SAYS_HINT,
  TICKS_EDIT,
} from "./record-rules.ts";

/** A milestone that ended, as recorded in `milestones.log` too. */
export const EndedMilestone = lateObject(() => ({ name: NonEmpty, start: Oid, end: Oid }));
export type EndedMilestone = z.infer<typeof EndedMilestone>;

/**
 * `logs/builder.log`: the only place that records which phase a session is in. Only the builder
 * writes it, one record per line, each fact once (docs/PROTOCOL.md, section 4).
 */
export const BuilderRecord = z.discriminatedUnion("kind", [
  ...commonRecords,
  DivergenceRecord,
  /**
   * The plan in force from here on: the planner's answer `seq`, or the edit at `human` in
   * human.log.
   */
  copiedRecordOf(
    "plan.adopt",
    () => ({
      seq: WireInt.optional(),
      human: WireInt.optional(),
      plan: z.string(),
      request: WireInt,
      milestones: WireMilestones,
      /** For an edit: all ticks, from here on, in milestones that are not recorded. */
      ticks: WireTicks.optional(),
    }),
    ANSWERS_ONE,
    TICKS_EDIT,
  ),
  copiedRecordOf(
    "plan.refuse",
    () => ({
      seq: WireInt.optional(),
      human: WireInt.optional(),
      plan: z.string(),
      reason: Reason,
      /** The version of the request that the builder knew, if it is newer than the plan. */
      request: WireInt.optional(),
    }),
    ANSWERS_ONE,
  ),
  /**
   * Written before every attempt to publish: the commits about to appear on the branch, and what
   * they mean.
   */
  copiedRecordOf("push.intent", () => ({
    unit: UnitKey,
    shas: WireList,
    ticks: WireTicks,
    splits: WireSplits,
    /** For a fix: what its turn reported, so that the end can be written after an interruption. */
    said: Reason.optional(),
  })),
  /** A hint that wakes the reviewer; means nothing by itself. */
  recordOf("push.done", () => ({ unit: UnitKey, sha: Oid })),
  /** Result of the project's verify command at a commit; looked up by tree and command. */
  recordOf("verify.result", () => ({
    at: Oid,
    tree: Oid,
    command: z.string(),
    /**
     * Key of the setup of the tree in which it ran. Absent if it ran in a role's clone; then it no
     * longer counts.
     */
    setup: NonEmpty.optional(),
    outcome: z.enum(["passed", "failed"]),
    /** Names of failing tests, if the output could be parsed. */
    failing: wireJson(z.array(z.string())).optional(),
    tally: WireTally.optional(),
    output: z.string().optional(),
    /** How long the commands ran, in milliseconds. */
    took: WireInt.optional(),
    /** How many tests ran, by the runner's own summary. */
    ran: WireInt.optional(),
    /** How many looks it took; absent: one. */
    looks: WireInt.optional(),
    /** Tests that failed in one of these looks and passed in another. */
    split: wireJson(z.array(z.string())).optional(),
    /** The network of the looks that decided; at the base, that of the first look at every later commit. */
    network: LookNetwork.optional(),
    /** At the base: it is red with `CI=true` and green without, as it is run from then on. Absent: as the session says. */
    ci: z.literal("no").optional(),
  })),
  /**
   * A milestone brought a project with tests of its own, in a session that had no verify command: from this milestone on,
   * these commands are in force instead of those of `session.json`. Only with `policy.adopts`, and once.
   */
  recordOf("verify.adopt", () => ({
    m: NonEmpty,
    at: Oid,
    /** The file that the command was detected from. */
    from: NonEmpty,
    verify: wireJson(Argvs.min(1)),
    setup: wireJson(Argvs),
    build: wireJson(Argvs),
  })),
  /**
   * Verify is red at the session's base (before version 3: and names no tests): a person is asked (`needs_input`), and
   * accepts it (`accepted`) or has verify run there again, now with another result (`judged`).
   */
  copiedRecordOf(
    "base.end",
    () => ({
      ...endFields,
      at: Oid,
      outcome: z.enum(["needs_input", "accepted", "judged"]),
      /** For `accepted`: the question that was answered. */
      by: NonEmpty.optional(),
      /** For `accepted`: what had the answer already; absent: a person gave it then. */
      how: z.enum(["option", "settings", "remembered"]).optional(),
    }),
    ASKS_BY_ID,
    ACCEPTS_BY_ID,
  ),
  /** Result of running tests as they were before a fix. */
  CommandResult,
  /**
   * The end of a check of the user's remote: the branch was pushed there, or could not be; a person
   * is asked (`needs_input`), or decided to leave the remote alone (`left`).
   */
  recordOf(
    "remote.push",
    () => ({
      /** Absent in records from before such a check was a unit. */
      unit: UnitKey.optional(),
      /** HEAD of the hub. */
      at: Oid,
      outcome: z.enum(["pushed", "failed", "needs_input", "left"]),
      /** The remote's commit to which the hub's branch was brought first. */
      took: Oid.optional(),
      reason: Reason.optional(),
      question: z.string().optional(),
      ask: Reason.optional(),
    }),
    ASKS_BY_ID,
  ),
  /** The end of a build turn. `milestones`: those that ended with it, in the same append. */
  copiedRecordOf(
    "build.end",
    () => ({
      ...endFields,
      m: NonEmpty,
      outcome: z.enum([
        "milestone",
        "partial",
        "noprogress",
        "unverified",
        "needs_input",
        "blocked",
      ]),
      ticks: WireTicks,
      commits: WireList,
      milestones: wireJson(z.array(EndedMilestone)),
      /** For `unverified`: the output of the red verify, as in `verify.result`. */
      output: z.string().optional(),
    }),
    ASKS_BY_ID,
    NAMES_MILESTONES,
  ),
  /**
   * The end of a turn that investigated why attempts at a milestone stall. `text`: what it found.
   */
  copiedRecordOf(
    "hint.end",
    () => ({
      ...endFields,
      m: NonEmpty,
      /** Build attempts at the milestone so far, and how many in a row made no progress. */
      attempts: WireInt,
      stalled: WireInt,
      outcome: z.enum(["hint", "none"]),
      text: NonEmpty.max(HINT_CHARS_MAX).optional(),
    }),
    SAYS_HINT,
  ),
  copiedRecordOf(
    "drain.close",
    () => ({
      cause: z.enum(["all", "timeout", "failed", "final"]),
      waiting: WireList,
      fix: WireList,
      /** Those of `fix` that share a turn, each batch as its ids joined by `+`; absent if none do. */
      batches: WireList.optional(),
    }),
    BATCHES_LISTED,
  ),
  /**
   * The end of a fix turn. `sha` is the fixing commit for `fixed`, and for `nochange` the HEAD at
   * which nothing was to be done.
   */
  copiedRecordOf(
    "fix.end",
    () => ({
      ...endFields,
      id: NonEmpty,
      attempt: WireInt,
      outcome: z.enum(["fixed", "failed", "nochange", "needs_input", "blocked"]),
      sha: Oid.optional(),
      /** For people: who opened the item, what it is, and which files the fix changed. */
      by: z.string(),
      brief: z.string(),
      files: wireJson(z.array(z.string())),
      /** The other findings of a batch, which share outcome, attempt, commit and opener. */
      also: wireJson(z.array(z.object({ id: NonEmpty, brief: z.string() }))).optional(),
      /** For `failed`: the output of verify, if that was worse. */
      output: z.string().optional(),
    }),
    NAMES_EACH_ONCE,
    ASKS_BY_ID,
    NAMES_COMMIT,
  ),
  copiedRecordOf("final.open", () => ({ n: WireInt, at: Oid })),
  copiedRecordOf("halt", () => ({
    reason: Reason,
    explanation: Reason,
  })),
  copiedRecordOf("done", () => ({
    how: z.enum(["complete", "stuck"]),
    head: Oid,
    open: WireList,
    gaveup: WireList,
    failed: wireJson(z.array(RoleField)),
    /** How many records of human.log had been read when this was decided. */
    human: WireInt,
    reason: Reason,
  })),
  copiedRecordOf("reopen", () => ({
    human: WireInt,
    by: z.string(),
  })),
]);
export type BuilderRecord = z.infer<typeof BuilderRecord>;
