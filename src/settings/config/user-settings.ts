import { z } from "zod";
import type { Result } from "../../base/result.ts";
import type { ConfigFailure } from "./config-problem.ts";
import { ExecutorsSetting } from "../schema/executors-setting.ts";
import { parseSettings } from "./parse-settings.ts";

const TRUST = ["list", "ask"] as const;

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
