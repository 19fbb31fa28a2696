import type { Policy } from "../../src/fs-protocol/home/policy.ts";
import type { BuilderFold } from "../../src/session/state/builder-state.ts";
import { EMPTY_JUDGE } from "../../src/session/state/fold-judge.ts";
import { isOwn, withOwn, type OwnCommits } from "../../src/session/state/own-commits.ts";
import { decodeUnit } from "../../src/fs-protocol/records/unit-key.ts";
import { plannerStep } from "../../src/session/steps/planner-step.ts";
import { reviewerStep } from "../../src/session/steps/reviewer-step.ts";
import type { PlannerStep, ReviewerStep, TesterStep } from "../../src/session/steps/step.ts";
import { testerStep } from "../../src/session/steps/tester-step.ts";
import { BuilderDecisions } from "./builder-decisions.ts";
import { adoptRecord, editAfterRecovery } from "./builder-moves.ts";
import { builderTurn } from "./builder-turn.ts";
import { pendingFindings, reviewerMoves, testerMoves, testerTurn } from "./judge-moves.ts";
import { endsIn, type Commit } from "./history.ts";
import type { Move } from "./move.ts";
import { plannerMoves } from "./planner-moves.ts";
import { Reader, type Seen, type View } from "./views.ts";
import type { State, World } from "./world.ts";
import { openUnit } from "./working.ts";

const WORKS_MAX = 2 ** 16;
const HUMANS_MAX = 2 ** 14;

/**
 * The moves of the four roles, which see their own logs completely, and any prefix of every other log (with `fresh`,
 * all of it).
 */
export class RoleMoves {
  readonly #world: World;
  readonly #builder: BuilderDecisions;
  readonly #turns = new Map<string, readonly Move[]>();
  readonly #planner: Reader<PlannerStep>;
  readonly #reviewer: Reader<ReviewerStep>;
  readonly #tester: Reader<TesterStep>;

  constructor(world: World) {
    this.#world = world;
    const { policy } = world;
    this.#builder = new BuilderDecisions(world);
    this.#planner = new Reader({
      // Where plans need an approval, the planner also records how much people had said.
      ownKey: ({ planner, human }) =>
        world.scenario.approval === undefined ? planner.id : planner.id * HUMANS_MAX + human.id,
      step: ({ planner }, { builder, human }) =>
        plannerStep({ own: planner.fold, builder: builder.fold, human: human.fold, policy }),
      movesKey: (step, { builder }) =>
        step.kind === "plan" ? `${builder.id} ${JSON.stringify(step)}` : IDLE,
      moves: (state, step, { builder }) => plannerMoves(world, state, step, builder.fold),
    });
    this.#reviewer = new Reader({
      ownKey: ({ reviewer }) => reviewer.id,
      step: ({ reviewer }, { builder, human, branch }) =>
        reviewerStep({
          own: reviewer.fold,
          builder: announcing(branch, builder.fold, policy),
          tester: { ...EMPTY_JUDGE, own: testsIn(branch) },
          human: human.fold,
          branch: { ...branch.fold, settled: settledIn(branch, builder.fold, policy) },
          policy,
        }),
      movesKey: (step, { builder }) => workKey(step) + staleKey(step, builder.fold),
      moves: (state, step, { builder }) => reviewerMoves(world, state, step, builder.fold.reopens),
    });
    this.#tester = new Reader({
      ownKey: ({ tester, test }) => tester.id * WORKS_MAX + test.id,
      step: ({ tester, test }, { builder, human }) =>
        testerStep({
          own: test.open === undefined ? tester.fold : { ...tester.fold, openUnit: test.open },
          builder: builder.fold,
          human: human.fold,
        }),
      movesKey: (step, { branch }) =>
        step.kind === "recover" ? `recover ${branch.id}` : workKey(step),
      moves: (state, step) => testerMoves(world, state, step),
    });
  }

  builder(state: State): readonly Move[] {
    const { build, builder, branch, remote } = state;
    if (build.stage === "turn" || build.stage === "pushed") {
      return this.#once(`b${build.id},${builder.id},${branch.id},${remote}`, () =>
        builderTurn(this.#world, state),
      );
    }
    const moves = [...this.#builder.moves(state), ...editAfterRecovery(this.#world, state)];
    return this.#world.plant === "noCursor" ? moves.map((move) => readsAll(state, move)) : moves;
  }

  planner(state: State): readonly Move[] {
    const moves = this.#seen(this.plannerView(state));
    return this.#world.plant === "planDirect"
      ? moves.map((move) => adoptsItself(state, move))
      : moves;
  }

  reviewer(state: State): readonly Move[] {
    if (state.pending > 0) return pendingFindings(state);
    return this.#seen(this.reviewerView(state));
  }

  tester(state: State): readonly Move[] {
    const { test, tester, branch } = state;
    if (test.stage === "turn" || test.stage === "pushed") {
      return this.#once(`t${test.id},${tester.id},${branch.id}`, () =>
        testerTurn(this.#world, state),
      );
    }
    return this.#seen(this.testerView(state));
  }

  /** The planner's decision with everything in view, and with any prefixes of it. */
  plannerView(state: State): View<PlannerStep> {
    return this.#planner.view(state, this.#without(state));
  }

  reviewerView(state: State): View<ReviewerStep> {
    return this.#reviewer.view(state, state);
  }

  /** Only the recovery of a restarted tester depends on the branch. */
  testerView(state: State): View<TesterStep> {
    const seen = state.test.stage === "killed" ? state : this.#without(state);
    return this.#tester.view(state, seen);
  }

  /** The view of a role whose decision does not depend on the branch. */
  #without({ builder, human }: State): Seen {
    return { builder, human, branch: this.#world.start.branch };
  }

  #seen<Step>(view: View<Step>): readonly Move[] {
    return this.#world.scenario.fresh ? view.own : view.all;
  }

  #once(key: string, make: () => readonly Move[]): readonly Move[] {
    const known = this.#turns.get(key);
    if (known !== undefined) return known;
    const moves = make();
    this.#turns.set(key, moves);
    return moves;
  }
}

/** The tester's commits: all that the reviewer needs of its log, which it is assumed to have read completely. */
function testsIn({ records }: State["branch"]): OwnCommits | undefined {
  return withOwn(
    undefined,
    records.filter(isTest).map(({ sha }) => sha),
  );
}

function isTest({ unit }: Commit): boolean {
  return unit?.startsWith("test:") === true || unit?.startsWith("final:") === true;
}

/**
 * What the builder has recorded, with the intents that these logs leave out. Where commits are reviewed one by one, each
 * that the builder has published is reviewed as soon as its intent is in view: before that, the reviewer waits, and
 * makes no move. Where they are reviewed together, only those of ended units are.
 */
function announcing(
  { records }: State["branch"],
  builder: BuilderFold,
  { reviewPerCommit = 0 }: Policy,
): BuilderFold {
  if (reviewPerCommit > 0) return builder;
  const ours = records.filter((commit) => isUnended(commit, builder));
  const unit = ours[0]?.unit;
  if (unit === undefined) return builder;
  const intent = { shas: ours.map(({ sha }) => sha), ticks: [], splits: [] };
  return { ...builder, open: { ...openUnit(unit), intent } };
}

/** Whether the builder published a commit in a unit that has not ended. */
function isUnended(commit: Commit, { own }: BuilderFold): boolean {
  return (
    commit.unit !== undefined &&
    // A merge of a remote's branch with ours counts as a person's commit.
    decodeUnit(commit.unit)?.kind !== "remote" &&
    !isTest(commit) &&
    !isOwn(own, commit.sha)
  );
}

/**
 * The part of the branch that existed before the logs were read: each of its commits is in a log, or a person's. Who
 * reads the logs after a commit has arrived sees every end that was recorded before it came.
 */
function settledIn(
  { records }: State["branch"],
  builder: BuilderFold,
  { reviewPerCommit = 0 }: Policy,
): number {
  const ends = endsIn(builder);
  const later = records.findIndex(
    (commit) =>
      (commit.afterEnds ?? 0) > ends || (reviewPerCommit > 0 && isUnended(commit, builder)),
  );
  return later === -1 ? records.length : later;
}

/** Steps without work lead to no move. */
const IDLE = "";

function workKey(step: { readonly kind: string }): string {
  return step.kind === "wait" || step.kind === "exit" ? IDLE : JSON.stringify(step);
}

/** A verdict that reports a stalemate records how many reopens were in view. */
function staleKey({ kind }: ReviewerStep, { reopens }: BuilderFold): string {
  return kind === "verify" ? ` ${String(reopens)}` : "";
}

/** R13 planted: everything in human.log counts as read, including records that came after the last look. */
function readsAll(state: State, move: Move): Move {
  const record = move.builder?.record;
  if (record?.kind !== "done") return move;
  return { ...move, builder: state.builder.grow({ ...record, human: state.human.length }) };
}

/** R1 planted: the planner puts its plan into force itself. */
function adoptsItself(state: State, move: Move): Move {
  const answer = move.planner?.fold.answers.at(-1);
  if (answer?.staged === undefined) return move;
  return { ...move, builder: state.builder.grow(adoptRecord(answer)) };
}
