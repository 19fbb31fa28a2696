import type { z } from "zod";
import { fail, ok, type Result } from "../../base/result.ts";
import { problemsOfIssues } from "./config-issues.ts";
import type { ConfigFailure } from "./config-problem.ts";
import { inOrder, readPlainYaml } from "./plain-yaml.ts";

/**
 * Parses settings from YAML by their schema, with defaults; `undefined` (no such file) and a file
 * of only comments yield the defaults. Reports all problems at once, by line.
 *
 * @param written gives the schema as published, from which the known keys are read for a problem
 */
export function parseSettings<S extends z.ZodType>(
  schema: S,
  written: () => z.core.JSONSchema.BaseSchema,
  text: string | undefined,
): Result<z.output<S>, ConfigFailure> {
  const read = readPlainYaml(text ?? "");
  if (!read.ok) return fail({ kind: "config", problems: inOrder(read.failure) });
  const parsed = schema.safeParse(read.value.value ?? {}, { jitless: true });
  if (parsed.success) return ok(parsed.data);
  const problems = problemsOfIssues(parsed.error.issues, read.value, written());
  return fail({ kind: "config", problems: inOrder(problems) });
}
