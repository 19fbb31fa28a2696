import type { Role } from "../../src/base/role.ts";
import type { HumanFold } from "../../src/session/state/fold-human.ts";
import type { JudgeFold } from "../../src/session/state/fold-judge.ts";
import type { PlannerFold } from "../../src/session/state/fold-planner.ts";
import type { SupervisorFold } from "../../src/session/state/fold-supervisor.ts";
import { builderStep } from "../../src/session/steps/builder-step.ts";
import {
  summarizeHuman,
  summarizeJudge,
  summarizePlanner,
  summarizeSupervisor,
  type HumanSummary,
  type JudgeSummary,
  type PlannerSummary,
} from "../../src/session/steps/log-summaries.ts";
import { builderMoves } from "./builder-moves.ts";
import { isSameMove, union, type Move } from "./move.ts";
import { SOURCES, WatchedView, type Sets, type Source } from "./watched-view.ts";
import { hasRemote, hasVerify, type State, type World } from "./world.ts";
import { Digests } from "./views.ts";

/** What is known for one builder.log with one open unit and one branch. */
interface Reading {
  readonly planner: Digests<PlannerFold, PlannerSummary>;
  readonly human: Digests<HumanFold, HumanSummary>;
  readonly supervisor: Digests<SupervisorFold, readonly Role[]>;
  readonly reviewer: Digests<JudgeFold, JudgeSummary>;
  readonly tester: Digests<JudgeFold, JudgeSummary>;
  readonly view: WatchedView;
  /** By the numbers of the sets; valid until a decision reads a log that none has read before. */
  readonly moves: Map<number, readonly Move[]>;
}

/** How many sets of digests fit into the key of a choice: 53 bits in total. */
const SETS_MAX: Readonly<Record<Source, number>> = {
  planner: 2 ** 8,
  human: 2 ** 9,
  failed: 2 ** 6,
  reviewer: 2 ** 15,
  tester: 2 ** 15,
};

const WORKS_MAX = 2 ** 12;
const BRANCHES_MAX = 2 ** 18;

/** What the builder may decide with no unit under way, seeing any prefix of each other log. */
export class BuilderDecisions {
  readonly #world: World;
  readonly #readings = new Map<number, Reading>();

  constructor(world: World) {
    this.#world = world;
  }

  moves(state: State): readonly Move[] {
    const reading = this.#reading(state);
    const sets: Sets = {
      planner: reading.planner.of(state.planner),
      human: reading.human.of(state.human),
      failed: reading.supervisor.of(state.supervisor),
      reviewer: reading.reviewer.of(state.reviewer),
      tester: reading.tester.of(state.tester),
    };
    for (;;) {
      const looked = reading.view.looked.size;
      const moves = this.#movesOf(state, reading, sets);
      if (reading.view.looked.size === looked) return moves;
      reading.moves.clear();
    }
  }

  /**
   * The moves for a choice of prefixes are those of the same choice with one digest less of any log, and those of all
   * the newest digests together: no combination is decided twice. Logs that no decision has read make no difference,
   * whatever they contain.
   */
  #movesOf(state: State, reading: Reading, sets: Sets): readonly Move[] {
    const { looked } = reading.view;
    const key = keyOf(sets, looked);
    const known = reading.moves.get(key);
    if (known !== undefined) return known;
    let moves = this.#decide(state, reading.view, sets);
    for (const source of SOURCES) {
      const { shorter } = sets[source];
      if (shorter === undefined || !looked.has(source)) continue;
      moves = union(this.#movesOf(state, reading, { ...sets, [source]: shorter }), moves);
    }
    reading.moves.set(key, moves);
    return moves;
  }

  #reading({ builder, build, branch }: State): Reading {
    const key = (builder.id * BRANCHES_MAX + branch.id) * WORKS_MAX + build.id;
    const known = this.#readings.get(key);
    if (known !== undefined) return known;
    const { policy, scenario } = this.#world;
    const own = builder.fold;
    const context = { own, branch: branch.fold, policy };
    const isFresh = scenario.fresh;
    const options = (source: Source) => ({ isFresh, setsMax: SETS_MAX[source] });
    const reading: Reading = {
      planner: new Digests((fold) => summarizePlanner(fold, own), options("planner")),
      human: new Digests((fold) => summarizeHuman(fold, own), options("human")),
      supervisor: new Digests(summarizeSupervisor, options("failed")),
      reviewer: new Digests(
        (fold) => summarizeJudge("reviewer", fold, context),
        options("reviewer"),
      ),
      tester: new Digests((fold) => summarizeJudge("tester", fold, context), options("tester")),
      view: new WatchedView({
        ...context,
        hasVerify: hasVerify(scenario),
        hasRemote: hasRemote(scenario),
        own: build.open === undefined ? own : { ...own, open: build.open },
      }),
      moves: new Map(),
    };
    this.#readings.set(key, reading);
    return reading;
  }

  /** A drain limit may run out at any moment, while the environment has timeouts left. */
  #decide(state: State, view: WatchedView, sets: Sets): readonly Move[] {
    view.sets = sets;
    view.isLate = false;
    const moves = builderMoves(this.#world, state, builderStep(view));
    if (this.#world.scenario.budgets.timeout === undefined) return moves;
    view.isLate = true;
    const late = builderMoves(this.#world, state, builderStep(view));
    const fresh = late.filter((move) => !moves.some((calm) => isSameMove(calm, move)));
    return [...moves, ...fresh.map((move) => ({ ...move, spend: "timeout" as const }))];
  }
}

function keyOf(sets: Sets, looked: ReadonlySet<Source>): number {
  let key = 0;
  for (const source of SOURCES) {
    key = key * SETS_MAX[source] + (looked.has(source) ? sets[source].id : 0);
  }
  return key;
}
