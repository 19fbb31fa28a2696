import type { Clock } from "../base/clock.ts";
import type { Files } from "../base/files.ts";
import type { Locks } from "../base/locks.ts";
import type { Processes } from "../base/processes.ts";
import type { Clone, Hub } from "../base/repo.ts";
import type { Role } from "../base/role.ts";
import type { Watcher } from "../base/watcher.ts";
import type { Engine } from "../engines/engine.ts";
import type { BuilderRecord } from "../fs-protocol/builder-log.ts";
import type { Home } from "../fs-protocol/home.ts";
import type { PlannerRecord } from "../fs-protocol/planner-log.ts";
import type { ReviewerRecord } from "../fs-protocol/reviewer-log.ts";
import type { SessionJson } from "../fs-protocol/session-json.ts";
import type { TesterRecord } from "../fs-protocol/tester-log.ts";
import type { Journal } from "./journal.ts";
import type { Templates } from "./templates.ts";

/** The machine behind its ports. */
export interface Ports {
  readonly files: Files;
  readonly clock: Clock;
  readonly watcher: Watcher;
  readonly processes: Processes;
  readonly locks: Locks;
}

/** What each role writes into its journal. */
export interface RecordOf {
  readonly planner: PlannerRecord;
  readonly builder: BuilderRecord;
  readonly reviewer: ReviewerRecord;
  readonly tester: TesterRecord;
}

/** Everything a role's process has; made once, when its lease is taken. */
export interface RoleContext<R extends Role = Role> {
  readonly role: R;
  readonly home: Home;
  readonly session: SessionJson;
  readonly ports: Ports;
  readonly hub: Hub;
  /** The role's clone, made when first asked for. */
  readonly clone: () => Promise<Clone>;
  readonly engine: Engine;
  readonly journal: Journal<RecordOf[R]>;
  readonly templates: Templates;
  /** Environment of what wisp runs: engines, setup, verify. */
  readonly env: Readonly<Record<string, string>>;
  readonly pid: number;
  /** Aborted when the process was asked to stop. */
  readonly signal: AbortSignal;
  /** In [0, 1): jitter. */
  readonly random: () => number;
}

/** Marks everything that a role runs, the same across its restarts. */
export function runIdOf(home: Home, role: Role): string {
  return `${home.directory}#${role}`;
}
