import type { Role } from "../../base/role.ts";
import type { SupervisorRecord } from "../../fs-protocol/records/supervisor-log.ts";

/** Everything that `supervisor.log` says, folded. */
export interface SupervisorFold {
  /** Roles in a crash loop, until a later lease lifts it. */
  readonly failed: ReadonlyMap<Role, string>;
  /** Whether there ever was one. */
  readonly hasStarted: boolean;
  /** What a person was told of, by its key: nothing else decides by it. */
  readonly notified: ReadonlySet<string>;
  readonly lastEnd: { readonly code: number; readonly reason: string } | undefined;
}

export const EMPTY_SUPERVISOR: SupervisorFold = {
  failed: new Map(),
  hasStarted: false,
  notified: new Set(),
  lastEnd: undefined,
};

/** One record of `supervisor.log`, applied. */
export function foldSupervisor(fold: SupervisorFold, record: SupervisorRecord): SupervisorFold {
  switch (record.kind) {
    case "role.failed":
      return { ...fold, failed: new Map(fold.failed).set(record.role, record.reason) };
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
