import { z } from "zod";
import { ROLES } from "./choices.ts";

export const Role = z.enum(ROLES);
export type Role = z.infer<typeof Role>;
