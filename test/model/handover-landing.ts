import type { HandoverAction } from "../../src/session/rules/handover.ts";
import {
  filesOf,
  isWhole,
  movedLine,
  type Pending,
  type Placed,
  type Side,
  type SideName,
  type World,
} from "./handover-world.ts";

/** How files are replaced; `inPlace` is a planted mistake: a file is emptied, then written. */
export type Replacing = "whole" | "inPlace";

/** A step as it is done at its side. `isPart`: killed after the first file. */
export interface Landing {
  readonly pending: Pending;
  readonly isPart: boolean;
  readonly replacing: Replacing;
}

/** The world after a step was done. */
export function land(world: World, at: SideName, landing: Landing): World {
  const { step } = landing.pending;
  const side = changed(world[at], landing);
  const next = { ...world, [at]: side };
  if (step.kind !== "append-moved" || side.home === undefined) return next;
  const isForced = world.isForced || (landing.pending.isForced && step.record.to === at);
  return { ...next, isForced, truth: filesOf(side.home) };
}

function changed(side: Side, landing: Landing): Side {
  const { step, generation } = landing.pending;
  switch (step.kind) {
    case "create":
      return { ...side, generation: generation + 1, isGone: false };
    case "destroy":
      return { ...side, isGone: true, home: undefined, sent: [], isAtWork: false };
    case "stop-roles":
      return { ...side, isAtWork: false };
    case "send":
      return received(side, step.id, landing);
    case "check":
      return takenIn(side, step.id, landing);
    default:
      return { ...side, home: noted(side.home, step) };
  }
}

function received(side: Side, id: string, { pending: { files }, isPart }: Landing): Side {
  if (files === undefined) return side;
  const { human } = files;
  const before = side.sent.find((one) => one.id === id)?.files ?? {};
  const now = isPart ? { ...before, human } : files;
  const others = side.sent.filter((one) => one.id !== id);
  return { ...side, sent: [...others, { id, files: now }] };
}

function takenIn(side: Side, id: string, { isPart, replacing }: Landing): Side {
  const files = side.sent.find((one) => one.id === id)?.files;
  if (files === undefined || !isWhole(files)) return side;
  const { work = [], place = {} } = side.home ?? {};
  if (!isPart) {
    const sent = side.sent.filter((one) => one.id !== id);
    return { ...side, sent, home: { ...files, place } };
  }
  const human = replacing === "whole" ? files.human : files.human.slice(0, 1);
  return { ...side, home: { human, work, place } };
}

type Noting = Extract<HandoverAction, { readonly kind: "append-moved" | "mirror-back" | "own" }>;

function noted(home: Side["home"], step: Noting): Side["home"] {
  if (home === undefined) return undefined;
  const place = (next: Placed) => ({ ...home, place: next });
  switch (step.kind) {
    case "append-moved":
      return { ...home, human: [...home.human, movedLine(step.record)] };
    case "mirror-back":
      return place({ ...home.place, mirrors: true });
    case "own":
      return place({ moved: step.id });
  }
}
