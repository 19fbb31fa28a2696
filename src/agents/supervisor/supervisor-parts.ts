import type { PerRole } from "../../base/role.ts";
import type { Home } from "../../fs-protocol/home/home.ts";
import type { SessionReader } from "../../session/state/session-reader.ts";
import type { SupervisorRecord } from "../../fs-protocol/records/supervisor-log.ts";
import type { Journal } from "../../work/journal.ts";
import type { Ports } from "../../work/role-context.ts";
import type { SharedFiles } from "../../home/shared-files.ts";
import type { WriteFence } from "../../home/write-fence.ts";
import type { Announcer } from "./announcer.ts";
import type { BudgetCall } from "./budget-call.ts";
import type { RoleProcess } from "./role-process.ts";
import type { Timing } from "./timing.ts";

/** What a supervisor works with. */
export interface SupervisorParts {
  readonly ports: Ports;
  readonly home: Home;
  readonly reader: SessionReader;
  /** Tells whether the home may be written. */
  readonly fence: WriteFence;
  readonly journal: Journal<SupervisorRecord>;
  /** The files that people's commands write, and every process restores. */
  readonly shared: SharedFiles;
  /** Forgets the known content of the supervisor's own files, because another supervisor may have written to them. */
  readonly forgetFiles: () => void;
  readonly processes: PerRole<RoleProcess>;
  readonly announcer: Announcer;
  readonly budgetCall: BudgetCall;
  /** The damage that only a person can repair, and the command for it; undefined if there is none. */
  readonly damage: () => string | undefined;
  /** There is nobody to ask: when everything waits for an answer, the supervision ends. */
  readonly noInput: boolean;
  readonly timing: Timing;
  /** Steady milliseconds. */
  readonly nowMs: () => number;
  readonly pid: number;
  /** The digest of its program. */
  readonly code: string | undefined;
  /** Called when something happened that the supervisor must react to. */
  readonly changed: () => void;
}
