import type { Role } from "../../base/role.ts";
import type { SupervisorRecord } from "../../fs-protocol/records/supervisor-log.ts";

/** The fold of `supervisor.log`. */
export interface SupervisorFold {
  /** Roles in a crash loop, with the reason, until a later lease of the role. */
  readonly failed: ReadonlyMap<Role, string>;
  /** How often any role has been given up. */
  readonly failures: number;
  /** Whether a supervisor was ever started. */
  readonly hasStarted: boolean;
  /** Keys of the notices that a person was given; used only to give each notice once. */
  readonly notified: ReadonlySet<string>;
  readonly lastEnd: { readonly code: number; readonly reason: string } | undefined;
}

export const EMPTY_SUPERVISOR: SupervisorFold = {
  failed: new Map(),
  failures: 0,
  hasStarted: false,
  notified: new Set(),
  lastEnd: undefined,
};

/** Applies one record of `supervisor.log`. */
export function foldSupervisor(fold: SupervisorFold, record: SupervisorRecord): SupervisorFold {
  switch (record.kind) {
    case "role.failed":
      return {
        ...fold,
        failed: new Map(fold.failed).set(record.role, record.reason),
        failures: fold.failures + 1,
      };
    case "lease":
      if (!fold.failed.has(record.role)) return fold;
      return {
        ...fold,
        failed: new Map([...fold.failed].filter(([role]) => role !== record.role)),
      };
    case "supervisor.start":
      return { ...fold, hasStarted: true, lastEnd: undefined };
    case "supervisor.end":
      return { ...fold, lastEnd: { code: record.code, reason: record.reason } };
    case "notice":
      return { ...fold, notified: new Set([...fold.notified, record.about]) };
    default:
      return fold;
  }
}
