import type {
  HandoverAction,
  HandoverFiles,
  HandoverSide,
} from "../../src/session/rules/handover.ts";
import type { Moved } from "../../src/session/state/fold-human.ts";

/** The two sides of the model. */
export type SideName = "a" | "b";

/** The files of a home: the records of `human.log` and of the role logs, oldest first. */
export interface Files {
  readonly human: readonly string[];
  readonly work: readonly string[];
}

/** `place.json`. */
export interface Placed {
  readonly moved?: string | undefined;
  readonly mirrors?: boolean | undefined;
}

/** One side. */
export interface Side {
  /** Which place it is, counted from 1: a destroyed one is made anew. */
  readonly generation: number;
  readonly isGone: boolean;
  readonly home: (Files & { readonly place: Placed }) | undefined;
  /** What was sent, by the move. */
  readonly sent: readonly { readonly id: string; readonly files: Partial<Files> }[];
  /** A role runs. It looked whether it may when it started, and does not look again. */
  readonly isAtWork: boolean;
}

/** A step that a mover decided on, and that may be done at any later time, in part, or never. */
export interface Pending {
  readonly step: HandoverAction;
  readonly generation: number;
  /** What is sent, as it was when the step was decided on. */
  readonly files: Files | undefined;
  /** The command was given `--force`. */
  readonly isForced: boolean;
}

/** Everything that can be. */
export interface World {
  readonly a: Side;
  readonly b: Side;
  readonly pending: readonly Pending[];
  /** How many moves were begun. */
  readonly ids: number;
  /** How many records were appended. */
  readonly count: number;
  /** All records of whoever might write, in order: what no owner may lack. */
  readonly truth: Files;
  /** A step was taken that only `--force` allows. */
  readonly isForced: boolean;
  /** A place vanished without any mover. */
  readonly isLost: boolean;
}

const MARK = "moved ";

/** A `moved` record as a line of the log. */
export function movedLine({ to, id }: Moved): string {
  return `${MARK}${to} ${id}`;
}

/** The `moved` records of a log. */
export function movesOf(human: readonly string[]): readonly Moved[] {
  return human
    .filter((line) => line.startsWith(MARK))
    .map((line) => {
      const [, to = "", id = ""] = line.split(" ");
      return { to, id };
    });
}

/** The other side. */
export function otherOf(name: SideName): SideName {
  return name === "a" ? "b" : "a";
}

function isBeginning(one: readonly string[], other: readonly string[]): boolean {
  return one.every((line, index) => other[index] === line);
}

/** What the first has in comparison to the second. */
export function compareFiles(one: Files, other: Files): HandoverFiles {
  const isIn = isBeginning(one.human, other.human) && isBeginning(one.work, other.work);
  const isAround = isBeginning(other.human, one.human) && isBeginning(other.work, one.work);
  if (isIn) return isAround ? "same" : "behind";
  return isAround ? "ahead" : "forked";
}

const FAR = { executor: "other", id: "place", root: "/place" };

/** What somebody finds at a side. */
export function findSide(
  name: SideName,
  { isGone, home, sent, isAtWork }: Side,
  { isKept, isSeen }: { readonly isKept: boolean; readonly isSeen: boolean },
): HandoverSide {
  const arrived = sent.filter(({ files }) => isWhole(files)).map(({ id }) => id);
  if (!isSeen) return { name, isKept, found: { kind: "unreachable" } };
  if (isGone) return { name, isKept, found: { kind: "gone" } };
  if (home === undefined) return { name, isKept, found: { kind: "empty", arrived } };
  const { moved, mirrors } = home.place;
  const place = {
    ...(moved === undefined ? {} : { moved }),
    ...(mirrors === true ? { mirrors: FAR } : {}),
  };
  const moves = movesOf(home.human);
  return { name, isKept, found: { kind: "home", arrived, moves, place, isAtWork } };
}

/** Whether all files of a move have arrived. */
export function isWhole(files: Partial<Files>): files is Files {
  return files.human !== undefined && files.work !== undefined;
}

/** The files of a home, without its `place.json`. */
export function filesOf({ human, work }: Files): Files {
  return { human, work };
}
