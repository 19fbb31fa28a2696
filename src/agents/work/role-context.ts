import type { Clock } from "../../base/ports/clock.ts";
import type { Directories } from "../../base/ports/directories.ts";
import type { FileFailure, Files } from "../../base/ports/files.ts";
import { REVIEW_LANES_MAX, VERIFY_TREES_MAX } from "../../base/limits.ts";
import type { Locks } from "../../base/ports/locks.ts";
import type { Processes } from "../../base/ports/processes.ts";
import type { Clone, Hub } from "../../base/ports/repo.ts";
import type { Result } from "../../base/result.ts";
import type { Role } from "../../base/role.ts";
import type { Sandbox } from "../../base/ports/sandbox.ts";
import type { Watcher } from "../../base/ports/watcher.ts";
import type { Engine } from "../../engines/engine.ts";
import type { Home } from "../../fs-protocol/home/home.ts";
import type { RecordOfLog } from "../../fs-protocol/home/logs.ts";
import type { SessionReader } from "../../session/state/session-reader.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import type { ReviewersFailure } from "../../settings/reviewers/read-reviewers.ts";
import type { Reviewer } from "../../settings/reviewers/reviewer.ts";
import type { Journal } from "./journal.ts";
import type { MeanwhileWatch } from "../turn/meanwhile.ts";
import type { Templates } from "../turn/templates.ts";
import type { VerifyTrees } from "../verify-tree/verify-trees.ts";

/** The machine behind its ports. */
export interface Ports {
  readonly files: Files;
  readonly directories: Pick<Directories, "removeTree">;
  readonly clock: Clock;
  readonly watcher: Watcher;
  readonly processes: Processes;
  readonly locks: Locks;
}

/** What each role writes into its journal. */
export type RecordOf = { readonly [R in Role]: RecordOfLog<R> };

/** Everything a role's process has; made once, when its lease is taken. */
export interface RoleContext<R extends Role = Role> {
  readonly role: R;
  readonly home: Home;
  readonly session: SessionJson;
  readonly ports: Ports;
  readonly hub: Hub;
  /**
   * The role's clone, made when first asked for. Turns at the same time have each a clone of their own:
   * `lane` counts them from 0, the role's first; the others are mended when they are first asked for.
   */
  readonly clone: (lane?: number) => Promise<Clone>;
  /** Where wisp runs what decides: verify, old tests, the commands of bugs. */
  readonly trees: VerifyTrees;
  /** The first is used, unless it may not be asked for now. */
  readonly engines: readonly Engine[];
  /** Reads the session's files. */
  readonly reader: SessionReader;
  readonly journal: Journal<RecordOf[R]>;
  readonly templates: Templates;
  /** Who reviews, read anew: files of the user's and shipped ones. */
  readonly reviewers: () => Promise<Result<readonly Reviewer[], ReviewersFailure | FileFailure>>;
  /** Around what a model wrote or may have: setup, verify, the commands of bugs. Engines have their own. Absent: nothing is. */
  readonly sandbox?: Sandbox | undefined;
  /** Environment of what wisp runs: engines, setup, verify. */
  readonly env: Readonly<Record<string, string>>;
  /** Looks at what no sandbox keeps turns from changing. Absent: a sandbox does. */
  readonly meanwhile?: MeanwhileWatch | undefined;
  readonly pid: number;
  /** Aborted when the process was asked to stop. */
  readonly signal: AbortSignal;
  /** In [0, 1): jitter. */
  readonly random: () => number;
}

/**
 * Marks everything that a role runs, the same across its restarts. What is run at the same time in
 * another lane has a mark of its own: the end of a turn is the end of all that carries its mark.
 */
export function runIdOf(home: Home, role: Role, lane = 0): string {
  return lane === 0 ? `${home.directory}#${role}` : `${home.directory}#${role}+${String(lane)}`;
}

/** Marks what a role runs in a verify tree: who has the tree next ends what is left of it, whoever that is. */
export function treeRunId(home: Home, role: Role, tree: number): string {
  return `${home.directory}#${role}=${String(tree)}`;
}

/** All marks of a role. */
export function runIdsOf(home: Home, role: Role): readonly string[] {
  const lanes = role === "reviewer" ? REVIEW_LANES_MAX : 1;
  return [
    ...Array.from({ length: lanes }, (_, lane) => runIdOf(home, role, lane)),
    ...Array.from({ length: VERIFY_TREES_MAX }, (_, index) => treeRunId(home, role, index + 1)),
  ];
}
