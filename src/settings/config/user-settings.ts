import { z } from "zod";
import type { Result } from "../../base/result.ts";
import type { ConfigFailure } from "./config-problem.ts";
import { parseSettings } from "./parse-settings.ts";

const TRUST = ["list", "ask"] as const;

/** A person's own settings, of no repository: `~/.config/wisp/config.yaml`. */
const UserSettings = z.strictObject(
  {
    trust: z
      .enum(TRUST, { error: `one of ${TRUST.join(", ")}` })
      .default("list")
      .describe(
        "What becomes of the commands that a repository's settings name, where nobody is at a terminal: " +
          "they are listed, or refused until somebody has agreed.",
      ),
  },
  { error: "a mapping of keys to values" },
);
/** With their defaults. */
export type UserSettings = z.infer<typeof UserSettings>;

/** The settings in the text of a person's own file; `undefined` (no such file) is all defaults. */
export function loadUserSettings(text: string | undefined): Result<UserSettings, ConfigFailure> {
  return parseSettings(UserSettings, z.toJSONSchema(UserSettings, { io: "input" }), text);
}
