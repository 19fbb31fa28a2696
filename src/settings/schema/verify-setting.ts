import { z } from "zod";
import { KNOWN_RED_MAX } from "../../base/look-limits.ts";
import { COMMANDS, Commands, expectedOfCommands, type Argv } from "./argv.ts";

const NAMES = "a list of names of tests, as wisp prints them";
/** The commands that decide whether a commit is good, and the tests that are known to fail before any work. */
export interface VerifySetting {
  /** Undefined: wisp detects them. */
  readonly run?: readonly Argv[] | undefined;
  readonly knownRed: readonly string[];
}

const Detailed = z.strictObject(
  {
    run: Commands.optional().describe("The commands. Left out: detected."),
    knownRed: z
      .array(z.string({ error: NAMES }).min(1, { error: NAMES }), { error: NAMES })
      .max(KNOWN_RED_MAX, { error: `at most ${String(KNOWN_RED_MAX)} names` })
      .default([])
      .describe(
        "Tests that fail before any work, by the exact names that wisp prints: a base at which only these fail is no question.",
      ),
  },
  { error: "a command, or { run: a command, knownRed: names of tests }" },
);

/** Alternatives in one list, so that what is wrong with one of them is said of that one. */
export const Verify = z.union(
  [
    ...COMMANDS.map((form) => form.transform((run): VerifySetting => ({ run, knownRed: [] }))),
    Detailed,
  ],
  { error: (issue) => expectedOfCommands(issue.input) },
);
