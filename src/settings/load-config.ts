import { fail, ok, type Result } from "../base/result.ts";
import { problemsOfIssues } from "./config-issues.ts";
import { configJsonSchema } from "./config-json-schema.ts";
import type { ConfigFailure } from "./config-problem.ts";
import { Config } from "./config-schema.ts";
import { inOrder, readPlainYaml } from "./plain-yaml.ts";

/**
 * The settings in the text of `.wisp/config.yaml`, with defaults; `undefined` (no such file) and a
 * file of comments are all defaults. Everything that is wrong is told at once, by line.
 */
export function loadConfig(text: string | undefined): Result<Config, ConfigFailure> {
  const read = readPlainYaml(text ?? "");
  if (!read.ok) return fail({ kind: "config", problems: inOrder(read.failure) });
  const parsed = Config.safeParse(read.value.value ?? {});
  if (parsed.success) return ok(parsed.data);
  const problems = problemsOfIssues(parsed.error.issues, read.value, configJsonSchema());
  return fail({ kind: "config", problems: inOrder(problems) });
}
