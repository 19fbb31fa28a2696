import type { HandoverScenario } from "./handover.ts";

/** Small worlds in which sessions move. */
export const HANDOVERS = {
  /** There and back, to a place that is made for the session. */
  place: { isBKept: false, moves: 2, records: 1, pending: 2 },
  /** There, back, and there again. */
  placeAgain: { isBKept: false, moves: 3, records: 0, pending: 1 },
  /** More steps that come late. */
  late: { isBKept: false, moves: 1, records: 1, pending: 3 },
  /** Between two homes of people. */
  homes: { isBKept: true, moves: 2, records: 1, pending: 2 },
  /** Back from where it was started. */
  startedThere: { isBKept: false, isStartedThere: true, moves: 2, records: 1, pending: 2 },
  /** The place vanishes. */
  vanishing: { isBKept: false, mayVanish: true, moves: 1, records: 1, pending: 2 },
  /** A place is given up. */
  force: { isBKept: false, isStartedThere: true, hasForce: true, moves: 1, records: 1, pending: 2 },
  /** A home of a person is given up. */
  forceHomes: { isBKept: true, hasForce: true, moves: 2, records: 0, pending: 2 },
} as const satisfies Readonly<Record<string, HandoverScenario>>;

export type HandoverName = keyof typeof HANDOVERS;
