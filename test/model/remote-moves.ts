import type { BuilderRecord } from "../../src/fs-protocol/records/builder-log.ts";
import { placeOf } from "../../src/session/state/session-state.ts";
import { push } from "./builder-turn.ts";
import type { Move } from "./move.ts";
import { BASE, NOTHING, shaAt, TIME, work } from "./names.ts";
import type { BranchLog, State, World } from "./world.ts";
import type { BuildUnit } from "./working.ts";

type Look = Extract<BuildUnit, { kind: "remote" }>;
type Outcome = Extract<BuilderRecord, { kind: "remote.push" }>["outcome"];

/** Number of the remote's commits that are on the branch. */
export function takenFrom({ records }: BranchLog): number {
  return records.filter(({ work: done }) => done?.startsWith("remote:")).length;
}

/** The moves that a running look at the remote may lead to. */
export function remoteTurn(world: World, state: State, unit: Look): readonly Move[] {
  const ends = [
    ended(world, state, unit, "pushed"),
    { ...ended(world, state, unit, "failed"), spend: "refused" as const },
  ];
  if (state.build.stage === "pushed" || state.remote === 0) return ends;
  const unreached = { ...ended(world, state, unit, "failed"), spend: "refused" as const };
  if (isAhead(state)) return [unreached, forwarded(world, state, unit)];
  const asks = ended(world, state, unit, "needs_input");
  return [
    unreached,
    joined(world, state, unit),
    { ...asks, label: `${asks.label}, conflict`, spend: "conflict" },
    redMerge(world, state, unit, asks),
  ];
}

/** Whether the remote's branch contains ours: nothing was added here since the last push. */
function isAhead({ branch, builder }: State): boolean {
  return branch.length === placeOf(branch.fold, builder.fold.remote.pushed);
}

/** The remote's new commits, as a person's commits. */
function theirs({ branch, remote }: State): readonly string[] {
  const taken = takenFrom(branch);
  return Array.from({ length: remote }, (_, index) => work.remote(taken + index + 1));
}

function withTheirs(state: State, branch = state.branch): BranchLog {
  return theirs(state).reduce(
    (log, name) => log.grow({ sha: shaAt(log.length + 1), work: name, unit: undefined }),
    branch,
  );
}

function forwarded(world: World, state: State, unit: Look): Move {
  const build = world.builds.at(unit, "pushed");
  return { label: "B forwards to the remote", branch: withTheirs(state), remote: 0, build };
}

/** One merge commit, or what a planted rule does instead. */
function joined(world: World, state: State, unit: Look): Move {
  const build = world.builds.at(unit, "pushed");
  if (world.plant === "forcePush") return { label: "B forces", remote: 0, build };
  if (world.plant === "rebaseOnRemote") {
    const kept = placeOf(state.branch.fold, state.builder.fold.remote.pushed);
    const { records } = state.branch;
    const again = (log: BranchLog, from: number, to: number) =>
      records
        .slice(from, to)
        .reduce((grown, commit) => grown.grow({ ...commit, sha: shaAt(grown.length + 1) }), log);
    const onto = withTheirs(state, again(world.start.branch, 0, kept));
    const branch = again(onto, kept, records.length);
    return { label: "B rebases onto the remote", branch, remote: 0, build };
  }
  const branch = push(withTheirs(state), unit.unit, [work.merge(unit.unit)]);
  return { label: "B merges the remote", branch, remote: 0, build };
}

/** Verify is red on the merge: it is not published, unless a planted rule does so. */
function redMerge(world: World, state: State, unit: Look, asks: Move): Move {
  const spend = "redMerge" as const;
  if (world.plant !== "mergeUnverified") return { ...asks, label: `${asks.label}, red`, spend };
  const works = [work.merge(unit.unit)];
  const branch = push(withTheirs(state), unit.unit, works, { isRed: true });
  const build = world.builds.at(unit, "pushed");
  return { label: "B merges the remote, red", spend, branch, remote: 0, build };
}

function ended(world: World, { builder, branch }: State, { unit }: Look, outcome: Outcome): Move {
  const at = branch.fold.head ?? BASE;
  const question = `builder-${String(builder.fold.questions.length + 1)}`;
  const asked = outcome === "needs_input" ? { question } : {};
  const record = { kind: "remote.push", time: TIME, unit, at, outcome, ...asked } as const;
  const why = outcome === "failed" ? { reason: NOTHING } : {};
  return {
    label: `B ends ${unit}: ${outcome}`,
    builder: builder.grow({ ...record, ...why }),
    build: world.builds.idle,
  };
}

/** Somebody pushes to the remote's branch. */
export function remoteGrows({ budget, builder, remote }: State): readonly Move[] {
  if (!budget.has("moves") || builder.fold.stage.kind === "done") return [];
  return [{ label: "H pushes to the remote", spend: "moves", remote: remote + 1 }];
}
