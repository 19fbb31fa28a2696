import { z } from "zod";
import { NonEmpty, PositiveInt } from "../../base/plain-values.ts";
import { lateObject } from "../../base/late-object.ts";

/** Commands as argument vectors, in order. */
export const Argvs = z.array(z.array(z.string()).min(1));

/**
 * The commands of a project that wisp runs, and what they run with: the only settings of a session that may change
 * after it has begun. Each value is whole: it replaces the one in `session.json`.
 */
export const CommandSettings = lateObject(() => ({
  /** Argument vectors, in order; empty: none. */
  setup: Argvs,
  build: Argvs,
  verify: Argvs,
  verifyTimeoutMs: PositiveInt,
  /** Names of the environment variables that all of them see, as in `commands.env`. */
  env: z.array(NonEmpty),
}));
export type CommandSettings = z.infer<typeof CommandSettings>;
