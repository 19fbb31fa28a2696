import { randomUUID } from "node:crypto";
import { CannotGoOn, need } from "../../base/fatal.ts";
import { MIRROR_LOOK_MS, MOVE_STEPS_MAX } from "../../base/limits.ts";
import { shown } from "../../base/words/shown.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import type { FarPlace } from "../../fs-protocol/home/place-json.ts";
import {
  isLeaving,
  isOwnerHome,
  type HandoverAction,
  type HandoverFound,
  type HandoverRefusal,
  type HandoverSide,
} from "../../session/rules/handover.ts";
import { nextHandoverStep, type Handover } from "../../session/rules/handover-step.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import type { World } from "../../workspace/world.ts";
import { confirm } from "../confirm.ts";
import { agreeToLoss } from "../elsewhere/leave-place.ts";
import { PlaceHolds, type PlaceHoldsFacts } from "../elsewhere/place-holds.ts";
import { compareHomes } from "./compare-homes.ts";
import { withPrefixes } from "./digest-home.ts";
import { doStep } from "./do-step.ts";
import type { FarEnd } from "./far-end.ts";
import { lookAtSide, type SideLook } from "./look-at-side.ts";
import { lossWords, MoveRefused, stepWords } from "./move-words.ts";
import { movingNote, noteMoving } from "./moving-note.ts";
import { HERE, type OwnSide } from "./own-side.ts";
import { packHome } from "./pack-home.ts";
import { unpackHome } from "./unpack-home.ts";

/** A move, as a person asked for it. */
export interface Moving {
  readonly found: FoundSession;
  /** An executor, or `here`. */
  readonly to: string;
  /** Where the person wants it, if that is one move further. */
  readonly goal?: string;
  readonly far: FarEnd;
  readonly isForced: boolean;
  /** What may be lost is accepted without asking. */
  readonly isSure: boolean;
}

/** How a move ended. */
export interface MoveEnded {
  /** A place that was left, and could not be reached. */
  readonly unfinished: string | undefined;
  /** What was found at the far side last. */
  readonly far: HandoverFound;
  /** Why the place that was left stays. */
  readonly stays?: PlaceHoldsFacts;
}

/**
 * Moves a session: looks at both sides, does the one step that is next at its side, and looks again, until the side that
 * was asked for owns it. Killed anywhere, the same call goes on. The caller holds the lease of the mirror here.
 */
export async function moveSession(world: World, moving: Moving): Promise<MoveEnded> {
  const mover = new Mover(world, moving);
  for (let steps = 0; steps < MOVE_STEPS_MAX; steps += 1) {
    const handover = await mover.look();
    const step = nextHandoverStep(handover);
    if (step.kind === "done") return { unfinished: step.unfinished, far: mover.farOf(handover) };
    if (step.kind === "refuse") {
      await mover.insist(handover, step);
      continue;
    }
    const stays = step.kind === "destroy" ? await mover.holds(handover) : undefined;
    if (stays !== undefined && moving.to !== HERE) throw new CannotGoOn(PlaceHolds(stays));
    if (stays !== undefined) return { unfinished: undefined, far: mover.farOf(handover), stays };
    world.tell(`${stepWords(step, moving.found.session.id)}.`);
    const isDone = await mover.act(step);
    if (!isDone) await world.host.clock.sleep(MIRROR_LOOK_MS);
  }
  throw mover.refused({ kind: "refuse", at: HERE, why: "no-home" }, "busy");
}

/**
 * Says what a move would do first, and what it would come to, by looking at both sides. Throws what it would refuse.
 */
export async function previewMove(world: World, moving: Moving): Promise<string> {
  const mover = new Mover(world, moving);
  const step = nextHandoverStep(await mover.look());
  const { id } = moving.found.session;
  const to = moving.to === HERE ? "here" : `to ${shown(moving.to)}`;
  if (step.kind === "done") return `wisp would do nothing: ${id} has moved ${to} already.`;
  if (step.kind === "refuse") throw mover.refused(step);
  return (
    `wisp would move ${id} ${to}: end its processes, send its commits, its files and what is not committed, ` +
    `and go on there. First step: ${stepWords(step, id)}.`
  );
}

const LOST: SideLook = { found: { kind: "unreachable" }, files: [] };

class Mover {
  readonly #world: World;
  readonly #moving: Moving;
  readonly #side: OwnSide;
  #isForced = false;
  /** The far side could not be reached, and the person accepts what that may lose: it counts as lost until the end. */
  #isLost = false;

  constructor(world: World, moving: Moving) {
    this.#world = world;
    this.#moving = moving;
    const { home, session } = moving.found;
    const { id, repository } = session;
    this.#side = { name: HERE, isKept: true, id, repository, home };
  }

  async look(): Promise<Handover> {
    const { far, to } = this.#moving;
    const ours = await lookAtSide(this.#world.host, this.#side, []);
    const theirs = this.#isLost ? LOST : await far.look(ours.files);
    const here: HandoverSide = { name: HERE, isKept: true, found: ours.found };
    const there: HandoverSide = { name: far.executor.name, isKept: false, found: theirs.found };
    const isHere = to === HERE;
    const sides = isHere ? { from: there, to: here } : { from: here, to: there };
    const isBoth = ours.found.kind === "home" && theirs.found.kind === "home";
    const mine = withPrefixes(this.#side.home.directory, ours.files, theirs.files);
    const [one, other] = isHere ? [mine, theirs.files] : [theirs.files, mine];
    const decides = decider(sides.to, sides.from);
    const files = isBoth ? compareHomes({ one, other, decides }) : undefined;
    return { ...sides, files, id: randomUUID(), isForced: this.#isForced };
  }

  farOf({ from, to }: Handover): HandoverFound {
    return this.#moving.to === HERE ? from.found : to.found;
  }

  /** After a refusal, goes on by force if that helps and the person accepts what may be lost. */
  async insist(handover: Handover, refused: HandoverRefusal): Promise<void> {
    const { isForced, isSure, found, to } = this.#moving;
    const isHelped = nextHandoverStep({ ...handover, isForced: true }).kind !== "refuse";
    if (!isForced || this.#isForced || !isHelped) throw this.refused(refused);
    const { id } = found.session;
    this.#world.tell(lossWords({ session: id, to, ...refused }));
    const command = `wisp move ${shellWord(id)} ${shellWord(to)} --force --yes`;
    need(await confirm(this.#world, { isSure, question: "Go on? [y/N] ", command }));
    this.#isForced = true;
    // Each look would wait for an answer again.
    this.#isLost = refused.why === "unreachable";
  }

  /** Why the place cannot be removed; undefined if it can, or if the person accepts what that loses. */
  async holds({ from, to: target }: Handover): Promise<PlaceHoldsFacts | undefined> {
    const { far, found, to, goal, isForced, isSure } = this.#moving;
    // Whoever took the session from a place by force accepted the loss of what only that place had.
    const held = await far.clear(lastTold(from) === lastTold(target));
    const { name: executor } = far.executor;
    if (held === undefined)
      throw this.refused({ kind: "refuse", at: executor, why: "unreachable" });
    if (held.length === 0) return undefined;
    const session = found.session.id;
    const again = `wisp move ${shellWord(session)} ${shellWord(goal ?? to)}`;
    const byForce = `wisp move ${shellWord(session)} ${shellWord(to)} --force`;
    const facts = { session, executor, held, again, byForce };
    if (!isForced) return facts;
    await agreeToLoss(this.#world, held, { isSure, command: `${byForce} --yes` });
    return undefined;
  }

  refused({ at, why }: HandoverRefusal, instead?: "busy"): CannotGoOn {
    const { found, to, goal } = this.#moving;
    const session = found.session.id;
    return new CannotGoOn(MoveRefused({ session, to, goal, at, why: instead ?? why }));
  }

  /** Does a step at its side; whether it was due. */
  async act(step: HandoverAction): Promise<boolean> {
    const { far } = this.#moving;
    const isHere = step.at === HERE;
    switch (step.kind) {
      case "create":
        await far.create();
        return true;
      case "destroy":
        await far.destroy();
        this.#forgetPlace();
        return true;
      case "send":
        return isHere ? this.#fetch(step.id) : this.#send(step.id);
      default: {
        const mirrors = this.#mirrorsOf(isHere);
        if (isHere) return doStep(this.#world, this.#side, { step, mirrors });
        if (step.kind === "stop-roles") await far.endKeeper();
        return isDone(await far.ask({ kind: "step", step, mirrors }));
      }
    }
  }

  /** The place that a side mirrors when it is left. */
  #mirrorsOf(isHere: boolean): FarPlace {
    const { far, found } = this.#moving;
    const { name } = far.executor;
    const { place } = far;
    if (!isHere || place === undefined) {
      return { executor: HERE, id: HERE, root: found.session.repository };
    }
    return { executor: name, ...place };
  }

  async #send(move: string): Promise<boolean> {
    const { far } = this.#moving;
    const packed = await packHome(this.#world, this.#side, move);
    if (packed === undefined) return false;
    const path = await far.put(packed);
    need(this.#world.host.files.remove(packed));
    return isDone(await far.ask({ kind: "unpack", id: move, path }));
  }

  async #fetch(move: string): Promise<boolean> {
    const { far } = this.#moving;
    const answer = await far.ask({ kind: "pack", id: move });
    if (answer?.kind !== "packed" || answer.path === undefined) return false;
    const path = await far.get(answer.path);
    return unpackHome(this.#world, this.#side, { move, path });
  }

  /** A place that is made later has another name: whatever comes late for this one does not reach it. */
  #forgetPlace(): void {
    const { files } = this.#world.host;
    const { home } = this.#moving.found;
    if (movingNote(files, home) !== undefined) noteMoving(files, home, undefined);
  }
}

function isDone(answer: { readonly kind: string; readonly isDone?: boolean } | undefined): boolean {
  return answer?.isDone === true;
}

/** The side whose files count: the owner, or the one that gave the session away last. */
function decider(one: HandoverSide, other: HandoverSide): "one" | "other" | undefined {
  if (isDeciding(one)) return "one";
  if (isDeciding(other)) return "other";
  const to = lastTo(one) ?? lastTo(other);
  if (to === undefined) return undefined;
  return to === one.name ? "other" : "one";
}

function isDeciding({ name, found }: HandoverSide): boolean {
  return found.kind === "home" && (isOwnerHome(found) || isLeaving(name, found));
}

/** The id of the last move that a side knows of. */
function lastTold({ found }: HandoverSide): string | undefined {
  return found.kind === "home" ? found.moves.at(-1)?.id : undefined;
}

function lastTo({ found }: HandoverSide): string | undefined {
  return found.kind === "home" ? found.moves.at(-1)?.to : undefined;
}
