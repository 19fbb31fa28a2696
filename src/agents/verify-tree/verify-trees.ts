import type { Oid } from "../../base/oid.ts";
import type { CommandRunner } from "../work/run-in-order.ts";
import type { OldTests } from "../integrity/overlay-old-tests.ts";

/** What a verdict counts by, beside its command: another tree or another setup is another question. */
export interface TreeFacts {
  readonly tree: Oid;
  /** Key of the setup that the commit asks for. */
  readonly setup: string;
}

/** A tree that is wanted: a commit, and tests to lay over it as they were at another. */
export interface WantedTree {
  readonly at: Oid;
  readonly tests?: OldTests | undefined;
  /**
   * Of the file below `logs/turns/`, without ending, that begins with the hash of what is in the tree, the commit
   * and the key of its setup, and that its build writes to. Absent: nothing is said.
   */
  readonly output?: string | undefined;
}

/** A tree that holds exactly a commit, set up and built, for as long as it is lent. */
export interface VerifyTree {
  readonly directory: string;
  /** Runs one command in the tree. */
  readonly run: CommandRunner;
}

/** `setup` says nothing of the commit (a network may be down); a build that fails is the commit's. */
export interface Unready {
  readonly kind: "unready";
  readonly stage: "tree" | "setup" | "tests" | "build";
  readonly reason: string;
  /** What it printed is in `logs/turns/<output>.out`, where it printed something. */
  readonly output: string | undefined;
}

export type TreeEnd<T> =
  { readonly kind: "done"; readonly value: T } | { readonly kind: "stopped" } | Unready;

/**
 * The trees in which wisp runs what decides: verify, old tests, the commands of bugs. No engine writes there, and
 * what one run wrote no other reads.
 */
export interface VerifyTrees {
  /** What results of that commit are remembered by; the tester's own commits are in its clone alone. */
  factsAt(at: Oid): Promise<TreeFacts>;
  /** Has `work` done in a tree, which is nobody else's until it is done. Waits for one where all are in use. */
  use<T>(wanted: WantedTree, work: (tree: VerifyTree) => Promise<T>): Promise<TreeEnd<T>>;
}
