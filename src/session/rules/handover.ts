import type { PlaceJson } from "../../fs-protocol/home/place-json.ts";
import type { Moved } from "../state/fold-human.ts";

/**
 * Who owns a session that moves from one machine to another, its two homes being the sides:
 *
 * - A side owns the session if its home is no mirror, and its `place.json` names the id of the last `moved` record of its
 *   own `human.log`; neither names one if the session never moved. Nobody writes to any other home.
 * - The owner ends all its processes and appends `moved`, which fences it. It is then _leaving_: all that it holds is
 *   fixed, and it alone still decides. It may stay the owner, if its `place.json` takes over that very id.
 * - What it holds is sent to the new side, put beside the home there, compared, and only then put in its place.
 * - The old side's `place.json` says that it mirrors the new side: from here on it does not decide any more. Only
 *   afterwards the `place.json` of the new side takes the id over, and makes it the owner.
 * - A place that was left is marked as a mirror, and destroyed if the owner has all of its records and its clones hold
 *   nothing that cannot be saved. It never owns a session again, so a destruction that comes late destroys nothing that is in use. A home of a person (`isKept`) is
 *   not destroyed, and may own the session again.
 *
 * Each step is done at one side, by a process that holds all leases of that home, and that asks `isHandoverDue` right
 * before: a step that was decided on what was true earlier, or that arrives late, is then not done.
 */

/** What decides whether a home may be written. */
export interface HandoverOwner {
  /** The last `moved` record of its `human.log`. */
  readonly lastMoved: Moved | undefined;
  /** Its `place.json`; undefined if there is none. */
  readonly place: Pick<PlaceJson, "moved" | "mirrors"> | undefined;
}

/** Whether processes may append to a home, start roles for it, and write to its repository's session branch. */
export function mayWriteHere({ lastMoved, place }: HandoverOwner): boolean {
  return place?.mirrors === undefined && place?.moved === lastMoved?.id;
}

/** A home as it is found at one side. */
export interface HandoverHome {
  /** All `moved` records of its `human.log`, oldest first. */
  readonly moves: readonly Moved[];
  readonly place: HandoverOwner["place"];
  /** Processes other than the asking one hold leases of it. */
  readonly isAtWork: boolean;
}

/** What is found at one side. `arrived`: the moves whose files all lie there beside the home, with the right digests. */
export type HandoverFound =
  /** Nothing is known of it now. */
  | { readonly kind: "unreachable" }
  /** The place does not exist, or not any more. */
  | { readonly kind: "gone" }
  /** The place exists and has no home yet. */
  | { readonly kind: "empty"; readonly arrived: readonly string[] }
  | ({ readonly kind: "home"; readonly arrived: readonly string[] } & HandoverHome);

/** One of the two places that a session moves between. */
export interface HandoverSide {
  /** As `to` of a `moved` record names it. */
  readonly name: string;
  /** The home of a person's repository, which is never destroyed, and not a place that was made for the session. */
  readonly isKept: boolean;
  readonly found: HandoverFound;
}

/**
 * What the files of one home have in comparison to those of another: the same, only a beginning of them (`behind`), all
 * of them and more (`ahead`), or each something that the other does not have.
 */
export type HandoverFiles = "same" | "behind" | "ahead" | "forked";

/**
 * How a side becomes the owner. `moved`: the session moved to it. `kept`: it was leaving, and stays. `forced`: the other
 * side is believed to be lost; it owns the session only once it has appended a `moved` record of its own.
 */
export type HandoverOwning = "moved" | "kept" | "forced";

/** A step of a move. Each has the same effect twice as once. `at` names the side at which it is done. */
export type HandoverAction =
  /** Makes the place, empty. */
  | { readonly kind: "create"; readonly at: string }
  /** Ends the supervisor, the roles and all others that hold a lease. */
  | { readonly kind: "stop-roles"; readonly at: string }
  /** Appends a `moved` record, if the last one still has the id `after`. */
  | {
      readonly kind: "append-moved";
      readonly at: string;
      readonly record: Moved;
      readonly after: string | undefined;
    }
  /** Puts all files of the side `from` beside the home at `at`, under the name of the move. */
  | { readonly kind: "send"; readonly at: string; readonly from: string; readonly id: string }
  /** Compares the digests of what was sent, and replaces each file of the home by it. */
  | {
      readonly kind: "check";
      readonly at: string;
      readonly id: string;
      /** The id of the last `moved` record of the home, if records that only it has may be lost. */
      readonly forcedAfter: string | undefined;
    }
  /**
   * Notes in `place.json` that the home mirrors the other side, if its last `moved` record still has the id `after`.
   * `isStale`: it believes to be the owner, but the other side was given the session by force.
   */
  | {
      readonly kind: "mirror-back";
      readonly at: string;
      readonly after: string | undefined;
      readonly isStale: boolean;
    }
  /** Writes `place.json` with this id in `moved` and without `mirrors`, if the last record still has the id `after`. */
  | {
      readonly kind: "own";
      readonly at: string;
      readonly id: string;
      readonly after: string | undefined;
      readonly how: HandoverOwning;
    }
  /** Destroys the place, and what is in it, for good. */
  | { readonly kind: "destroy"; readonly at: string };

/** Why a move cannot go on now. `at` names the side that it is about. */
export interface HandoverRefusal {
  readonly kind: "refuse";
  readonly at: string;
  readonly why:
    /** It cannot be reached, and may own the session. Try again; if it is lost for good, `--force` gives it up. */
    | "unreachable"
    /** It was to own the session, and no longer exists. What it recorded since is lost: `--force` accepts that. */
    | "gone"
    /** It has records that the owner does not have: `--force` gives them up. */
    | "holds-more"
    /** After `--force` at both sides, each believes to be the owner: `--force` at the side to keep decides. */
    | "two-owners"
    /** It is leaving for a third place: finish or undo that move first. */
    | "elsewhere"
    /** Neither side has a home of the session. */
    | "no-home";
}

/** The next step of a move. `unfinished` names a left side that could not be reached, and has to be tidied up later. */
export type HandoverStep =
  | HandoverAction
  | { readonly kind: "done"; readonly unfinished: string | undefined }
  | HandoverRefusal;

/** The last `moved` record of a home. */
export function lastMovedOf({ moves }: Pick<HandoverHome, "moves">): Moved | undefined {
  return moves.at(-1);
}

/** Whether a home owns the session. */
export function isOwnerHome(home: HandoverHome): boolean {
  return mayWriteHere({ lastMoved: lastMovedOf(home), place: home.place });
}

/**
 * Whether a side was the owner until its last record, which gives the session away, and still decides: the other side
 * cannot own the session before this one has noted that it mirrors it.
 */
export function isLeaving(name: string, { moves, place }: HandoverHome): boolean {
  const last = moves.at(-1);
  if (last === undefined || last.to === name || place?.mirrors !== undefined) return false;
  return place?.moved === moves.at(-2)?.id;
}

/** Whether taking over by force has begun at a home: it was given an id that no record names yet. */
export function isForcing({ moves, place }: HandoverHome): boolean {
  const own = place?.mirrors === undefined ? place?.moved : undefined;
  return own !== undefined && !moves.some(({ id }) => id === own);
}

/**
 * Whether a step may be done at a side, as a process there finds it under all leases of the home, right before.
 *
 * @param sent what the sent files have in comparison to those of the home, if they are all there
 */
export function isHandoverDue(
  step: HandoverAction,
  { name, isKept, found }: HandoverSide,
  sent?: HandoverFiles,
): boolean {
  if (step.kind === "create") return found.kind === "gone";
  if (found.kind === "empty") {
    return step.kind === "send" || (step.kind === "check" && found.arrived.includes(step.id));
  }
  if (found.kind !== "home") return false;
  const isLeft = !isKept && found.place?.mirrors !== undefined;
  const isOwner = isOwnerHome(found);
  const last = lastMovedOf(found);
  switch (step.kind) {
    case "stop-roles":
    case "send":
      return true;
    case "append-moved":
      if (found.isAtWork || last?.id !== step.after) return false;
      return isOwner || (isForcing(found) && found.place?.moved === step.record.id);
    case "check": {
      const isGivenUp = last !== undefined && last.id === step.forcedAfter;
      const isMore = sent === "ahead" || isGivenUp;
      return !isOwner && !isLeft && isMore && found.arrived.includes(step.id);
    }
    case "mirror-back":
      return last?.id === step.after && !found.isAtWork && isOwner === step.isStale;
    case "own":
      if (isOwner || isLeft || last?.id !== step.after) return false;
      if (step.how === "kept") return isLeaving(name, found) && last?.id === step.id;
      if (step.how === "forced") return !isLeaving(name, found);
      return last?.to === name && last.id === step.id;
    case "destroy":
      return isLeft;
  }
}
