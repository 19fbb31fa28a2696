import type { Role } from "../../base/role.ts";

/** One value for each role. */
export type PerRole<T> = Readonly<Record<Role, T>>;

/** Makes one value for each role. */
export function perRole<T>(make: (role: Role) => T): PerRole<T> {
  return {
    planner: make("planner"),
    builder: make("builder"),
    reviewer: make("reviewer"),
    tester: make("tester"),
  };
}
