import { z } from "zod";
import { REVIEW_LANES_MAX, COVERED_COMMITS_MAX } from "../../base/limits.ts";

const MAPPING = "a mapping of keys to values";
const SWITCH = "true or false";
const LEVEL = "one of blocking, warning, suggestion";

function whole(min: number, max: number) {
  const error = `a whole number from ${String(min)} to ${String(max)}`;
  return z.int({ error }).min(min, { error }).max(max, { error });
}

/** `review:` of the settings. `error` texts complete the sentence "expected …". */
export const ReviewSetting = z
  .strictObject(
    {
      strict: z
        .boolean({ error: SWITCH })
        .default(false)
        .describe("Warnings and suggestions are fixed too, and hold up the end."),
      floor: z
        .enum(["blocking", "warning", "suggestion"], { error: LEVEL })
        .default("blocking")
        .describe("The lowest level of findings that is fixed, and holds up the end."),
      noFix: z
        .boolean({ error: SWITCH })
        .default(false)
        .describe("Findings of reviewers are only reported; bugs, and yours, are fixed."),
      batch: z
        .union([z.literal("auto"), z.int().min(1).max(50)], {
          error: "auto, or a whole number from 1 to 50",
        })
        .default("auto")
        .describe(
          "Reviewers of one range that share a turn; auto: all of them if the change is small.",
        ),
      perCommit: whole(0, 1000)
        .default(COVERED_COMMITS_MAX)
        .describe(
          "The maximum number of commits reviewed with their milestone; 0: each by itself.",
        ),
      fixBatch: whole(1, 10)
        .default(1)
        .describe("The maximum number of similar findings that one turn fixes, in one commit."),
      parallel: whole(1, REVIEW_LANES_MAX)
        .default(3)
        .describe("Turns of reviewers that run at the same time."),
    },
    { error: MAPPING },
  )
  .prefault({})
  .describe("Reviews.");
