import { z } from "zod";
import { Config } from "./config-schema.ts";

/** The settings as a JSON Schema for editors: what may be written, with defaults and descriptions. */
export function configJsonSchema() {
  return {
    ...z.toJSONSchema(Config, { io: "input" }),
    title: "Settings of wisp (.wisp/config.yaml)",
  };
}
