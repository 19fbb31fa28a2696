import type { Oid } from "../base/oid.ts";
import type { CommandRunner } from "./run-in-order.ts";

/** What a verdict depends on besides its command: it counts only for the same tree and the same setup. */
export interface TreeFacts {
  readonly tree: Oid;
  /** Key of the setup that the commit needs. */
  readonly setup: string;
}

/** The tests of a commit, with what runs them, to overlay on a tree. */
export interface OldTests {
  readonly from: Oid;
  /** Files to restore from that commit: tests, and what runs them. */
  readonly paths: readonly string[];
  /** Files to remove from the tree: new tests, and new files that change what runs. */
  readonly removed?: readonly string[] | undefined;
  /** Files that stay, rewritten to contain the test commands that they had at that commit: texts by path. */
  readonly commands: ReadonlyMap<string, string>;
}

/** A requested tree: a commit, and tests of another commit to overlay on it. */
export interface WantedTree {
  readonly at: Oid;
  readonly tests?: OldTests | undefined;
  /**
   * Name of the output file in `logs/turns/`, without extension. It begins with the hash of the tree, the
   * commit and the key of its setup, and the build writes to it. Without a name, no heading is written.
   */
  readonly output?: string | undefined;
  /**
   * A word that nobody can know beforehand: the tree is made anew at a path with this name, where neither a path nor a
   * variable is named after wisp, and removed afterwards.
   */
  readonly neutral?: string | undefined;
  /** Whether its build, and what runs in it, get `CI=true`. Absent: as the session says, and the look at its base. */
  readonly hasCi?: boolean | undefined;
}

/** A tree that holds exactly a commit, set up and built, for the time of one use. */
export interface VerifyTree {
  readonly directory: string;
  /** Runs one command in the tree. */
  readonly run: CommandRunner;
}

/**
 * A tree that could not be prepared. A failed `setup` proves nothing about the commit, since a network may be
 * down; a failed build is the commit's fault.
 */
export interface Unready {
  readonly kind: "unready";
  readonly stage: "tree" | "setup" | "tests" | "build";
  readonly reason: string;
  /** The output is in `logs/turns/<output>.out`; undefined if there was none. */
  readonly output: string | undefined;
}

export type TreeEnd<T> =
  { readonly kind: "done"; readonly value: T } | { readonly kind: "stopped" } | Unready;

/**
 * The trees in which wisp runs commands that decide: verify, old tests, the commands of bugs. Engines never
 * write there, and no run reads what another wrote.
 */
export interface VerifyTrees {
  /**
   * The facts under which results for a commit are recorded. The tester's own commits exist only in its clone.
   */
  factsAt(at: Oid): Promise<TreeFacts>;
  /** Runs `work` in a tree that nobody else uses meanwhile. Waits for one if all are in use. */
  use<T>(wanted: WantedTree, work: (tree: VerifyTree) => Promise<T>): Promise<TreeEnd<T>>;
}
