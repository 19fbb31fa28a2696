import type { Edit } from "../rig/planting.ts";
import type { ScenarioName } from "./scenarios.ts";
import type { WorldPlant } from "./world.ts";

/** A naive rule, where it is planted, and the invariant that it must break. */
export interface Planted {
  /** The number of the rule: `R1`, `R2`, … */
  readonly name: string;
  readonly rule: string;
  readonly scenario: ScenarioName;
  readonly invariant: string;
  /** Changes of the shipped source. */
  readonly edits?: readonly Edit[];
  /** Or of the world around it, if the rule concerns that. */
  readonly plant?: WorldPlant;
  /** Or of the check itself. */
  readonly isStrictAfterDone?: boolean;
  /** An invariant that the rule breaks sooner, and that is not checked here. */
  readonly except?: string;
}

const edit = (file: string, find: string, replace: string): Edit => ({ file, find, replace });
const BUILDER = "session/steps/builder-step.ts";
const PLANNER = "session/steps/planner-step.ts";
const REVIEWER = "session/steps/reviewer-step.ts";
const SEEN = "session/steps/log-summaries.ts";

export const PLANTED: readonly Planted[] = [
  {
    name: "R1",
    rule: "the planner replaces the plan in force itself",
    scenario: "update",
    invariant: "I7",
    plant: "planDirect",
  },
  {
    name: "R2",
    rule: "an interrupted unit runs again without looking at the branch",
    scenario: "review",
    invariant: "I4",
    plant: "redo",
  },
  {
    name: "R3",
    rule: "the reviewer appends its checkpoint, then its findings",
    scenario: "review",
    invariant: "I10",
    plant: "twoAppends",
  },
  {
    name: "R4",
    rule: "the builder declares the session stuck in the moment in which it gives up",
    scenario: "stuck",
    invariant: "I10",
    edits: [
      edit(
        BUILDER,
        `return { kind: "halt", why: "no-progress" };`,
        `return { kind: "done", how: "stuck", open: [], gaveup: [], failed: [], human: own.human };`,
      ),
      // Otherwise the roles do not recognise such an end.
      edit(
        "session/state/fold-builder.ts",
        "return follows(fold, record, policy) ? end(fold, record) : fold;",
        "return end(fold, record);",
      ),
    ],
  },
  {
    name: "R5",
    rule: "a session counts as complete when all boxes are ticked, the checkpoint is HEAD, the final pass has ended, and nothing is open in view",
    scenario: "late1",
    invariant: "I9",
    edits: [
      edit(
        SEEN,
        "oldestUnanswered(judge, own) === undefined &&",
        `own.stage.kind === "final" || oldestUnanswered(judge, own) === undefined &&`,
      ),
    ],
  },
  {
    name: "R6",
    rule: "a finding that is open in view is fixed again before the verdict on its last fix",
    scenario: "review",
    invariant: "I5",
    edits: [edit(SEEN, "!awaiting.some((fix) => fix.id === id),", "true,")],
  },
  {
    name: "R7",
    rule: "there is no limit for fix rounds",
    scenario: "goalposts",
    invariant: "I11",
    edits: [
      edit(
        BUILDER,
        "if (own.stretch.rounds >= policy.fixRoundsMax)",
        "if (own.stretch.rounds < 0)",
      ),
    ],
  },
  {
    name: "R7",
    rule: "each final pass has fix rounds of its own",
    scenario: "endlessBugs",
    invariant: "I11",
    edits: [
      edit(
        "session/state/fold-builder.ts",
        "const rounds = stretch.isFinal ? stretch.rounds : 0;",
        "const rounds = 0;",
      ),
    ],
  },
  {
    name: "R8",
    rule: "the final pass counts for the commit that it started from",
    scenario: "retest",
    invariant: "I11",
    plant: "atStart",
  },
  {
    name: "R9",
    rule: "the drain timeout also ends the final phase",
    scenario: "bugs",
    invariant: "I9",
    edits: [
      edit(
        BUILDER,
        `if (waiting.length > 0) return waitFor({ kind: "roles", roles: waiting });`,
        `const isLate = waiting.length > 0 && view.drainEndsMs(waiting) !== undefined;
         if (waiting.length > 0 && !isLate) return waitFor({ kind: "roles", roles: waiting });`,
      ),
      edit(BUILDER, "if (!isPassed)", "if (!isLate && !isPassed)"),
    ],
  },
  {
    name: "R10",
    rule: "a builder that has given up does not wait for a final pass that an update superseded",
    scenario: "stuckUpdate",
    invariant: "I10",
    edits: [
      edit(
        SEEN,
        `role === "tester" && isAtEnd(own)`,
        `role === "tester" && own.stage.kind === "final"`,
      ),
    ],
  },
  {
    name: "R11",
    rule: "the builder acts on a view of human.log that is older than what its own log says it has read",
    scenario: "reopen",
    invariant: "I11",
    edits: [edit(BUILDER, "if (human.count < own.human)", "if (human.count < 0)")],
  },
  {
    name: "R12",
    rule: "a planner with an older view answers an older boundary than it answered before",
    scenario: "stuckUpdate",
    invariant: "I10",
    except: "I4",
    edits: [edit(PLANNER, "builder.milestones.length < last.boundary)", "last.boundary < 0)")],
  },
  {
    name: "R12",
    rule: "a planner with an older view begins a unit that has already ended",
    scenario: "stuckUpdate",
    invariant: "I4",
    edits: [edit(PLANNER, "builder.milestones.length < last.boundary)", "last.boundary < 0)")],
  },
  {
    name: "R13",
    rule: "a done record counts all of human.log as read",
    scenario: "update",
    invariant: "I9",
    plant: "noCursor",
  },
  {
    name: "R13",
    rule: "a new plan is adopted without comparing it with what was built since",
    scenario: "update",
    invariant: "I8",
    edits: [
      edit(
        BUILDER,
        `if (reason !== undefined) return { kind: "refuse", answer, reason };`,
        `if (reason === "") return { kind: "refuse", answer, reason };`,
      ),
    ],
  },
  {
    name: "R13",
    rule: "a finding closes when a later review does not report it again",
    scenario: "review",
    invariant: "I6",
    edits: [
      edit(
        "session/state/fold-judge.ts",
        "withItems({ ...fold, gaveUp }, record.findings)",
        `withItems({ ...fold, gaveUp, open: new Set([...fold.open].filter((id) =>
           record.findings.some((finding) => finding.id === id))) }, record.findings)`,
      ),
    ],
  },
  {
    name: "R15",
    rule: "reviewer and tester leave at the final phase",
    scenario: "tests",
    invariant: "L1",
    edits: [
      edit(
        "session/steps/judge-step.ts",
        "if (gate !== undefined) return gate;",
        `if (builder.finalN > 0 && (role === "tester" || builder.stage.kind !== "fix"))
           return { kind: "exit", reason: "done" };
         if (gate !== undefined) return gate;`,
      ),
    ],
  },
  {
    name: "R16",
    rule: "a unit that gave up counts as done",
    scenario: "gaveup",
    invariant: "I9",
    edits: [edit(BUILDER, "if (open.length + gaveup.length > 0)", "if (open.length > 0)")],
  },
  {
    name: "R17",
    rule: "without a first plan the builder waits for ever",
    scenario: "gaveupPlan",
    invariant: "L1",
    edits: [edit(BUILDER, `if (gaveUp) return { kind: "halt", why: "no-plan" };`, "")],
  },
  {
    name: "R18",
    rule: "a failed role is expected to stay failed, so that nothing may be written after `done`",
    scenario: "failed",
    invariant: "I10",
    isStrictAfterDone: true,
  },
  {
    name: "R19",
    rule: "a role that is started again does the work that it owes although the session has ended",
    scenario: "failedFresh",
    invariant: "I10",
    edits: [
      edit(
        "session/steps/role-gate.ts",
        `if (endOf({ builder, human }) !== undefined) return { kind: "exit", reason: "done" };`,
        "",
      ),
    ],
  },
  {
    name: "R20",
    rule: "a failed planner ends windows and the final phase, but not the wait for the first plan",
    scenario: "failed",
    invariant: "L1",
    edits: [
      edit(BUILDER, `if (failed.includes("planner")) return`, "if (failed.length > 9) return"),
    ],
  },
  {
    name: "R21",
    rule: "the reviewer reads all commits before any milestone",
    scenario: "order",
    invariant: "L5",
    edits: [
      edit(
        REVIEWER,
        "milestone === undefined ? branch.commits.length : placeOf(branch, milestone.end)",
        "branch.commits.length",
      ),
    ],
  },
  {
    name: "R22",
    rule: "a failed role counts as having answered, even for `complete`",
    scenario: "failed",
    invariant: "I9",
    edits: [
      edit(
        BUILDER,
        `if (areLost(waiting, view.failed)) return { ...end, how: "stuck", failed: waiting };`,
        `const isLost = areLost(waiting, view.failed);
         if (isLost && own.stage.kind === "halt") return { ...end, how: "stuck", failed: waiting };`,
      ),
      edit(
        BUILDER,
        `if (waiting.length > 0) return waitFor({ kind: "roles", roles: waiting });`,
        `if (waiting.length > 0 && !isLost) return waitFor({ kind: "roles", roles: waiting });`,
      ),
      edit(BUILDER, "if (!isPassed)", "if (!isLost && !isPassed)"),
    ],
  },
  {
    name: "R23",
    rule: "any human record after `done` reopens the session",
    scenario: "stop",
    invariant: "I13",
    edits: [edit("session/state/fold-human.ts", "return false;", "return true;")],
  },
  {
    name: "R24",
    rule: "a tick needs a commit in the same turn",
    scenario: "unverified",
    invariant: "L4",
    plant: "thisTurn",
  },
  {
    name: "R24",
    rule: "recovery attributes any commit for the task to the open unit",
    scenario: "unverified",
    invariant: "I14",
    plant: "anyPush",
  },
  {
    name: "R26",
    rule: "a fix without a change closes the item",
    scenario: "nochange",
    invariant: "I9",
    edits: [
      edit(
        SEEN,
        "const open = [...judge.open].filter(",
        `const open = [...judge.open].filter((id) =>
           !own.fixes.get(id)?.some(({ outcome }) => outcome === "nochange")).filter(`,
      ),
      edit(SEEN, `outcome !== "failed" &&`, `outcome === "fixed" &&`),
    ],
  },
];
