import { z } from "zod";
import { Argv } from "./argv.ts";

const COMMAND_LINE = "{ command: [executable, arguments…] } or { acp: [executable, arguments…] }";
/** What the refinements say, for the published JSON Schema. */
const ONE_OF_THEM = [
  { required: ["command"], maxProperties: 1 },
  { required: ["acp"], not: { required: ["command"] } },
];

const WORD = "a word without NUL characters (numbers and true or false need quotes)";
/** A word of a command line or of a name. */
export const Word = z.string({ error: WORD }).regex(/^[^\0]{1,1000}$/u, { error: WORD });

/** An engine by name, or any executable that follows the contract of `command` or speaks ACP. */
export const EngineConfig = z
  .union(
    [
      z.string().min(1).describe("Name of an engine."),
      z
        .strictObject({
          command: Argv.optional().describe("Executable and arguments; the prompt comes on stdin."),
          acp: Argv.optional().describe(
            "Executable and arguments of an agent that speaks the Agent Client Protocol.",
          ),
          mode: Word.optional().describe(
            "Mode of the agent's sessions, by the id that it offers. Left out: `default`, if it offers that.",
          ),
        })
        .refine(({ command, acp }) => (command === undefined) !== (acp === undefined), {
          error: COMMAND_LINE,
          // A misspelled key is reported only as that.
          when: ({ issues }) => issues.length === 0,
        })
        .refine(({ acp, mode }) => mode === undefined || acp !== undefined, {
          error: "{ acp: [executable, arguments…], mode: word }",
          when: ({ issues }) => issues.length === 0,
        })
        .describe("Any executable that follows the contract of `command`, or that speaks ACP.")
        .meta({ oneOf: ONE_OF_THEM }),
    ],
    { error: `the name of an engine, or ${COMMAND_LINE}` },
  )
  .describe("The coding CLI that runs the turns.");
export type EngineConfig = z.infer<typeof EngineConfig>;
