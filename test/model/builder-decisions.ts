import type { Role } from "../../src/base/role.ts";
import type { HumanFold } from "../../src/fs-protocol/fold-human.ts";
import type { JudgeFold } from "../../src/fs-protocol/fold-judge.ts";
import type { PlannerFold } from "../../src/fs-protocol/fold-planner.ts";
import type { SupervisorFold } from "../../src/fs-protocol/fold-supervisor.ts";
import { builderStep, type BuilderView } from "../../src/streams/builder-step.ts";
import {
  seeHuman,
  seeJudge,
  seePlanner,
  seeSupervisor,
  type HumanSeen,
  type JudgeSeen,
  type PlannerSeen,
} from "../../src/streams/seen.ts";
import { builderMove } from "./builder-moves.ts";
import { isSameMove, type Move } from "./move.ts";
import type { State, World } from "./world.ts";
import { Digests, type DigestSet } from "./views.ts";

/** What one length of builder.log, with one open unit and one branch, makes of the other logs. */
interface Reading {
  readonly planner: Digests<PlannerFold, PlannerSeen>;
  readonly human: Digests<HumanFold, HumanSeen>;
  readonly supervisor: Digests<SupervisorFold, readonly Role[]>;
  readonly reviewer: Digests<JudgeFold, JudgeSeen>;
  readonly tester: Digests<JudgeFold, JudgeSeen>;
  /** By the numbers of the sets. */
  readonly moves: Map<number, readonly Move[]>;
}

interface Sets {
  readonly planner: DigestSet<PlannerSeen>;
  readonly human: DigestSet<HumanSeen>;
  readonly supervisor: DigestSet<readonly Role[]>;
  readonly reviewer: DigestSet<JudgeSeen>;
  readonly tester: DigestSet<JudgeSeen>;
}

const SETS_MAX = 1 << 10;
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
      supervisor: reading.supervisor.of(state.supervisor),
      reviewer: reading.reviewer.of(state.reviewer),
      tester: reading.tester.of(state.tester),
    };
    let key = sets.planner.id;
    for (const { id } of [sets.human, sets.supervisor, sets.reviewer, sets.tester]) {
      key = key * SETS_MAX + id;
    }
    const known = reading.moves.get(key);
    if (known !== undefined) return known;
    const moves = this.#enumerate(state, sets);
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
    const { fresh } = scenario;
    const reading: Reading = {
      planner: new Digests((fold) => seePlanner(fold, own), fresh),
      human: new Digests((fold) => seeHuman(fold, own), fresh),
      supervisor: new Digests(seeSupervisor, fresh),
      reviewer: new Digests((fold) => seeJudge("reviewer", fold, context), fresh),
      tester: new Digests((fold) => seeJudge("tester", fold, context), fresh),
      moves: new Map(),
    };
    this.#readings.set(key, reading);
    return reading;
  }

  #enumerate(state: State, sets: Sets): readonly Move[] {
    const { policy } = this.#world;
    const own = { ...state.builder.fold, open: state.build.open };
    const common = { own, branch: state.branch.fold, policy, nowMs: 0 };
    const moves: Move[] = [];
    const others = sets.planner.list.flatMap((planner) =>
      sets.human.list.flatMap((human) =>
        sets.supervisor.list.map((failed) => ({ planner, human, failed })),
      ),
    );
    for (const other of others) {
      for (const reviewer of sets.reviewer.list) {
        for (const tester of sets.tester.list) {
          const seen = { ...common, ...other, reviewer, tester };
          this.#decide(state, { ...seen, drainEndsMs: () => undefined }, moves);
        }
      }
    }
    return moves;
  }

  /** A drain limit may run out at any moment, while the environment has timeouts left. */
  #decide(state: State, view: BuilderView, moves: Move[]): void {
    const calm = builderMove(this.#world, state, builderStep(view));
    if (calm !== undefined && !moves.some((move) => isSameMove(move, calm))) moves.push(calm);
    if (this.#world.scenario.budgets.timeout === undefined) return;
    const step = builderStep({ ...view, drainEndsMs: () => 0 });
    const late = builderMove(this.#world, state, step);
    if (late === undefined || (calm !== undefined && isSameMove(calm, late))) return;
    const costs = { ...late, spend: "timeout" as const };
    if (!moves.some((move) => isSameMove(move, costs))) moves.push(costs);
  }
}
