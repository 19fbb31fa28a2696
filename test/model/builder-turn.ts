import type { Oid } from "../../src/base/oid.ts";
import { buildOrder } from "../../src/session/rules/build-order.ts";
import type { BuilderRecord } from "../../src/fs-protocol/records/builder-log.ts";
import type { PlanMilestone } from "../../src/fs-protocol/codec/record-fields.ts";
import { encodeKeyPart } from "../../src/fs-protocol/tasks/milestone-name.ts";
import { placeOf } from "../../src/session/state/session-state.ts";
import { backingOf, type Backing } from "../../src/session/steps/backed-ticks.ts";
import type { Move } from "./move.ts";
import type { Commit } from "./history.ts";
import {
  BASE,
  BASE_TESTS,
  builds,
  isEmpty,
  NOTHING,
  RED_VERIFY,
  shaAt,
  TIME,
  work,
} from "./names.ts";
import { remoteTurn } from "./remote-moves.ts";
import type { BranchLog, State, World } from "./world.ts";
import type { BuildUnit } from "./working.ts";

type Build = Extract<BuildUnit, { kind: "build" }>;
type Fix = Extract<BuildUnit, { kind: "fix" }>;
type Hint = Extract<BuildUnit, { kind: "hint" }>;
type BuildEnd = Extract<BuilderRecord, { kind: "build.end" }>;

/** The moves that the builder's running unit may lead to. */
export function builderTurn(world: World, state: State): readonly Move[] {
  const { unit, stage } = state.build;
  if (unit === undefined) return [];
  if (unit.kind === "remote") return remoteTurn(world, state, unit);
  if (unit.kind === "hint") return hintTurn(world, state, unit);
  const isFix = unit.kind === "fix";
  if (stage === "turn") return isFix ? fixTurn(world, state, unit) : buildTurn(world, state, unit);
  return isFix ? fixEnd(world, state, unit) : buildEnd(world, state, unit);
}

/** A restarted builder looks at the branch for commits of its open unit. */
export function builderRecovery(world: World, state: State, unit: BuildUnit): Move {
  const isThere = isPublished(world, state.branch, unit) && world.plant !== "redo";
  const build = world.builds.at(unit, isThere ? "pushed" : "turn");
  return { label: `B recover ${unit.unit}`, build };
}

function isPublished(world: World, branch: BranchLog, unit: BuildUnit): boolean {
  if (world.plant === "anyPush" && unit.kind === "build") {
    return hasWork(branch, work.task(unit.milestone.name, unit.ticked + 1));
  }
  return branch.records.some((commit) => commit.unit === unit.unit);
}

function hasWork(branch: BranchLog, name: string): boolean {
  return branch.records.some((commit) => commit.work === name);
}

/** Commits of the milestone, whichever unit made them. */
export function ownCommits(branch: BranchLog, m: string): number {
  return branch.records.filter((commit) => builds(commit.work, m)).length;
}

/** The branch with commits of one unit on top. */
export function push(
  branch: BranchLog,
  unit: string,
  works: readonly string[],
  isWrong: Pick<Commit, "isRed" | "isBent"> = {},
): BranchLog {
  return works.reduce(
    (log, name) => log.grow({ sha: shaAt(log.length + 1), work: name, unit, ...isWrong }),
    branch,
  );
}

function fixTurn(world: World, state: State, unit: Fix): readonly Move[] {
  const { ids, attempt } = unit;
  const head = state.branch.fold.head ?? BASE;
  const end = fixEndOf(unit);
  const build = world.builds.idle;
  const ended = (record: BuilderRecord) => ({ builder: state.builder.grow(record), build });
  const fix = `fix ${ids.join("+")} attempt ${attempt}`;
  return [
    {
      label: `B push ${fix}`,
      branch: push(state.branch, unit.unit, [work.fix(ids, attempt)]),
      build: world.builds.at(unit, "pushed"),
    },
    ...(ids.includes(RED_VERIFY)
      ? [
          {
            label: `B push ${fix}, verify stays red`,
            spend: "stillRed" as const,
            branch: push(state.branch, unit.unit, [work.fix(ids, attempt)], { isRed: true }),
            build: world.builds.at(unit, "pushed"),
          },
        ]
      : []),
    ...(ids.includes(BASE_TESTS)
      ? [
          {
            label: `B push ${fix}, old tests still fail`,
            spend: "stillBent" as const,
            branch: push(state.branch, unit.unit, [work.fix(ids, attempt)], { isBent: true }),
            build: world.builds.at(unit, "pushed"),
          },
        ]
      : []),
    { label: `B ${fix} failed`, spend: "fixfail", ...ended({ ...end, outcome: "failed" }) },
    {
      label: `B ${fix}: nothing to change`,
      spend: "nochange",
      ...ended({ ...end, outcome: "nochange", sha: head }),
    },
    {
      label: `B needs input on ${fix}`,
      spend: "askFix",
      ...ended({ ...end, outcome: "needs_input", question: questionOf(state) }),
    },
  ];
}

/** The id of the builder's next question. */
function questionOf(state: State): string {
  return `builder-${String(state.builder.fold.questions.length + 1)}`;
}

function fixEnd(world: World, state: State, unit: Fix): readonly Move[] {
  const { ids, attempt } = unit;
  const sha = commitsOf(state.branch, unit).at(-1) ?? BASE;
  const builder = state.builder.grow({ ...fixEndOf(unit), outcome: "fixed", sha });
  return [
    { label: `B end fix ${ids.join("+")} attempt ${attempt}`, builder, build: world.builds.idle },
  ];
}

function fixEndOf({ unit, ids, attempt }: Fix) {
  const [id = "", ...others] = ids;
  const also = others.map((other) => ({ id: other, brief: NOTHING }));
  const words = { by: NOTHING, brief: NOTHING, files: [], ...(also.length > 0 && { also }) };
  return { kind: "fix.end" as const, time: TIME, unit, id, attempt, ...words };
}

/** Commits that the unit published. */
function commitsOf(branch: BranchLog, { unit }: { readonly unit: string }): Oid[] {
  return branch.records.filter((commit) => commit.unit === unit).map(({ sha }) => sha);
}

/** It gives a hint, or fails; nothing else changes. */
function hintTurn(
  world: World,
  state: State,
  { unit, m, attempts, stalled }: Hint,
): readonly Move[] {
  const build = world.builds.idle;
  const end = { kind: "hint.end" as const, time: TIME, unit, m, attempts, stalled };
  const told = state.builder.grow({ ...end, outcome: "hint", text: NOTHING });
  const silent = state.builder.grow({ ...end, outcome: "none" });
  return [
    { label: `B hint for ${m}`, builder: told, build },
    { label: `B hint for ${m} fails`, spend: "nohint", builder: silent, build },
  ];
}

function buildTurn(world: World, state: State, unit: Build): readonly Move[] {
  const { milestone, ticked, own } = unit;
  const m = milestone.name;
  if (ticked === milestone.tasks.length) return [endTicked(world, state, unit)];
  const left = worksOf(milestone).filter(
    (name, index) => index >= ticked && !hasWork(state.branch, name),
  );
  const moves: Move[] = [];
  if (left.length === 0) {
    // Everything exists from turns that were not verified: one more change, or only ticks.
    left.push(work.more(m, own));
    const isBacked = world.plant !== "thisTurn" && backingIn(state, m) !== "nothing";
    const record = isBacked ? milestoneEnd(state, unit) : plainEnd(unit, "noprogress");
    const label = `B ticks ${m} without a commit`;
    moves.push({ label, builder: state.builder.grow(record), build: world.builds.idle });
  }
  const pushed = (works: readonly string[]) => ({
    label: `B push ${works.join()}`,
    branch: push(state.branch, unit.unit, works),
    build: world.builds.at(unit, "pushed"),
  });
  moves.push(pushed(left));
  if (left.length > 1) moves.push({ ...pushed(left.slice(0, 1)), spend: "part" });
  const [next] = milestonesAfter(world, state, m);
  if (next !== undefined) {
    const more = worksOf(next).filter((name) => !hasWork(state.branch, name));
    if (more.length > 0) moves.push({ ...pushed([...left, ...more]), spend: "multi" });
  }
  moves.push(emptyCommit(world, state, unit));
  const ended = (record: BuildEnd) => ({
    builder: state.builder.grow(record),
    build: world.builds.idle,
  });
  const asks = { ...plainEnd(unit, "needs_input"), question: questionOf(state) };
  moves.push(
    { label: `B no progress on ${m}`, spend: "nopro", ...ended(plainEnd(unit, "noprogress")) },
    { label: `B needs input on ${m}`, spend: "ask", ...ended(asks) },
  );
  return moves;
}

/** What backs the boxes of a turn at `m` that changes nothing. */
function backingIn({ branch }: State, m: string): Backing {
  const own = `build:${encodeKeyPart(m)}:`;
  const works = branch.records.filter(({ work: name }) => !isEmpty(name));
  const isBuilt = works.some(({ unit }) => unit?.startsWith(own));
  const byOthers = works.some(({ unit }) => unit?.startsWith("build:") && !unit.startsWith(own));
  return backingOf({ byTurn: false, byAttempts: isBuilt, sinceStart: isBuilt, byOthers });
}

/** A turn that commits nothing, by an empty commit, and ticks all boxes of its milestone. */
function emptyCommit(world: World, state: State, unit: Build): Move {
  const m = unit.milestone.name;
  const move = { label: `B ticks ${m} over an empty commit`, spend: "empty" as const };
  if (backingIn(state, m) === "nothing") {
    const builder = state.builder.grow(plainEnd(unit, "noprogress"));
    return { ...move, builder, build: world.builds.idle };
  }
  const branch = push(state.branch, unit.unit, [work.empty(unit.unit)]);
  const end = branch.fold.head ?? BASE;
  const [ended] = milestoneEnd(state, unit).milestones;
  const record = {
    ...milestoneEnd(state, unit),
    commits: [end],
    milestones: [{ name: m, start: ended?.start ?? BASE, end }],
  };
  return { ...move, branch, builder: state.builder.grow(record), build: world.builds.idle };
}

/** A person ticked all boxes: the milestone ends without a turn, at HEAD. */
function endTicked(world: World, state: State, unit: Build): Move {
  const m = unit.milestone.name;
  const [ended] = milestoneEnd(state, unit).milestones;
  const end = state.branch.fold.head ?? BASE;
  const milestones = [{ name: m, start: ended?.start ?? BASE, end }];
  const record = { ...plainEnd(unit, "milestone"), milestones };
  const label = `B ends ${m}, which a person ticked`;
  return { label, builder: state.builder.grow(record), build: world.builds.idle };
}

/** One append; the range of a milestone ends at its last own commit. */
function buildEnd(world: World, state: State, unit: Build): readonly Move[] {
  const m = unit.milestone.name;
  const build = world.builds.idle;
  const ended = (record: BuildEnd) => ({ builder: state.builder.grow(record), build });
  const commits = evidence(world, state.branch, unit);
  const unverified = { ...plainEnd(unit, "unverified"), commits };
  let done = unit.ticked;
  while (hasWork(state.branch, work.task(m, done + 1))) done += 1;
  const record =
    done < unit.milestone.tasks.length
      ? { ...plainEnd(unit, "partial"), commits, ticks: ticksTo(unit, done) }
      : { ...withNext(world, state, milestoneEnd(state, unit)), commits };
  // The tester's red tests are not the builder's work.
  if (state.branch.records.some(({ work: done, isRed }) => isRed && done?.startsWith("test:"))) {
    return [{ label: `B end ${m} unverified, for tests of another`, ...ended(unverified) }];
  }
  const moves: Move[] = [
    { label: `B end ${m} unverified`, spend: "unver", ...ended(unverified) },
    { label: `B end ${m}: ${record.outcome}`, ...ended(record) },
  ];
  if (record.milestones.length > 1) {
    moves.push({
      label: `B end ${m}, and leaves the boxes of what it built beside it`,
      spend: "ahead",
      ...ended({ ...aloneWith(milestoneEnd(state, unit), commits), commits }),
    });
  }
  return moves;
}

/** One milestone that gets all commits of its unit, including those for the next one. */
function aloneWith(end: BuildEnd, commits: readonly Oid[]): BuildEnd {
  const milestones = end.milestones.map((each) => ({ ...each, end: commits.at(-1) ?? each.end }));
  return { ...end, milestones };
}

/** The commits that an end names as its own; with R24 planted, those of any unit. */
function evidence(world: World, branch: BranchLog, unit: Build): Oid[] {
  if (world.plant !== "anyPush") return commitsOf(branch, unit);
  const mine = branch.records.filter((commit) => builds(commit.work, unit.milestone.name));
  return mine.map(({ sha }) => sha);
}

function plainEnd(unit: Build, outcome: BuildEnd["outcome"]): BuildEnd {
  return {
    kind: "build.end",
    time: TIME,
    unit: unit.unit,
    m: unit.milestone.name,
    outcome,
    ticks: [],
    commits: [],
    milestones: [],
  };
}

function ticksTo({ milestone, ticked }: Build, done: number): BuildEnd["ticks"] {
  const tasks = Array.from({ length: done - ticked }, (_, index) => ticked + index + 1);
  return [{ m: milestone.name, tasks }];
}

function milestoneEnd(state: State, unit: Build): BuildEnd {
  const { name, tasks } = unit.milestone;
  const start = state.builder.fold.milestones.at(-1)?.end ?? BASE;
  return {
    ...plainEnd(unit, "milestone"),
    ticks: ticksTo(unit, tasks.length),
    milestones: [{ name, start, end: endOf(state.branch, name, start) }],
  };
}

/** If others were built after its last commit, it ends at HEAD. */
function endOf(branch: BranchLog, m: string, start: Oid): Oid {
  const own = lastCommit(branch, m);
  const isBehind = placeOf(branch.fold, own) < placeOf(branch.fold, start);
  return isBehind ? (branch.fold.head ?? BASE) : own;
}

function lastCommit(branch: BranchLog, m: string): Oid {
  return branch.records.findLast((commit) => builds(commit.work, m))?.sha ?? BASE;
}

function worksOf({ name, tasks }: PlanMilestone): string[] {
  return tasks.map((_, index) => work.task(name, index + 1));
}

/** In the order in which they are built. */
function milestonesAfter(
  { policy }: World,
  { builder }: State,
  m: string,
): readonly PlanMilestone[] {
  const order = buildOrder(builder.fold, policy);
  return order.slice(order.findIndex(({ name }) => name === m) + 1);
}

/** The end, with the following milestones that are built completely. */
function withNext(world: World, state: State, end: BuildEnd): BuildEnd {
  const { ticks, milestones } = end;
  for (const next of milestonesAfter(world, state, end.m)) {
    // A milestone that was set aside has its commits, but no turn has ticked it since.
    if (state.builder.fold.stalls.has(next.name)) break;
    if (!worksOf(next).every((name) => hasWork(state.branch, name))) break;
    const start = milestones.at(-1)?.end ?? BASE;
    ticks.push({ m: next.name, tasks: next.tasks.map((_, index) => index + 1) });
    milestones.push({ name: next.name, start, end: endOf(state.branch, next.name, start) });
  }
  return end;
}
