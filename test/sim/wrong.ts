/** An invariant of a session that is broken. */
export interface Wrong {
  /** `I1` … `I14` and `L1` … `L5` of coordination, or the simulation's own name for another invariant. */
  readonly invariant: string;
  readonly what: string;
}
