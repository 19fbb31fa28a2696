import {
  isHandoverDue,
  mayWriteHere,
  type HandoverAction,
  type HandoverStep,
} from "../../src/session/rules/handover.ts";
import { nextHandoverStep, type Handover } from "../../src/session/rules/handover-step.ts";
import type { Broken } from "./broken.ts";
import { land, type Replacing } from "./handover-landing.ts";
import {
  compareFiles,
  filesOf,
  findSide,
  movesOf,
  otherOf,
  type Files,
  type Pending,
  type Side,
  type SideName,
  type World,
} from "./handover-world.ts";

/** The rules that are explored: the shipped ones, or with a mistake. */
export interface HandoverRules {
  readonly mayWrite: typeof mayWriteHere;
  readonly next: typeof nextHandoverStep;
  readonly isDue: typeof isHandoverDue;
  readonly replacing: Replacing;
}

export const SHIPPED: HandoverRules = {
  mayWrite: mayWriteHere,
  next: nextHandoverStep,
  isDue: isHandoverDue,
  replacing: "whole",
};

/** A small world of two sides. */
export interface HandoverScenario {
  /** Side `b` is a person's home as well, or else a place that was made for the session. */
  readonly isBKept: boolean;
  /** The session was started at `b`, and `a` mirrors it. */
  readonly isStartedThere?: boolean;
  /** People use `--force`. */
  readonly hasForce?: boolean;
  /** The place `b` may vanish at any time. */
  readonly mayVanish?: boolean;
  /** How many moves are begun at most, and how many records people and roles append. */
  readonly moves: number;
  readonly records: number;
  /** How many steps that were decided on may be under way at once. */
  readonly pending: number;
}

/**
 * What an exploration found. `M1`: at most one side may write. `M2`: roles work only at a side that may be written.
 * `M3`: the owner has every record, once. `M4`: without an owner, a side has all records and says who is to own the
 * session. `M5`: from every state a command for either side, run again, ends with that side as the only owner.
 */
export interface HandoverExploration {
  readonly states: number;
  /** Whether two sides believed to be the owner in any state. */
  readonly hasTwoOwners: boolean;
  /** The steps that some mover decided on. */
  readonly steps: ReadonlySet<string>;
  readonly broken: (Broken & { readonly trace: readonly string[] }) | undefined;
}

interface Move {
  readonly label: string;
  readonly world: World;
}

const SIDES = ["a", "b"] as const;
const NONE: Side = { generation: 1, isGone: false, home: undefined, sent: [], isAtWork: false };

/** Explores breadth first all that people, roles, followers and movers can do, with any delay and any loss of a step. */
export class HandoverExplorer {
  readonly #scenario: HandoverScenario;
  readonly #rules: HandoverRules;
  readonly #mended = new Map<string, Broken | undefined>();
  readonly #steps = new Set<string>();

  constructor(scenario: HandoverScenario, rules: HandoverRules = SHIPPED) {
    this.#scenario = scenario;
    this.#rules = rules;
  }

  explore(): HandoverExploration {
    const start = this.#start();
    const from = new Map<string, { readonly before: string; readonly label: string }>();
    from.set(keyOf(start), { before: "", label: "" });
    let hasTwoOwners = false;
    let layer: readonly World[] = [start];
    const result = (broken: HandoverExploration["broken"]) => {
      return { states: from.size, hasTwoOwners, steps: this.#steps, broken };
    };
    const traceTo = (key: string): readonly string[] => {
      const step = from.get(key);
      return step === undefined || step.before === "" ? [] : [...traceTo(step.before), step.label];
    };
    while (layer.length > 0) {
      const next: World[] = [];
      for (const { before, label, world } of layer.flatMap((one) => this.#labelled(one))) {
        const key = keyOf(world);
        if (from.has(key)) continue;
        from.set(key, { before, label });
        next.push(world);
        hasTwoOwners ||= SIDES.every((name) => this.#owns(world, name));
        const broken = this.#judge(world);
        if (broken !== undefined) return result({ ...broken, trace: traceTo(key) });
      }
      layer = next;
    }
    return result(undefined);
  }

  #labelled(world: World): readonly (Move & { readonly before: string })[] {
    const before = keyOf(world);
    return this.#moves(world).map((move) => ({ ...move, before }));
  }

  #start(): World {
    const { isBKept, isStartedThere = false } = this.#scenario;
    const files = { human: ["h0"], work: ["w0"] };
    const owner = { ...NONE, home: { ...files, place: {} } };
    const mirror = { ...NONE, home: { ...files, place: { mirrors: true } } };
    const place = { ...NONE, isGone: !isBKept };
    const sides = isStartedThere ? { a: mirror, b: owner } : { a: owner, b: place };
    return {
      ...sides,
      pending: [],
      ids: 0,
      count: 0,
      truth: files,
      isForced: false,
      isLost: false,
    };
  }

  #owns(world: World, name: SideName): boolean {
    const { home } = world[name];
    if (home === undefined) return false;
    const found = findSide(name, world[name], { isKept: true, isSeen: true }).found;
    if (found.kind !== "home") return false;
    return this.#rules.mayWrite({ lastMoved: movesOf(home.human).at(-1), place: found.place });
  }

  #moves(world: World): readonly Move[] {
    return [
      ...SIDES.flatMap((name) => this.#atHome(world, name)),
      ...this.#looks(world),
      ...world.pending.flatMap((pending) => this.#landings(world, pending)),
      ...this.#vanishing(world),
    ];
  }

  /** People and roles at one side, and the process there that mirrors the other side. */
  #atHome(world: World, name: SideName): readonly Move[] {
    const side = world[name];
    const { home, isAtWork } = side;
    if (home === undefined) return [];
    const moves: Move[] = [];
    const { count } = world;
    const add = (label: string, next: Side, isRecord = false) => {
      const truth = isRecord && next.home !== undefined ? filesOf(next.home) : world.truth;
      const grown = isRecord ? count + 1 : count;
      const changed = { ...world, [name]: next, truth, count: grown };
      moves.push({ label: `${name}: ${label}`, world: changed });
    };
    const isOwner = this.#owns(world, name);
    const isRoom = count < this.#scenario.records;
    if (isOwner && !isAtWork) add("a role starts", { ...side, isAtWork: true });
    if (isAtWork) add("the role ends", { ...side, isAtWork: false });
    if (isOwner && isRoom) {
      const record = `h${count}${name}`;
      const longer = { ...home, human: [...home.human, record] };
      add("a person decides", { ...side, home: longer }, true);
    }
    if (isAtWork && isRoom) {
      const record = `w${count}${name}`;
      const longer = { ...home, work: [...home.work, record] };
      add("the role records", { ...side, home: longer }, true);
    }
    const theirs = world[otherOf(name)].home;
    if (home.place.mirrors !== true || theirs === undefined) return moves;
    if (!["same", "behind"].includes(compareFiles(home, theirs))) return moves;
    add("human.log is mirrored", { ...side, home: { ...home, human: theirs.human } });
    add("the role logs are mirrored", { ...side, home: { ...home, work: theirs.work } });
    return moves;
  }

  /** A mover looks at what it can reach, and decides on a step. */
  #looks(world: World): readonly Move[] {
    if (world.pending.length >= this.#scenario.pending) return [];
    const isForced = this.#scenario.hasForce === true ? [false, true] : [false];
    return SIDES.flatMap((to) =>
      (["both", "a", "b"] as const).flatMap((seen) =>
        isForced.flatMap((force) => {
          const next = this.#decided(world, { to, seen, force });
          const label = `move to ${to}${force ? " --force" : ""}, seeing ${seen}`;
          return next === undefined ? [] : [{ ...next, label: `${label}: ${next.label}` }];
        }),
      ),
    );
  }

  #decided(world: World, command: Command): Move | undefined {
    const id = `i${world.ids + 1}`;
    const step = this.#next(world, command, id);
    this.#steps.add(step.kind);
    if (step.kind === "done" || step.kind === "refuse") return undefined;
    const isNew = JSON.stringify(step).includes(`"${id}"`);
    if (isNew && world.ids >= this.#scenario.moves) return undefined;
    const pending = pendingOf(world, step, command.force);
    const all = [...world.pending, pending].map((one) => JSON.stringify(one));
    if (new Set(all).size < all.length) return undefined;
    const ids = isNew ? world.ids + 1 : world.ids;
    return { label: step.kind, world: { ...world, ids, pending: [...world.pending, pending] } };
  }

  #next(world: World, { to, seen, force }: Command, id: string): HandoverStep {
    const from = otherOf(to);
    const side = (name: SideName) => {
      const isKept = name === "a" || this.#scenario.isBKept;
      return findSide(name, world[name], { isKept, isSeen: seen === "both" || seen === name });
    };
    const ours = world[to].home;
    const theirs = world[from].home;
    const isCompared = seen === "both" && ours !== undefined && theirs !== undefined;
    const files = isCompared ? compareFiles(ours, theirs) : undefined;
    const move: Handover = { from: side(from), to: side(to), files, id, isForced: force };
    return this.#rules.next(move);
  }

  /** A step that was decided on is done, or in part, or gets lost. */
  #landings(world: World, pending: Pending): readonly Move[] {
    const { kind } = pending.step;
    const rest = { ...world, pending: world.pending.filter((one) => one !== pending) };
    const whole = this.#landed(rest, pending, false);
    const isInParts = kind === "send" || kind === "check";
    const part = isInParts ? this.#landed(rest, pending, true) : rest;
    return [
      { label: `${kind} gets lost`, world: rest },
      { label: `${kind} is done`, world: whole },
      { label: `${kind} is done in part`, world: part },
    ];
  }

  #landed(world: World, pending: Pending, isPart: boolean): World {
    const { step, generation } = pending;
    const at = step.at === "a" ? "a" : "b";
    const side = world[at];
    if (side.generation !== generation) return world;
    const sent = "id" in step ? side.sent.find(({ id }) => id === step.id)?.files : undefined;
    const relation =
      sent?.human === undefined || sent.work === undefined || side.home === undefined
        ? undefined
        : compareFiles({ human: sent.human, work: sent.work }, side.home);
    const isKept = at === "a" || this.#scenario.isBKept;
    // A place is destroyed from outside: nothing there is asked.
    const isDue =
      step.kind === "destroy" ||
      this.#rules.isDue(step, findSide(at, side, { isKept, isSeen: true }), relation);
    if (!isDue) return world;
    const { replacing } = this.#rules;
    return land(world, at, { pending, isPart, replacing });
  }

  #vanishing(world: World): readonly Move[] {
    if (this.#scenario.mayVanish !== true || world.b.isGone || world.isLost) return [];
    const b = { ...NONE, generation: world.b.generation, isGone: true };
    return [{ label: "b vanishes", world: { ...world, b, isLost: true } }];
  }

  #judge(world: World): Broken | undefined {
    return this.#judgeSides(world) ?? this.#judgeMending(world);
  }

  #judgeSides(world: World): Broken | undefined {
    const owners = SIDES.filter((name) => this.#owns(world, name));
    if (owners.length === 2 && !world.isForced) {
      return { invariant: "M1", what: "both sides may write" };
    }
    for (const name of SIDES) {
      const { home, isAtWork } = world[name];
      if (home === undefined) continue;
      if (isAtWork && !owners.includes(name)) {
        return { invariant: "M2", what: `a role works at ${name}, which may not be written` };
      }
      const lines = [...home.human, ...home.work];
      if (new Set(lines).size < lines.length) {
        return { invariant: "M3", what: `${name} has a record twice` };
      }
      const isAll = compareFiles(home, world.truth) === "same";
      if (owners.includes(name) && !isAll && !world.isForced) {
        return { invariant: "M3", what: `${name} owns the session and lacks records` };
      }
    }
    const isSaid = owners.length > 0 || world.isLost || SIDES.some((name) => says(world, name));
    return isSaid ? undefined : { invariant: "M4", what: "no side can say who is to own it" };
  }

  /** Once nothing is under way and all can be reached, a command for either side, run again, ends as it says. */
  #judgeMending(world: World): Broken | undefined {
    const { a, b, isForced, isLost, truth } = world;
    const key = JSON.stringify({ a, b, isForced, isLost, truth });
    if (this.#mended.has(key)) return this.#mended.get(key);
    const quiet = { ...world, pending: [] };
    const broken = this.#mend(quiet, "a") ?? this.#mend(quiet, "b");
    this.#mended.set(key, broken);
    return broken;
  }

  #mend(start: World, to: SideName): Broken | undefined {
    let world = start;
    for (let count = 0; count < STEPS_MAX; count += 1) {
      const force = world.isForced;
      const step = this.#next(world, { to, seen: "both", force }, `m${count}`);
      if (step.kind === "refuse") {
        // All that was known of the session was there.
        if (step.why === "gone" && world.isLost && isMirror(world.a)) return undefined;
        return { invariant: "M5", what: `the move to ${to} is refused: ${step.why}` };
      }
      if (step.kind === "done") return this.#judgeEnd(world, to);
      world = this.#landed(world, pendingOf(world, step, force), false);
    }
    return { invariant: "M5", what: `the move to ${to} never ends` };
  }

  #judgeEnd(world: World, to: SideName): Broken | undefined {
    const owners = SIDES.filter((name) => this.#owns(world, name));
    if (owners.join() !== to) {
      return { invariant: "M5", what: `the move to ${to} is done, and ${owners.join()} owns it` };
    }
    return this.#judgeSides(world);
  }
}

/** More than any move takes. */
const STEPS_MAX = 40;

interface Command {
  readonly to: SideName;
  readonly seen: "both" | SideName;
  readonly force: boolean;
}

function keyOf(world: World): string {
  return JSON.stringify(world);
}

function isMirror({ home }: Side): boolean {
  return home?.place.mirrors === true;
}

/** Whether a side without an owner has all records, and its last one says who is to own the session. */
function says({ truth, ...world }: World, name: SideName): boolean {
  const { home } = world[name];
  return (
    home !== undefined && compareFiles(home, truth) === "same" && movesOf(home.human).length > 0
  );
}

function pendingOf(world: World, step: HandoverAction, isForced: boolean): Pending {
  const { generation } = world[step.at === "a" ? "a" : "b"];
  const home = step.kind === "send" ? world[step.from === "a" ? "a" : "b"].home : undefined;
  const files: Files | undefined = home && { human: home.human, work: home.work };
  return { step, generation, files, isForced };
}
