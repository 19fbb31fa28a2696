/** The four roles, in the order in which they are shown. */
export const ROLES = ["planner", "builder", "reviewer", "tester"] as const;
export type Role = (typeof ROLES)[number];

/** One value per role. */
export type PerRole<T> = Readonly<Record<Role, T>>;

/** Makes one value per role, in their order. */
export function perRole<T>(make: (role: Role) => T): PerRole<T> {
  return {
    planner: make("planner"),
    builder: make("builder"),
    reviewer: make("reviewer"),
    tester: make("tester"),
  };
}

/** A session's logs of records, in the order in which they are shown. */
export const LOG_NAMES = [...ROLES, "supervisor", "human"] as const;
export type LogName = (typeof LOG_NAMES)[number];

/** Whether a log is that of a role. */
export function isRole(log: LogName): log is Role {
  return log !== "supervisor" && log !== "human";
}
