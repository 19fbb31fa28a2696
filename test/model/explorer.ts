import { coordinate } from "../../src/session/steps/coordinate.ts";
import type { Role } from "../../src/base/role.ts";
import type { Broken } from "./broken.ts";
import { environmentMoves, isDown, openQuestions } from "./environment.ts";
import { HISTORY_CHECKS } from "./history-checks.ts";
import type { History } from "./history.ts";
import { after, emptyRow, writeRow, type Move } from "./move.ts";
import { TIME } from "./names.ts";
import { RoleMoves } from "./role-moves.ts";
import { StateTable } from "./state-table.ts";
import { endBroken, stepBroken, type Ending, type StepContext } from "./step-checks.ts";
import { sessionState, type State, type World } from "./world.ts";

/** The result of an exploration. */
export interface Exploration {
  readonly states: number;
  readonly steps: number;
  /** Length of the longest of all shortest paths to a state. */
  readonly depth: number;
  /** Whether the limit was reached before all states were explored. */
  readonly isPartial: boolean;
  readonly endings: Readonly<Record<Ending, number>>;
  /** The first broken invariant, with a shortest path to it. */
  readonly broken: (Broken & { readonly trace: readonly string[] }) | undefined;
}

interface Node {
  readonly state: State;
  readonly index: number;
}

const ALL_ROLES: readonly Role[] = ["builder", "planner", "reviewer", "tester"];

/** Explores breadth first everything that can happen, each state once, and checks each step and state. */
export class Explorer {
  readonly #world: World;
  readonly #context: StepContext;
  readonly #roles: RoleMoves;
  readonly #table = new StateTable();
  readonly #row = emptyRow();
  readonly #labels = new Map<string, number>();
  readonly #judged = HISTORY_CHECKS.map(() => new Set<number>());
  readonly #endings: Record<Ending, number> = {
    complete: 0,
    stuck: 0,
    stopped: 0,
    paused: 0,
    failed: 0,
  };
  #next: Node[] = [];
  #steps = 0;

  constructor(context: StepContext) {
    this.#world = context.world;
    this.#context = context;
    this.#roles = new RoleMoves(context.world);
  }

  /** Explores until all states are known, an invariant is broken, or there are more than `statesMax` states. */
  explore(statesMax: number): Exploration {
    const { start } = this.#world;
    writeRow(this.#row, start);
    this.#table.add(this.#row, -1, -1);
    this.#next = [{ state: start, index: 0 }];
    let depth = 0;
    while (this.#next.length > 0 && this.#table.count <= statesMax) {
      const layer = this.#next;
      this.#next = [];
      for (const node of layer) {
        const found = this.#expand(node);
        if (found !== undefined) return this.#result(depth, found);
      }
      depth += 1;
    }
    return this.#result(depth, undefined);
  }

  #result(depth: number, broken: Exploration["broken"]): Exploration {
    return {
      states: this.#table.count,
      steps: this.#steps,
      depth,
      isPartial: broken === undefined && this.#next.length > 0,
      endings: this.#endings,
      broken,
    };
  }

  #expand(node: Node): Exploration["broken"] {
    const { state } = node;
    for (const role of ALL_ROLES) {
      if (isDown(state, role)) continue;
      const broken = this.#takeAll(node, this.#roles[role](state));
      if (broken !== undefined) return broken;
    }
    const broken = this.#takeAll(node, environmentMoves(this.#world, state));
    if (broken !== undefined) return broken;
    if (this.#isAlive(state)) return undefined;
    const ending = endBroken(state);
    if (typeof ending !== "string") return { ...ending, trace: this.#traceTo(node.index) };
    this.#endings[ending] += 1;
    return undefined;
  }

  #takeAll(node: Node, moves: readonly Move[]): Exploration["broken"] {
    for (const move of moves) {
      const next = after(node.state, move, this.#world.scenario.always);
      if (next === undefined) continue;
      this.#steps += 1;
      const broken =
        stepBroken(node.state, next, move, this.#context) ?? this.#visit(node, next, move);
      if (broken !== undefined)
        return { ...broken, trace: [...this.#traceTo(node.index), move.label] };
    }
    return undefined;
  }

  #visit(node: Node, next: State, move: Move): Broken | undefined {
    writeRow(this.#row, next);
    const index = this.#table.add(this.#row, node.index, this.#labelOf(move.label));
    if (index < 0) return undefined;
    this.#next.push({ state: next, index });
    return this.#judge(next);
  }

  /** Checks the invariants about whole histories, once for each combination of logs. */
  #judge(state: State): Broken | undefined {
    for (const [index, { reads, check }] of HISTORY_CHECKS.entries()) {
      const judged = this.#judged[index];
      const key = keyOf(state, reads);
      if (judged?.has(key) === true) continue;
      judged?.add(key);
      const broken = check(state, this.#world.policy);
      if (broken !== undefined && broken.invariant !== this.#context.except) return broken;
    }
    return undefined;
  }

  /** Whether any role that sees everything can move without a timeout, or a person's answer or approval is awaited. */
  #isAlive(state: State): boolean {
    const { build, test, pending } = state;
    const isUp = (role: Role) => !isDown(state, role);
    if (isUp("builder") && (build.stage === "turn" || build.stage === "pushed")) return true;
    if (isUp("tester") && (test.stage === "turn" || test.stage === "pushed")) return true;
    if (isUp("reviewer") && pending > 0) return true;
    if (isUp("planner") && isWork(this.#roles.plannerView(state).step)) return true;
    if (isUp("reviewer") && isWork(this.#roles.reviewerView(state).step)) return true;
    if (isUp("tester") && isWork(this.#roles.testerView(state).step)) return true;
    if (openQuestions(state).length > 0) return true;
    // As the role's own process decides.
    const session = sessionState(this.#world, state);
    return ALL_ROLES.some((role) => {
      const step = coordinate(role, session, NOW_MS);
      return isUp(role) && (isWork(step) || awaitsApproval(step, state));
    });
  }

  #labelOf(label: string): number {
    const known = this.#labels.get(label);
    if (known !== undefined) return known;
    this.#labels.set(label, this.#labels.size);
    return this.#labels.size - 1;
  }

  #traceTo(index: number): readonly string[] {
    const labels = [...this.#labels.keys()];
    const trace: string[] = [];
    for (let at = index; at > 0; at = this.#table.parentOf(at)) {
      trace.push(labels[this.#table.labelOf(at)] ?? "");
    }
    return trace.reverse();
  }
}

/** A time at which no drain limit has run out. */
const NOW_MS = Date.parse(TIME);

function isWork(step: { readonly kind: string }): boolean {
  return step.kind !== "wait" && step.kind !== "exit";
}

/**
 * A person may still approve the plan, or be gone for ever: that is not a deadlock. But a person who changed the
 * request since has said what to do.
 */
function awaitsApproval(step: ReturnType<typeof coordinate>, { human }: State): boolean {
  if (step.kind !== "wait" || step.reason.kind !== "approval") return false;
  return step.reason.answer.request >= human.fold.updates;
}

const LOGS_MAX = 2 ** 17;

/** A number for a combination of up to three logs. */
function keyOf(state: State, reads: readonly (keyof History)[]): number {
  let key = 0;
  for (const log of reads) key = key * LOGS_MAX + state[log].id;
  return key;
}
