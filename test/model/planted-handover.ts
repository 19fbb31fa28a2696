import type {
  HandoverAction,
  HandoverSide,
  HandoverStep,
} from "../../src/session/rules/handover.ts";
import { isLeaving, isOwnerHome, lastMovedOf } from "../../src/session/rules/handover.ts";
import type { Handover } from "../../src/session/rules/handover-step.ts";
import { SHIPPED, type HandoverRules } from "./handover.ts";
import type { HandoverName } from "./handover-scenarios.ts";

/** A naive rule about moves, and what it breaks in which world. */
export interface PlantedHandover {
  readonly rule: string;
  readonly scenario: HandoverName;
  readonly invariant: string;
  readonly rules: Partial<HandoverRules>;
}

type IsDue = HandoverRules["isDue"];

/** The shipped decision, but for the steps that a mistake replaces. */
function nextBut(change: (step: HandoverStep, move: Handover) => HandoverStep) {
  return (move: Handover) => change(SHIPPED.next(move), move);
}

/** A side does such a step whenever it is told to. */
function unasked(kind: HandoverAction["kind"]): IsDue {
  return (step, side, sent) =>
    (step.kind === kind && side.found.kind === "home") || SHIPPED.isDue(step, side, sent);
}

function unstopped({ found, ...side }: HandoverSide): HandoverSide {
  return { ...side, found: found.kind === "home" ? { ...found, isAtWork: false } : found };
}

function kept(side: HandoverSide): HandoverSide {
  return { ...side, isKept: true };
}

function isOwner({ found }: HandoverSide): boolean {
  return found.kind === "home" && isOwnerHome(found);
}

function isLeavingSide({ name, found }: HandoverSide): boolean {
  return found.kind === "home" && isLeaving(name, found);
}

function ownAt({ name, found }: HandoverSide, how: "moved" | "kept"): HandoverStep {
  const id = found.kind === "home" ? (lastMovedOf(found)?.id ?? "") : "";
  return { kind: "own", at: name, id, after: id, how };
}

export const PLANTED_HANDOVERS: readonly PlantedHandover[] = [
  {
    rule: "a home may be written if it is no mirror, whatever its last record of a move says",
    scenario: "place",
    invariant: "M5",
    rules: { mayWrite: ({ place }) => place?.mirrors === undefined },
  },
  {
    rule: "a home may be written if it has the right id, mirror or not",
    scenario: "startedThere",
    invariant: "M1",
    rules: { mayWrite: ({ lastMoved, place }) => place?.moved === lastMoved?.id },
  },
  {
    rule: "the session is given away while its roles work",
    scenario: "place",
    invariant: "M2",
    rules: {
      next: (move) => SHIPPED.next({ ...move, from: unstopped(move.from), to: unstopped(move.to) }),
      isDue: (step, side, sent) => SHIPPED.isDue(step, unstopped(side), sent),
    },
  },
  {
    rule: "a mover ends the roles, and does not hold their leases when it gives the session away",
    scenario: "place",
    invariant: "M2",
    rules: { isDue: (step, side, sent) => SHIPPED.isDue(step, unstopped(side), sent) },
  },
  {
    rule: "the old side gives up its say when any files have arrived, uncompared",
    scenario: "place",
    invariant: "M5",
    rules: {
      next: nextBut((step, { from, to }) => {
        const isSending = step.kind === "send" || step.kind === "check";
        if (!isSending || to.found.kind !== "home" || !isLeavingSide(from)) return step;
        const after = from.found.kind === "home" ? lastMovedOf(from.found)?.id : undefined;
        return { kind: "mirror-back", at: from.name, after, isStale: false };
      }),
    },
  },
  {
    rule: "the new side becomes the owner before the old one notes that it mirrors it",
    scenario: "place",
    invariant: "M1",
    rules: {
      next: nextBut((step, { from, to }) =>
        step.kind === "mirror-back" && isLeavingSide(from) && !isOwner(to)
          ? ownAt(to, "moved")
          : step,
      ),
    },
  },
  {
    rule: "the old side takes the session back although the new one may have become its owner",
    scenario: "place",
    invariant: "M3",
    rules: {
      next: nextBut((step, { to }) =>
        step.kind === "refuse" && step.why === "unreachable" && to.found.kind === "home"
          ? ownAt(to, "kept")
          : step,
      ),
      isDue: unasked("own"),
    },
  },
  {
    rule: "a side that cannot be reached counts as lost without --force",
    scenario: "startedThere",
    invariant: "M1",
    rules: { next: (move) => SHIPPED.next({ ...move, isForced: true }) },
  },
  {
    rule: "a late command to own the session is not asked whether it is still right",
    scenario: "homes",
    invariant: "M1",
    rules: { isDue: unasked("own") },
  },
  {
    rule: "a late command to give the session away is not asked whether it is still right",
    scenario: "place",
    invariant: "M2",
    rules: { isDue: unasked("append-moved") },
  },
  {
    rule: "a late command to mirror is not asked whether it is still right",
    scenario: "place",
    invariant: "M2",
    rules: { isDue: unasked("mirror-back") },
  },
  {
    rule: "files that were sent replace newer ones",
    scenario: "homes",
    invariant: "M5",
    rules: { isDue: unasked("check") },
  },
  {
    rule: "a file is emptied before it is written again",
    scenario: "place",
    invariant: "M3",
    rules: { replacing: "inPlace" },
  },
  {
    rule: "a mover that is begun again begins the move anew",
    scenario: "place",
    invariant: "M5",
    rules: {
      next: nextBut((step, { from, to, id }) => {
        if (step.kind !== "send" || from.found.kind !== "home") return step;
        const after = lastMovedOf(from.found)?.id;
        return { kind: "append-moved", at: from.name, record: { to: to.name, id }, after };
      }),
      isDue: unasked("append-moved"),
    },
  },
  {
    rule: "a move is done when the old side mirrors the new one",
    scenario: "place",
    invariant: "M5",
    rules: {
      next: nextBut((step) =>
        step.kind === "own" && step.how === "moved"
          ? { kind: "done", unfinished: undefined }
          : step,
      ),
    },
  },
  {
    rule: "a place is destroyed as soon as all it holds was taken, before the new side owns it",
    scenario: "startedThere",
    invariant: "M5",
    rules: {
      next: nextBut((step, { from, to }) =>
        step.kind === "mirror-back" && isLeavingSide(from) && !from.isKept && !isOwner(to)
          ? { kind: "destroy", at: from.name }
          : step,
      ),
    },
  },
  {
    rule: "a place that was left may own the session again",
    scenario: "startedThere",
    invariant: "M5",
    rules: {
      next: (move) =>
        SHIPPED.next(
          isOwner(move.to) ? move : { ...move, to: kept(move.to), from: kept(move.from) },
        ),
      isDue: (step, side, sent) => SHIPPED.isDue(step, kept(side), sent),
    },
  },
  {
    rule: "a side that was given up by force is never told",
    scenario: "force",
    invariant: "M5",
    rules: {
      next: nextBut((step, { from, to }) =>
        isOwner(from) && isOwner(to) ? { kind: "done", unfinished: undefined } : step,
      ),
    },
  },
];
