import { join } from "node:path";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";

/** Where one tree is, and everything that belongs to it; absolute paths that never change. */
export interface TreePlace {
  /** From 1. */
  readonly number: number;
  /** The commit's files. */
  readonly tree: string;
  /** Who holds it has this lease. */
  readonly lock: string;
  /** What is known of what setup made: beside the tree, where no command of the project can write. */
  readonly state: string;
  /** Of each use alone; emptied before it. */
  readonly home: string;
  readonly temporary: string;
  /** Caches of packages that runs fill; emptied before each use. */
  readonly runCaches: string;
  /** Caches of packages that setup fills, and no run. */
  readonly setupCaches: string;
}

/** The folder of all trees of a session; a revision has those of its parent, whose clones it has as well. */
export function treesDirectory({ state, parent }: Pick<SessionJson, "state" | "parent">): string {
  return join(parent?.state ?? state, "verify");
}

/** The place of one of them. */
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
