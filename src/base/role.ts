/** The four roles, in the order in which people read them. */
export const ROLES = ["planner", "builder", "reviewer", "tester"] as const;
export type Role = (typeof ROLES)[number];

/** One value for each role. */
export type PerRole<T> = Readonly<Record<Role, T>>;

/** Makes one value for each role, in their order. */
export function perRole<T>(make: (role: Role) => T): PerRole<T> {
  return {
    planner: make("planner"),
    builder: make("builder"),
    reviewer: make("reviewer"),
    tester: make("tester"),
  };
}

/** The logs of records of a session, in the order in which people name them. */
export const LOG_NAMES = [...ROLES, "supervisor", "human"] as const;
export type LogName = (typeof LOG_NAMES)[number];

/** Whether a log is that of a role. */
export function isRole(log: LogName): log is Role {
  return log !== "supervisor" && log !== "human";
}
