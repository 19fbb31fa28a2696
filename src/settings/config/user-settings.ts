import { z } from "zod";
import type { Result } from "../../base/result.ts";
import type { ConfigFailure } from "./config-problem.ts";
import { ExecutorsSetting } from "../schema/executors-setting.ts";
import { parseSettings } from "./parse-settings.ts";

const TRUST = ["list", "ask"] as const;

const FILTERS = "a list of names of git's filters such as [nbstripout]";
const FILTER = "the name of a filter of git";
/** As in `filter.<name>.clean`, without what no attribute can name. */
const FilterName = z.string({ error: FILTER }).regex(/^[^\s\0]{1,100}$/u, { error: FILTER });

/** A person's own settings, independent of any repository: `~/.config/wisp/config.yaml`. */
const UserSettings = z.strictObject(
  {
    trust: z
      .enum(TRUST, { error: `one of ${TRUST.join(", ")}` })
      .default("list")
      .describe(
        "What happens to the commands that a repository's settings name, if no terminal is attached: " +
          "they are listed, or refused until somebody has agreed.",
      ),
    executors: ExecutorsSetting,
    filters: z
      .array(FilterName, { error: FILTERS })
      .max(100, { error: "at most 100 names" })
      .default([])
      .describe(
        "Filters of git that agents do not have, and without which commits may be published as they are. " +
          "Never the name of one that encrypts.",
      ),
  },
  { error: "a mapping of keys to values" },
);
/** With their defaults. */
export type UserSettings = z.infer<typeof UserSettings>;

/**
 * Reads the settings from the text of a person's own file; `undefined` (no such file) yields the
 * defaults.
 */
export function loadUserSettings(text: string | undefined): Result<UserSettings, ConfigFailure> {
  return parseSettings(UserSettings, () => z.toJSONSchema(UserSettings, { io: "input" }), text);
}
