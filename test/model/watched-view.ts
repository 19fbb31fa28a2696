import type { Role } from "../../src/base/role.ts";
import type { BuilderView } from "../../src/session/steps/builder-step.ts";
import type {
  HumanSummary,
  JudgeSummary,
  PlannerSummary,
} from "../../src/session/steps/log-summaries.ts";
import { assert } from "../../src/base/assert.ts";
import type { DigestSet } from "./views.ts";

/** The logs of others that the builder reads. */
export const SOURCES = ["planner", "human", "failed", "reviewer", "tester"] as const;
export type Source = (typeof SOURCES)[number];

/** A choice of what the builder sees: of each log the newest digest of a set. */
export interface Sets {
  readonly planner: DigestSet<PlannerSummary>;
  readonly human: DigestSet<HumanSummary>;
  readonly failed: DigestSet<readonly Role[]>;
  readonly reviewer: DigestSet<JudgeSummary>;
  readonly tester: DigestSet<JudgeSummary>;
}

type Given = Pick<BuilderView, "own" | "branch" | "policy" | "hasVerify" | "hasRemote">;

/** The state for the builder's decisions, which notes the other roles' logs that they have read. */
export class WatchedView implements BuilderView {
  readonly own: Given["own"];
  readonly branch: Given["branch"];
  readonly policy: Given["policy"];
  readonly hasVerify: boolean;
  readonly hasRemote: boolean;
  readonly nowMs = 0;
  readonly looked = new Set<Source>();
  sets: Sets | undefined = undefined;
  /** All drain limits have run out. */
  isLate = false;
  readonly drainEndsMs = (): number | undefined => (this.isLate ? 0 : undefined);

  constructor({ own, branch, policy, hasVerify, hasRemote }: Given) {
    this.own = own;
    this.branch = branch;
    this.policy = policy;
    this.hasVerify = hasVerify;
    this.hasRemote = hasRemote;
  }

  get planner(): PlannerSummary {
    return this.#look("planner").planner.last;
  }

  get human(): HumanSummary {
    return this.#look("human").human.last;
  }

  get failed(): readonly Role[] {
    return this.#look("failed").failed.last;
  }

  get reviewer(): JudgeSummary {
    return this.#look("reviewer").reviewer.last;
  }

  get tester(): JudgeSummary {
    return this.#look("tester").tester.last;
  }

  #look(source: Source): Sets {
    this.looked.add(source);
    assert(this.sets !== undefined, "a view is filled before it is looked at");
    return this.sets;
  }
}
