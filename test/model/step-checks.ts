import { STALE_FIXES_MAX } from "../../src/base/limits.ts";
import type { Role } from "../../src/base/role.ts";
import type { BuilderRecord } from "../../src/fs-protocol/records/builder-log.ts";
import type { HumanRecord } from "../../src/fs-protocol/records/human-log.ts";
import type { ReviewerRecord } from "../../src/fs-protocol/records/reviewer-log.ts";
import { pendingEdit } from "../../src/session/rules/plan-edit.ts";
import { placeOf } from "../../src/session/state/session-state.ts";
import type { Broken } from "./broken.ts";
import { mayReopen, momentBroken } from "./builder-moment.ts";
import { endingBroken } from "./ending-checks.ts";
import { measure, type Move } from "./move.ts";
import { isEmpty } from "./names.ts";
import { lookBroken, takenBroken } from "./remote-checks.ts";
import { ENDLESS } from "./scenarios.ts";
import type { State, World } from "./world.ts";
import { lastEndOf } from "../../src/session/state/stage.ts";

/** The invariants of a step of the explored world, checked against its complete state. */
export interface StepContext {
  readonly world: World;
  /** R18: whether a failed role, too, may write nothing after `done`. */
  readonly isStrictAfterDone: boolean;
  /** An invariant about whole histories that is not checked, because another one is sought. */
  readonly except: string | undefined;
}

/** The invariant that a step breaks, if any. */
export function stepBroken(
  before: State,
  after: State,
  move: Move,
  context: StepContext,
): Broken | undefined {
  const taken = takenBroken(before, after, context.world);
  if (taken !== undefined) return taken;
  if (!move.label.endsWith("killed") && measure(after) <= measure(before)) {
    return { invariant: "L3", what: `a step that is no progress: ${move.label}` };
  }
  if (after.builder !== before.builder) return builderBroken(before, after, context.world);
  if (before.builder.fold.stage.kind === "done") return afterDone(before, after, move, context);
  return context.world.scenario.fresh ? outOfOrder(before, after) : undefined;
}

function builderBroken(before: State, after: State, world: World): Broken | undefined {
  const { builder, human, planner, branch } = after;
  const { record } = builder;
  if (record === undefined) return undefined;
  const foreign = branch.records.filter(({ unit }) => unit === undefined).length;
  const open = before.build.unit;
  const isVoid =
    before.build.stage === "killed" && !branch.records.some(({ unit }) => unit === open?.unit);
  const mayAdopt = open === undefined || (isVoid && "human" in record);
  if (record.kind === "plan.adopt" && !mayAdopt) {
    return { invariant: "I7", what: `the plan changes under ${open.unit}` };
  }
  const moment = { before: before.builder.fold, record, after: builder.fold };
  const broken = momentBroken(moment, { human, planner, policy: world.policy, foreign });
  if (broken !== undefined) return broken;
  const looked = lookBroken(after, world);
  if (looked !== undefined) return looked;
  if (record.kind === "done") return endingBroken(after, openIn(after), world.policy);
  if (record.kind === "build.end") return unbacked(after, record) ?? wastedWork(after, world);
  return record.kind === "drain.close" ? listsLeft(after, record, world) : undefined;
}

/** I16: no fix list contains items that are only reported, or in a stalemate. */
function listsLeft(
  { builder, reviewer, human }: State,
  { fix }: Extract<BuilderRecord, { kind: "drain.close" }>,
  { scenario }: World,
): Broken | undefined {
  const isLeft = scenario.noFix && !human.records.some(saysFix);
  const reported = fix.find((id) => isLeft && !id.startsWith("HUM-"));
  if (reported !== undefined) {
    return { invariant: "I16", what: `${reported} is only reported, and is to be fixed` };
  }
  const disputed = fix.find((id) => {
    const last = reviewer.records.findLast(
      (record) => record.kind === "verify.end" && record.id === id && record.verdict !== "gaveup",
    );
    if (last?.kind !== "verify.end" || last.stale === undefined) return false;
    return last.stale >= STALE_FIXES_MAX && (last.reopens ?? 0) >= builder.fold.reopens;
  });
  if (disputed === undefined) return undefined;
  return { invariant: "I16", what: `${disputed} is to be fixed again in a stalemate` };
}

function saysFix(record: HumanRecord): boolean {
  return record.kind === "resume" && record.fix === "all";
}

function openIn({ build, test, pending }: State): readonly Role[] {
  const open: Role[] = [];
  if (build.unit !== undefined) open.push("builder");
  if (test.unit !== undefined) open.push("tester");
  if (pending > 0) open.push("reviewer");
  return open;
}

/** I17: a ticked box counts only if something was built in this session. */
function unbacked(
  { branch }: State,
  { ticks }: Extract<BuilderRecord, { kind: "build.end" }>,
): Broken | undefined {
  const isBuilt = branch.records.some(
    ({ work, unit }) => !isEmpty(work) && (unit === undefined || unit.startsWith("build:")),
  );
  if (ticks.length === 0 || isBuilt) return undefined;
  return { invariant: "I17", what: `${ticks[0]?.m ?? ""} is ticked, and nothing was built` };
}

/** L4: only turns that did nothing count as no progress, not those that are held up by another role's tests. */
function wastedWork({ builder, branch }: State, { scenario }: World): Broken | undefined {
  const { record } = builder;
  const isHeldUp = record?.kind === "build.end" && record.outcome === "unverified";
  if (isHeldUp && branch.records.some(({ unit, isRed }) => isRed && unit?.includes("test"))) {
    return { invariant: "L4", what: "work is held up by red tests that it did not write" };
  }
  const idle = builder.records.filter(
    (record) => record.kind === "build.end" && record.outcome === "noprogress",
  );
  const { nopro = 0, empty = 0 } = scenario.budgets;
  if (nopro === ENDLESS || idle.length <= nopro + empty) return undefined;
  return { invariant: "L4", what: "committed and verified work counts as no progress" };
}

/**
 * I10: after the end nothing is written and no work begun without a newer human record that reopens.
 * A role that `done` names as failed may have been started again meanwhile without having seen it,
 * and its push may move others that have not seen it either (R18).
 */
function afterDone(
  before: State,
  after: State,
  move: Move,
  { world, isStrictAfterDone }: StepContext,
): Broken | undefined {
  const done = lastEndOf(before.builder.fold);
  const isOutside = before.human !== after.human || before.supervisor !== after.supervisor;
  if (done === undefined || isOutside || mayReopen(before.human.records, done)) return undefined;
  const mayWrite = done.failed.length > 0 && !world.scenario.fresh && !isStrictAfterDone;
  const writes =
    before.planner !== after.planner ||
    before.reviewer !== after.reviewer ||
    before.tester !== after.tester ||
    before.test.unit !== after.test.unit;
  if (mayWrite || !writes) return undefined;
  return {
    invariant: "I10",
    what: `written after done, without a new human record: ${move.label}`,
  };
}

/** L5: with everything in view, no later commit is reviewed while a milestone waits for its review. */
function outOfOrder(before: State, after: State): Broken | undefined {
  if (after.reviewer === before.reviewer) return undefined;
  const record: ReviewerRecord | undefined = after.reviewer.record;
  if (record?.kind !== "review.end" || record.checkpoint === undefined) return undefined;
  const waiting = before.builder.fold.milestones.find(
    ({ name }) => !before.reviewer.fold.answered.has(name),
  );
  const branch = after.branch.fold;
  if (waiting === undefined) return undefined;
  if (placeOf(branch, record.checkpoint) <= placeOf(branch, waiting.end)) return undefined;
  return { invariant: "L5", what: `a later commit is reviewed while ${waiting.name} waits` };
}

/** How a run ends once no role can move although it sees everything. */
export type Ending = "complete" | "stuck" | "stopped" | "paused" | "failed";

/** Checks L1, L2 and I5 in a state without further moves; returns how the run ended if they hold. */
export function endBroken(state: State): Ending | Broken {
  const { builder, human, supervisor } = state;
  const { stage, planRequest } = builder.fold;
  const done = lastEndOf(builder.fold);
  if (supervisor.fold.failed.has("builder")) return "failed";
  if (human.fold.stopped) return "stopped";
  if (done === undefined) {
    if (human.fold.paused) return "paused";
    return { invariant: "L1", what: `every slot is empty and the run is not over (${stage.kind})` };
  }
  if (mayReopen(human.records, done)) {
    // A pause takes precedence over reopening, until the person lifts it.
    if (human.fold.paused) return "paused";
    return { invariant: "L2", what: "a human record is lost" };
  }
  if (pendingEdit(human.fold, builder.fold) !== undefined) {
    return { invariant: "L2", what: "a person's edit never reached the plan" };
  }
  if (done.how === "complete" && planRequest < human.fold.updates) {
    return { invariant: "L2", what: "the updated request never reached the plan" };
  }
  return itemsLost(state) ?? done.how;
}

/** I5: every item that was found is on record, and none is open after `complete`. */
function itemsLost({ builder, reviewer, tester, made }: State): Broken | undefined {
  const known = [...reviewer.fold.items.keys(), ...tester.fold.items.keys()];
  const own = known.filter((id) => !id.startsWith("HUM-")).length;
  if (own !== made) return { invariant: "I5", what: `${made} were found, ${own} are on record` };
  const open = reviewer.fold.open.size + tester.fold.open.size;
  if (lastEndOf(builder.fold)?.how !== "complete" || open === 0) return undefined;
  return { invariant: "I5", what: "open and forgotten after complete" };
}
