import type { Clock } from "../base/ports/clock.ts";
import type { Directories } from "../base/ports/directories.ts";
import type { FileFailure, Files } from "../base/ports/files.ts";
import { REVIEW_LANES_MAX, VERIFY_TREES_MAX } from "../base/limits.ts";
import type { Locks } from "../base/ports/locks.ts";
import type { Processes } from "../base/ports/processes.ts";
import type { Clone, Hub } from "../base/ports/repo.ts";
import type { Result } from "../base/result.ts";
import type { Role } from "../base/role.ts";
import type { Sandbox } from "../base/ports/sandbox.ts";
import type { Watcher } from "../base/ports/watcher.ts";
import type { Engine } from "../engines/engine.ts";
import type { Home } from "../fs-protocol/home/home.ts";
import type { RecordOfLog } from "../fs-protocol/home/logs.ts";
import type { SessionReader } from "../session/state/session-reader.ts";
import type { SessionJson } from "../fs-protocol/home/session-json.ts";
import type { ReviewersFailure } from "../settings/reviewers/read-reviewers.ts";
import type { Reviewer } from "../settings/reviewers/reviewer.ts";
import type { Journal } from "./journal.ts";
import type { MeanwhileWatch } from "./turn/meanwhile.ts";
import type { RoleSnapshots } from "../fs-protocol/home/role-snapshots.ts";
import type { Templates } from "./turn/templates.ts";
import type { VerifyTrees } from "./verify-trees.ts";

/** The ports through which a role uses its machine. */
export interface Ports {
  readonly files: Files;
  readonly directories: Pick<
    Directories,
    "removeTree" | "spaceAt" | "kindOf" | "entries" | "realPath"
  >;
  readonly clock: Clock;
  readonly watcher: Watcher;
  readonly processes: Processes;
  readonly locks: Locks;
}

/** The records of each role's journal. */
export type RecordOf = { readonly [R in Role]: RecordOfLog<R> };

/** What becomes of a role's clones while it has nothing to do. */
export interface ClonesWaiting {
  /** Whether its first clone may be there before its first unit. */
  readonly opensEarly: () => boolean;
  /** Removes those that are large and have nothing of their own. */
  readonly rest: () => Promise<void>;
}

/** Everything that a role's process works with; created once per process. */
export interface RoleContext<R extends Role = Role> {
  readonly role: R;
  readonly home: Home;
  /** Its commands are those that are in force by what `reader` has read. */
  readonly session: SessionJson;
  readonly ports: Ports;
  readonly hub: Hub;
  /**
   * The role's clone, created on the first call. Turns that run at the same time each have their own clone: `lane`
   * counts them from 0, the role's main clone. The others are repaired on the first call.
   */
  readonly clone: (lane?: number) => Promise<Clone>;
  /** The disk that clones take up while the role waits. Absent: its clone is opened early, and all stay. */
  readonly waiting?: ClonesWaiting | undefined;
  /** The trees in which wisp runs the commands that decide: verify, old tests, the commands of bugs. */
  readonly trees: VerifyTrees;
  /** The role's engines in order of preference: the first is used unless it is held. */
  readonly engines: readonly Engine[];
  /** Reads the session's files. */
  readonly reader: SessionReader;
  /** Where the role keeps what it computed from the logs, for its next process. Absent: nothing is kept. */
  readonly snapshots?: RoleSnapshots | undefined;
  readonly journal: Journal<RecordOf[R]>;
  readonly templates: Templates;
  /** Reads the reviewers from the user's files and the shipped ones, on every call. */
  readonly reviewers: () => Promise<Result<readonly Reviewer[], ReviewersFailure | FileFailure>>;
  /**
   * Confines commands that a model wrote or may have written: setup, verify, the commands of bugs. Engines have
   * their own. Absent: these commands are not confined.
   */
  readonly sandbox?: Sandbox | undefined;
  /** Environment of the programs that wisp runs: engines, setup, verify. */
  readonly env: Readonly<Record<string, string>>;
  /** Detects what unconfined turns change in the user's repository. Absent: a sandbox confines them. */
  readonly meanwhile?: MeanwhileWatch | undefined;
  readonly pid: number;
  /** Aborted when the process was asked to stop. */
  readonly signal: AbortSignal;
  /** In [0, 1), for jitter. */
  readonly random: () => number;
}

/**
 * The id that marks everything that a role runs; it stays the same when the role restarts. Each lane has an id of its
 * own, because the end of a turn ends every process with the turn's id.
 */
export function runIdOf(home: Home, role: Role, lane = 0): string {
  return lane === 0 ? `${home.directory}#${role}` : `${home.directory}#${role}+${String(lane)}`;
}

/** The id of what a role runs in a verify tree: the next process that uses the tree ends what still runs under it. */
export function treeRunId(home: Home, role: Role, tree: number): string {
  return `${home.directory}#${role}=${String(tree)}`;
}

/** All run ids of a role. */
export function runIdsOf(home: Home, role: Role): readonly string[] {
  const lanes = role === "reviewer" ? REVIEW_LANES_MAX : 1;
  return [
    ...Array.from({ length: lanes }, (_, lane) => runIdOf(home, role, lane)),
    // One more than there are in wisp's own folder: the neutral tree.
    ...Array.from({ length: VERIFY_TREES_MAX + 1 }, (_, index) => treeRunId(home, role, index + 1)),
  ];
}
