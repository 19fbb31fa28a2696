import { assert } from "../../src/base/assert.ts";
import type { Log } from "./log.ts";
import { union, type Move } from "./move.ts";
import type { BranchLog, BuilderLog, HumanLog, State } from "./world.ts";

/** The digests of all prefixes of a log, each once. */
export interface DigestSet<D> {
  /** Equal sets of one `Digests` have equal numbers. */
  readonly id: number;
  /** The set without `last`; undefined if that is empty. */
  readonly shorter: DigestSet<D> | undefined;
  readonly last: D;
  readonly keys: readonly string[];
}

export interface DigestsOptions {
  /** Whether the whole log is always in view. */
  readonly isFresh: boolean;
  /** How many sets fit into a key. */
  readonly setsMax: number;
}

/** The digests of a log's prefixes. These are its parent's prefixes and itself, so each log costs one digest. */
export class Digests<F, D> {
  readonly #digest: (fold: F) => D;
  readonly #options: DigestsOptions;
  readonly #byLog = new Map<number, DigestSet<D>>();
  readonly #known = new Map<string, DigestSet<D>>();

  constructor(digest: (fold: F) => D, options: DigestsOptions) {
    this.#digest = digest;
    this.#options = options;
  }

  of<R>(log: Log<R, F>): DigestSet<D> {
    const known = this.#byLog.get(log.id);
    if (known !== undefined) return known;
    const shorter = log.up === undefined || this.#options.isFresh ? undefined : this.of(log.up);
    const set = this.#with(shorter, this.#digest(log.fold));
    this.#byLog.set(log.id, set);
    return set;
  }

  #with(shorter: DigestSet<D> | undefined, last: D): DigestSet<D> {
    const key = JSON.stringify(last);
    if (shorter?.keys.includes(key) === true) return shorter;
    const keys = [...(shorter?.keys ?? []), key].sort();
    const name = keys.join("\n");
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const set = { id: this.#known.size, shorter, last, keys };
    assert(set.id < this.#options.setsMax, "sets of digests are few");
    this.#known.set(name, set);
    return set;
  }
}

/** A role that reads builder.log, human.log and the branch beside its own log. */
export interface ReaderOptions<Step> {
  /** A number for what the role itself has done until now. */
  readonly ownKey: (state: State) => number;
  readonly step: (state: State, seen: Seen) => Step;
  /** A key for everything that `moves` depends on besides the role's own log. */
  readonly movesKey: (step: Step, seen: Seen) => string;
  readonly moves: (state: State, step: Step, seen: Seen) => readonly Move[];
}

/** How much of the others' logs a role sees. */
export interface Seen {
  readonly builder: BuilderLog;
  readonly human: HumanLog;
  readonly branch: BranchLog;
}

export interface View<Step> {
  /** The step of a role that sees exactly this much. */
  readonly step: Step;
  /** The moves that follow from that step. */
  readonly own: readonly Move[];
  /** The moves that follow for a role that sees any prefixes of this. */
  readonly all: readonly Move[];
}

const BRANCHES_MAX = 2 ** 18;
const HUMANS_MAX = 2 ** 14;

/** The decisions of one role for everything that it may see. */
export class Reader<Step> {
  readonly #options: ReaderOptions<Step>;
  readonly #known = new Map<number, Known<Step>>();

  constructor(options: ReaderOptions<Step>) {
    this.#options = options;
  }

  view(state: State, seen: Seen): View<Step> {
    const ownKey = this.#options.ownKey(state);
    const known = this.#known.get(ownKey) ?? { views: new Map(), moves: new Map() };
    this.#known.set(ownKey, known);
    return this.#viewOf(known, state, seen);
  }

  /** The prefixes of a pair of logs are those with one record less in either log, and the pair itself. */
  #viewOf(known: Known<Step>, state: State, seen: Seen): View<Step> {
    const { builder, human, branch } = seen;
    const key = (builder.id * BRANCHES_MAX + branch.id) * HUMANS_MAX + human.id;
    const done = known.views.get(key);
    if (done !== undefined) return done;
    assert(branch.id < BRANCHES_MAX && human.id < HUMANS_MAX, "a key names one view");
    const step = this.#options.step(state, seen);
    const own = this.#movesOf(known, state, step, seen);
    let all: readonly Move[] = [];
    if (builder.up !== undefined) {
      all = this.#viewOf(known, state, { builder: builder.up, human, branch }).all;
    }
    if (human.up !== undefined) {
      all = union(all, this.#viewOf(known, state, { builder, human: human.up, branch }).all);
    }
    const view = { step, own, all: union(all, own) };
    known.views.set(key, view);
    return view;
  }

  #movesOf({ moves }: Known<Step>, state: State, step: Step, seen: Seen): readonly Move[] {
    const key = this.#options.movesKey(step, seen);
    const known = moves.get(key);
    if (known !== undefined) return known;
    const made = this.#options.moves(state, step, seen);
    moves.set(key, made);
    return made;
  }
}

/** What is known for one state of a role's own log. */
interface Known<Step> {
  readonly views: Map<number, View<Step>>;
  /** By `movesKey`. */
  readonly moves: Map<string, readonly Move[]>;
}
