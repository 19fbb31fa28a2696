import { z } from "zod";
import { HIBERNATE_MS, REQUESTED_REVISIONS_MAX } from "../../base/limits.ts";
import { Duration } from "./duration.ts";

const COUNT = "a whole number from 1 to 100";
const WAIT = "a duration such as 1h, or false";

/** Settings for finished work. */
export const RevisionsSetting = z
  .strictObject(
    {
      requestedMax: z
        .int({ error: COUNT })
        .min(1, { error: COUNT })
        .max(100, { error: COUNT })
        .default(REQUESTED_REVISIONS_MAX)
        .describe("Revisions that reviews of the finished work may request."),
      hibernate: z
        .union([Duration, z.literal(false)], { error: WAIT })
        .default(HIBERNATE_MS)
        .describe(
          "Idle time after which clones are released; they are recreated when they are needed. " +
            "false: never.",
        ),
    },
    { error: "a mapping of keys to values" },
  )
  .prefault({})
  .describe("Finished work, and revisions of it.");
