/** A claim about a session that does not hold. */
export interface Wrong {
  /** `I1` … `I14` and `L1` … `L5` of the coordination, or a word of the simulation for what else must hold. */
  readonly invariant: string;
  readonly what: string;
}
