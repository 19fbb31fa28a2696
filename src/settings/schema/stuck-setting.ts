import { z } from "zod";
import { REVISION_STUCK, STORIES_STUCK, type StuckStages } from "../../fs-protocol/home/policy.ts";

const ATTEMPTS = "a whole number from 1 to 100";
const ATTEMPTS_OR_NONE = `${ATTEMPTS}, or false for none`;
const MAPPING = "a mapping of keys to values";

function attempts(error: string) {
  return z.int({ error }).min(1, { error }).max(100, { error });
}

const stage = z.union([attempts(ATTEMPTS_OR_NONE), z.literal(false)], { error: ATTEMPTS_OR_NONE });

function stages(of: string, { hint, skip, pause }: StuckStages) {
  return z
    .strictObject(
      {
        hint: stage
          .default(hint ?? false)
          .describe(
            "After each such number, a turn investigates what is in the way. false: never.",
          ),
        skip: stage
          .default(skip ?? false)
          .describe("From this number on, others are built first. false: never."),
        pause: attempts(ATTEMPTS)
          .default(pause)
          .describe("After this number, the session is stuck."),
      },
      { error: MAPPING },
    )
    .prefault({})
    .describe(`Attempts in a row without progress at ${of}.`);
}

/** `stuck`: what is done about a story, or an item of a revision, that makes no progress. */
export const StuckSetting = z
  .strictObject(
    {
      stories: stages("a story of a request (### US-001: …)", STORIES_STUCK),
      revisions: stages("an item of a revision", REVISION_STUCK),
    },
    { error: MAPPING },
  )
  .prefault({})
  .describe(
    "What is done about a story, or an item of a revision, that makes no progress. A stage at or after " +
      "`pause` never comes. For other requests `attempts.build` decides when the session is stuck.",
  );
export type StuckSetting = z.infer<typeof StuckSetting>;

/** The stages as a session stores them. */
export function stuckStages({ hint, skip, pause }: StuckSetting["stories"]): StuckStages {
  return {
    ...(hint === false ? {} : { hint }),
    ...(skip === false ? {} : { skip }),
    pause,
  };
}
