import { z } from "zod";
import { Level } from "../../fs-protocol/records/finding.ts";
import { LANGUAGES } from "./languages.ts";

/**
 * The settings between the two lines of dashes of a reviewer's file. `error` texts complete
 * "expected …".
 */

const MAPPING = "a mapping of keys to values";
const GLOB = "a glob inside the repository, such as src/**";
const NAME = "a name of letters, digits and .:/_- such as codex";

function oneOf<const T extends readonly string[]>(words: T) {
  return z.enum(words, { error: `one of ${words.join(", ")}` });
}

const Word = z.string({ error: NAME }).regex(/^[A-Za-z0-9][\w.:/-]{0,99}$/, { error: NAME });

export const ReviewerSettings = z.strictObject(
  {
    level: oneOf(Level.options).describe("The highest level that its findings may have."),
    languages: z
      .array(oneOf(LANGUAGES), { error: "a list of languages such as [typescript, python]" })
      .min(1, { error: "at least one language; leave the key out for all" })
      .optional()
      .describe("It reviews only changes of files in these languages."),
    paths: z
      .array(
        z
          .string({ error: GLOB })
          .regex(/^(?!!?\/)(?!(?:.*\/)?\.\.(?:\/|$))[^\0\\]{1,300}$/, { error: GLOB }),
        { error: "a list of globs such as [src/**]" },
      )
      .min(1, { error: "at least one glob; leave the key out for all files" })
      .max(100, { error: "at most 100 globs" })
      .optional()
      .describe("It reviews only changes of files that one of these globs matches; ! excludes."),
    when: oneOf(["commit", "milestone", "both", "never"])
      .default("milestone")
      .describe("When it reviews: each commit, each milestone, both, or never."),
    engine: Word.optional().describe("Its engine, instead of the reviewer role's."),
    model: Word.optional().describe("The model that its engine is asked to use."),
  },
  { error: MAPPING },
);
export type ReviewerSettings = z.infer<typeof ReviewerSettings>;

/** One reviewer: its name, which changes it reviews and when, and its instructions. */
export interface Reviewer extends ReviewerSettings {
  /** The name of its file without `.md`. */
  readonly name: string;
  /** What it looks for and what it ignores: the body of its file. */
  readonly prompt: string;
}
