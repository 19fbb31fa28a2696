import { z } from "zod";

/** Schemas of values that many others contain: made once, because each costs a start some microseconds. */

export const NonEmpty = z.string().min(1);
export const PositiveInt = z.int().positive();
