import { z } from "zod";

/** The four roles, in the order in which people read them. */
export const ROLES = ["planner", "builder", "reviewer", "tester"] as const;
export const Role = z.enum(ROLES);
export type Role = z.infer<typeof Role>;
