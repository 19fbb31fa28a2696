import { z } from "zod";
import { Word } from "./engine-setting.ts";

const MAPPING = "a mapping of keys to values";
const ENGINE = "the name of an engine, such as codex";
const COUNT = "a whole number from 1 to 100";
const BUILD = `${COUNT}, or a list such as [{ model: sonnet }, { model: opus, engine: claude }]`;
const ATTEMPT = "{ model: name }, { engine: name } or { model: name, engine: name }";
/** What the refinement says, for the published JSON Schema. */
const ONE_OF_THEM = [{ required: ["model"] }, { required: ["engine"] }];
/** More would not fit into the 100 attempts that a number allows. */
const LISTED_MAX = 100;

function counted(error: string) {
  return z.int({ error }).min(1, { error }).max(100, { error });
}

function count(description: string) {
  return counted(COUNT).default(3).describe(description);
}

const BuildAttempt = z
  .strictObject(
    {
      model: Word.optional().describe(
        "Model of this attempt, as the engine names it. Left out: that of the engine.",
      ),
      engine: z
        .string({ error: ENGINE })
        .regex(/^(?!auto$)./u, { error: ENGINE })
        .optional()
        .describe("Engine of this attempt, by its name. Left out: that of the builder."),
    },
    { error: ATTEMPT },
  )
  .refine(({ model, engine }) => model !== undefined || engine !== undefined, {
    error: ATTEMPT,
    when: ({ issues }) => issues.length === 0,
  })
  .meta({ anyOf: ONE_OF_THEM });
/** The model and the engine of one build attempt; at least one of them is there. */
export type BuildAttempt = z.infer<typeof BuildAttempt>;

/** `attempts`: how many there are, and who makes those of the builder. */
export const AttemptsSetting = z
  .strictObject(
    {
      build: z
        .union(
          [
            counted(BUILD),
            z
              .array(BuildAttempt, { error: BUILD })
              .min(1, { error: BUILD })
              .max(LISTED_MAX, { error: BUILD }),
          ],
          { error: BUILD },
        )
        .default(3)
        .describe(
          "Build turns in a row without progress before the session is stuck; or a list with the model and the engine of " +
            "each, of which the last also serves the attempts after it and the hints.",
        ),
      fix: count("Turns that one finding or bug may use."),
      unit: count("Failed turns after which wisp gives up a plan, a review or a test."),
    },
    { error: MAPPING },
  )
  .prefault({})
  .describe("How many attempts there are.");
export type AttemptsSetting = z.infer<typeof AttemptsSetting>;

/** How many build attempts in a row without progress there are. */
export function buildAttemptsMax({ build }: Pick<AttemptsSetting, "build">): number {
  return typeof build === "number" ? build : build.length;
}

/** The model and the engine of each build attempt; empty if all are made by the builder's own. */
export function listedAttempts({ build }: Pick<AttemptsSetting, "build">): readonly BuildAttempt[] {
  return typeof build === "number" ? [] : build;
}
