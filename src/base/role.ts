/** The four roles, in the order in which people read them. */
export const ROLES = ["planner", "builder", "reviewer", "tester"] as const;
export type Role = (typeof ROLES)[number];

/** The logs of records of a session, in the order in which people name them. */
export const LOG_NAMES = [...ROLES, "supervisor", "human"] as const;
export type LogName = (typeof LOG_NAMES)[number];
