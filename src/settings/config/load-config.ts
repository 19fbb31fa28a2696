import { z } from "zod";
import type { Result } from "../../base/result.ts";
import type { ConfigFailure } from "./config-problem.ts";
import { Config } from "../schema/config-schema.ts";
import { parseSettings } from "./parse-settings.ts";

/**
 * Reads the settings from the text of `.wisp/config.yaml`, with defaults; `undefined` (no such
 * file) and a file of only comments yield the defaults. Reports all problems at once, by line.
 */
export function loadConfig(text: string | undefined): Result<Config, ConfigFailure> {
  return parseSettings(Config, configJsonSchema, text);
}

/**
 * The settings as a JSON Schema for editors: what may be written, with defaults and descriptions. In the draft that
 * all of them know.
 */
export function configJsonSchema() {
  return {
    ...z.toJSONSchema(Config, { io: "input", target: "draft-7" }),
    title: "Settings of wisp (.wisp/config.yaml)",
  };
}
