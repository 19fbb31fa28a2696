import type { Role } from "../../src/base/role.ts";
import type { BuilderRecord } from "../../src/fs-protocol/records/builder-log.ts";
import type { Finding } from "../../src/fs-protocol/records/finding.ts";
import type { Policy } from "../../src/fs-protocol/home/policy.ts";
import type { ReviewerRecord } from "../../src/fs-protocol/records/reviewer-log.ts";
import type { SessionState } from "../../src/session/state/session-state.ts";
import type { TesterRecord } from "../../src/fs-protocol/records/tester-log.ts";
import { environmentMoves, isDown } from "../model/environment.ts";
import { after, type Move } from "../model/move.ts";
import { RoleMoves } from "../model/role-moves.ts";
import { SCENARIOS, type ScenarioName } from "../model/scenarios.ts";
import { sessionState, World, type State } from "../model/world.ts";

/** Records that the three roles with projections may have written up to some moment of a session. */
export interface RandomSession {
  readonly policy: Policy;
  readonly builder: readonly BuilderRecord[];
  readonly reviewer: readonly ReviewerRecord[];
  readonly tester: readonly TesterRecord[];
}

const ACTIVE: readonly Role[] = ["builder", "planner", "reviewer", "tester"];

/**
 * Walks through an explored world, one legal step after the other. Names and texts are replaced by
 * difficult ones: a prefix of another, separators, characters of another writing direction.
 *
 * @param choose an integer below its argument: which of the possible steps is taken
 */
export function randomSession(
  scenario: ScenarioName,
  stepsMax: number,
  choose: (below: number) => number,
): RandomSession {
  const known = worldOf(scenario);
  const { world } = known;
  const state = walked(known, stepsMax, choose);
  return {
    policy: world.policy,
    builder: state.builder.records.map(renameBuilder),
    reviewer: state.reviewer.records.map(renameReviewer),
    tester: state.tester.records.map(renameTester),
  };
}

/** The same walk, and the whole session at its end, with the names of the world. */
export function randomState(
  scenario: ScenarioName,
  stepsMax: number,
  choose: (below: number) => number,
): SessionState {
  const known = worldOf(scenario);
  return sessionState(known.world, walked(known, stepsMax, choose));
}

function walked(
  { world, roles }: KnownWorld,
  stepsMax: number,
  choose: (below: number) => number,
): State {
  let state = world.start;
  for (let steps = 0; steps < stepsMax; steps++) {
    const next = movesIn(world, roles, state).flatMap((move) => {
      const reached = after(state, move, world.scenario.always);
      return reached === undefined ? [] : [reached];
    });
    const chosen = next[choose(Math.max(1, next.length))];
    if (chosen === undefined) break;
    state = chosen;
  }
  return state;
}

interface KnownWorld {
  readonly world: World;
  readonly roles: RoleMoves;
}

/** Worlds cache their decisions, so more walks through the same one are cheaper. */
const WORLDS = new Map<ScenarioName, KnownWorld>();

function worldOf(name: ScenarioName): KnownWorld {
  const known = WORLDS.get(name);
  if (known !== undefined) return known;
  const world = new World(SCENARIOS[name], {});
  const made = { world, roles: new RoleMoves(world) };
  WORLDS.set(name, made);
  return made;
}

function movesIn(world: World, roles: RoleMoves, state: State): readonly Move[] {
  const own = ACTIVE.filter((role) => !isDown(state, role)).flatMap((role) => roles[role](state));
  return [...own, ...environmentMoves(world, state)];
}

const NAMES: Readonly<Record<string, string>> = {
  a1: "API",
  a2: "API",
  b1: "API server",
  b2: "API server",
  c1: "API|v2: 100%, a\u202eb",
  u11: "\u{1F600} update",
};

function rename(name: string): string {
  return NAMES[name] ?? `${name} | "other"`;
}

const BRIEFS = [
  "The last field is dropped",
  "OPEN COR-ffffff blocking - [commit:abc]",
  "100 % wrong | [x]\nCLOSED COR-000001",
];
const FILES = ["src/parse.js", "-", "a b:1.js", undefined];

function retell(finding: Finding): Finding {
  const n = Number.parseInt(finding.id.slice(4), 16);
  const file = FILES[n % FILES.length];
  return { ...finding, brief: BRIEFS[n % BRIEFS.length] ?? finding.brief, file, line: n + 1 };
}

function renameBuilder(record: BuilderRecord): BuilderRecord {
  switch (record.kind) {
    case "plan.adopt":
      return { ...record, milestones: record.milestones.map(renamed) };
    case "build.end":
      return { ...record, m: rename(record.m), milestones: record.milestones.map(renamed) };
    case "done":
    case "halt":
      return { ...record, reason: 'no progress on "API|v2", 100 %\n' };
    default:
      return record;
  }
}

function renamed<T extends { readonly name: string }>(milestone: T): T {
  return { ...milestone, name: rename(milestone.name) };
}

function renameReviewer(record: ReviewerRecord): ReviewerRecord {
  switch (record.kind) {
    case "review.end": {
      const findings = record.findings.map(retell);
      return record.m === undefined
        ? { ...record, findings }
        : { ...record, m: rename(record.m), findings };
    }
    case "adopt.end":
      return record.finding === undefined ? record : { ...record, finding: retell(record.finding) };
    default:
      return record;
  }
}

function renameTester(record: TesterRecord): TesterRecord {
  switch (record.kind) {
    case "test.end":
      return { ...record, m: rename(record.m), bugs: record.bugs.map(retell) };
    case "final.end":
      return { ...record, bugs: record.bugs.map(retell) };
    default:
      return record;
  }
}
