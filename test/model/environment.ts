import type { CommandSettings } from "../../src/fs-protocol/home/command-settings.ts";
import type { Role } from "../../src/base/role.ts";
import type { HumanRecord } from "../../src/fs-protocol/records/human-log.ts";
import { isPlanApproved } from "../../src/session/rules/plan-approval.ts";
import type { Question } from "../../src/session/state/open-unit.ts";
import { endsIn } from "./history.ts";
import { edits } from "./person-edits.ts";
import type { Move } from "./move.ts";
import {
  BASE_TESTS,
  findingName,
  findingOf,
  milestoneOf,
  NOTHING,
  planDigest,
  RED_VERIFY,
  shaAt,
  TIME,
  work,
} from "./names.ts";
import { remoteGrows } from "./remote-moves.ts";
import type { State, World } from "./world.ts";

/** What may happen from outside in this state: kills, people, the supervisor. */
export function environmentMoves(world: World, state: State): readonly Move[] {
  return [
    ...kills(world, state),
    ...people(state),
    ...edits(state),
    ...answers(state),
    ...approvals(world, state),
    ...supervision(world, state),
    ...pushes(state),
    ...remoteGrows(state),
  ];
}

function kills(world: World, { budget, build, test, pending }: State): readonly Move[] {
  if (!budget.has("crash")) return [];
  const moves: Move[] = [];
  if (build.unit !== undefined && build.stage !== "killed") {
    const killed = world.builds.killed(build);
    moves.push({ label: "B killed", spend: "crash", build: killed });
  }
  if (test.unit !== undefined && test.stage !== "killed") {
    const killed = world.tests.killed(test);
    moves.push({ label: "T killed", spend: "crash", test: killed });
  }
  if (pending > 0) moves.push({ label: "R killed", spend: "crash", pending: 0 });
  return moves;
}

/** The finding and the bug that a person of the explored world dismisses: the first ones. */
const DISMISSED = findingName("COR", 1);
const DISMISSED_BUG = findingName("BUG", 1);

const HUMAN_KINDS = [
  "update",
  "addf",
  "approve",
  "stop",
  "dismiss",
  "dismissBug",
  "dismissRed",
  "dismissBent",
  "pause",
  "resume",
  "fixAll",
] as const;
type HumanKind = (typeof HUMAN_KINDS)[number];

function people(state: State): readonly Move[] {
  const moves: Move[] = [];
  for (const kind of HUMAN_KINDS) {
    const { human } = state;
    // A stop is lifted at any time, or never; so is a pause.
    const lifts = kind === "resume" && (human.fold.stopped || human.fold.paused);
    if (!lifts && !(state.budget.has(kind) && mayHappen(state, kind))) continue;
    const move = { label: `H ${kind}`, human: human.growBy(kind, () => humanRecord(state, kind)) };
    moves.push(lifts ? move : { ...move, spend: kind });
  }
  return moves;
}

function mayHappen({ human, reviewer, tester, builder }: State, kind: HumanKind): boolean {
  switch (kind) {
    case "stop":
      return !human.fold.stopped;
    case "pause":
      return !human.fold.paused;
    case "dismiss":
      return reviewer.fold.items.has(DISMISSED);
    case "dismissBug":
      return tester.fold.items.has(DISMISSED_BUG);
    case "dismissRed":
      return tester.fold.items.has(RED_VERIFY);
    case "dismissBent":
      return tester.fold.items.has(BASE_TESTS);
    case "resume":
      return builder.record?.kind === "done" && builder.record.how === "stuck";
    case "fixAll":
      return !human.fold.fixesAll;
    default:
      return true;
  }
}

function humanRecord({ human }: State, kind: HumanKind): HumanRecord {
  const at = { time: TIME };
  switch (kind) {
    case "update":
      return { kind, ...at, v: human.fold.updates + 1, sha256: NOTHING };
    case "addf":
      return { kind: "add", ...at, finding: findingOf(findingName("HUM", human.length)) };
    case "dismiss":
      return { kind, ...at, id: DISMISSED, why: NOTHING };
    case "dismissBug":
      return { kind: "dismiss", ...at, id: DISMISSED_BUG, why: NOTHING };
    case "dismissRed":
      return { kind: "dismiss", ...at, id: RED_VERIFY, why: NOTHING };
    case "dismissBent":
      return { kind: "dismiss", ...at, id: BASE_TESTS, why: NOTHING };
    case "fixAll":
      return { kind: "resume", ...at, fix: "all" };
    default:
      return { kind, ...at };
  }
}

/** Questions of all roles that nobody has answered. */
export function openQuestions(state: State): readonly Question[] {
  const { builder, planner, reviewer, tester, human } = state;
  if (!asked(state)) return NONE;
  return [builder, planner, reviewer, tester]
    .flatMap(({ fold }) => fold.questions)
    .filter(({ id }) => !human.fold.answers.has(id));
}

const NONE: readonly Question[] = [];

function asked({ builder, planner, reviewer, tester }: State): boolean {
  return (
    builder.fold.questions.length +
      planner.fold.questions.length +
      reviewer.fold.questions.length +
      tester.fold.questions.length >
    0
  );
}

function answers(state: State): readonly Move[] {
  return openQuestions(state).flatMap(({ id, unit }) =>
    textsFor(unit).flatMap((text): readonly Move[] => {
      const label = `H answer ${id}${text === NOTHING ? "" : ` ${text}`}`;
      const record = { kind: "answer", time: TIME, question: id, text } as const;
      const plain = { label, human: state.human.grow(record) };
      if (!state.budget.has("settings")) return [plain];
      const human = state.human.grow({ ...record, settings: SETTINGS });
      return [plain, { label: `${label}, with settings`, spend: "settings", human }];
    }),
  );
}

const SETTINGS: CommandSettings = {
  ...{ setup: [], build: [], verify: [["other"]], verifyTimeoutMs: 1, env: [] },
};

/**
 * A person approves the plan that waits for it: as the command that records it does, the person sees the whole
 * session. Or somebody forges an approval of the first plan, before there is one or when it is outdated.
 */
function approvals(
  { scenario }: World,
  { planner, builder, human, budget }: State,
): readonly Move[] {
  if (scenario.approval === undefined) return [];
  const moves: Move[] = [];
  const approve = (plan: string) => human.grow({ kind: "plan.approve", time: TIME, plan });
  const waiting = planner.fold.answers.find(
    ({ seq, staged }) => staged !== undefined && seq > builder.fold.adjudicated,
  )?.staged;
  if (waiting !== undefined && !isPlanApproved(waiting, human.fold.approvedPlans)) {
    const names = waiting.milestones.map(({ name }) => name).join();
    moves.push({ label: `H approves ${names}`, human: approve(waiting.plan) });
  }
  if (!budget.has("stray")) return moves;
  const early = planDigest(scenario.plan.map(milestoneOf));
  return [...moves, { label: "H approves the first plan", spend: "stray", human: approve(early) }];
}

/** To a question about the base or a remote, a person may answer the deciding word, or another. */
function textsFor(unit: string): readonly string[] {
  if (unit.startsWith("remote:")) return [NOTHING, "leave"];
  return unit.startsWith("base:") ? [NOTHING, "Accept "] : [NOTHING];
}

/** A role in a crash loop, and its restart by a person; its unit stays open. */
function supervision(world: World, { supervisor, build, test, budget }: State): readonly Move[] {
  const at = { time: TIME };
  return world.scenario.failing.flatMap((role): Move[] => {
    if (supervisor.fold.failed.has(role)) {
      if (!budget.has("restart")) return [];
      const lease = supervisor.growBy(role, () => ({ kind: "lease", ...at, role, pid: 1 }));
      return [{ label: `S lease ${role}: started again`, spend: "restart", supervisor: lease }];
    }
    if (!budget.has("fail")) return [];
    const failed = supervisor.growBy(`no ${role}`, () => {
      return { kind: "role.failed", ...at, role, reason: NOTHING };
    });
    const move = { label: `S role.failed ${role}`, spend: "fail" as const, supervisor: failed };
    if (role === "builder") return [{ ...move, build: world.builds.killed(build) }];
    if (role === "tester") return [{ ...move, test: world.tests.killed(test) }];
    return [move];
  });
}

/** Whether the supervisor has given up on a role. */
export function isDown({ supervisor }: State, role: Role): boolean {
  return supervisor.fold.failed.has(role);
}

/** A person's commit, before the end or after it. */
function pushes({ branch, budget, builder }: State): readonly Move[] {
  const ordinal = branch.records.filter(({ unit }) => unit === undefined).length + 1;
  const commit = { sha: shaAt(branch.length + 1), work: work.foreign(ordinal), unit: undefined };
  const moves: Move[] = [];
  if (builder.fold.stage.kind === "done") {
    if (!budget.has("late")) return [];
    const late = branch.grow({ ...commit, afterEnds: endsIn(builder.fold) });
    return [{ label: "H pushes a commit after the end", spend: "late", branch: late }];
  }
  if (budget.has("foreign")) {
    moves.push({ label: "H pushes a commit", spend: "foreign", branch: branch.grow(commit) });
  }
  if (budget.has("red")) {
    const red = branch.grow({ ...commit, isRed: true });
    moves.push({ label: "H pushes a commit, verify is red", spend: "red", branch: red });
  }
  if (budget.has("bent")) {
    const bent = branch.grow({ ...commit, isBent: true });
    moves.push({ label: "H pushes a commit, old tests fail", spend: "bent", branch: bent });
  }
  return moves;
}
