import { join } from "node:path";
import { VERIFY_TREES_MAX } from "../../base/limits.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";

/** The absolute paths of a tree and of everything that belongs to it; they never change. */
export interface TreePlace {
  /** Counted from 1. */
  readonly number: number;
  /** The folder of the commit's files. */
  readonly tree: string;
  /** The lease of the tree's present user. */
  readonly lock: string;
  /** The recorded state of the tree; outside the tree, where no command of the project can write. */
  readonly state: string;
  /** Home and temporary folder, emptied before each use. */
  readonly home: string;
  readonly temporary: string;
  /** Package caches that runs fill, emptied before each use. */
  readonly runCaches: string;
  /** Package caches that only setup fills. */
  readonly setupCaches: string;
  /** Whether commands in it get nothing that is named after wisp. */
  readonly isNeutral?: boolean | undefined;
}

/**
 * The folder of all trees of a session. A revision shares its parent's trees, as it shares the parent's clones.
 */
export function treesDirectory({ state, parent }: Pick<SessionJson, "state" | "parent">): string {
  return join(parent?.state ?? state, "verify");
}

/** The tops of all trees that a session may have: what is in one was made from a commit alone. */
export function treeTops(session: Pick<SessionJson, "state" | "parent">): readonly string[] {
  const numbers = Array.from({ length: VERIFY_TREES_MAX }, (_, index) => index + 1);
  return numbers.map((number) => treePlace(session, number).tree);
}

/** The paths of one tree. */
export function treePlace(
  session: Pick<SessionJson, "state" | "parent">,
  number: number,
): TreePlace {
  const directory = join(treesDirectory(session), String(number));
  return {
    number,
    tree: join(directory, "tree"),
    lock: join(treesDirectory(session), `${String(number)}.lock`),
    state: join(directory, "setup.json"),
    home: join(directory, "home"),
    temporary: join(directory, "tmp"),
    runCaches: join(directory, "run-caches"),
    setupCaches: join(directory, "setup-caches"),
  };
}
