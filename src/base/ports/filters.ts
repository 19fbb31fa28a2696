import type { Oid } from "../oid.ts";

/** The filters that git runs in the person's checkout, by their names. */
export interface FilterDrivers {
  /** All, wherever they are defined. */
  readonly defined: readonly string[];
  /** Those whose commands are the person's own, outside all repositories. */
  readonly ofPerson: readonly string[];
  /** The same, and those of the whole machine. */
  readonly ofMachine: readonly string[];
}

/** The commits that are about to be published. */
export interface UnfilteredRange {
  /** The session's base. */
  readonly base: Oid;
  /** The head of the branch that they come on top of. */
  readonly onto: Oid;
  readonly head: Oid;
  /** The tip of a remote's branch that they join: what it has is published there. */
  readonly brought?: Oid | undefined;
}

/** A file that a commit has without a filter that is to run on it. */
export interface UnfilteredPath {
  /** Not cleaned. */
  readonly path: string;
  readonly filter: string;
  readonly commit: Oid;
}
