import { join } from "node:path";
import type { FileFailure, Files } from "../../base/ports/files.ts";
import { CONFIG_CHARS_MAX } from "../../base/limits.ts";
import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import { fail, type Result } from "../../base/result.ts";
import { configProblemAt, type ConfigFailure } from "../../settings/config/config-problem.ts";
import type { Config } from "../../settings/schema/config-schema.ts";
import { loadConfig } from "../../settings/config/load-config.ts";
import { count } from "../../base/words/sentence.ts";

/** The settings of a repository cannot be used. */
export const SettingsFailure = refusal(
  "config",
  EXIT.usage,
  ({ path, problems }: Omit<ConfigFailure, "kind"> & { readonly path: string }) => [
    `The settings have ${count(problems.length, "mistake")}.`,
    "By line and column:",
    ...problems.map((problem) => configProblemAt(path, problem)),
  ],
);
export type SettingsFailure = ReturnType<typeof SettingsFailure>;

/** Maximum bytes of a character in UTF-8. */
const BYTES_PER_CHAR_MAX = 4;

/** Path of a repository's settings. */
export function configPath(repository: string): string {
  return join(repository, ".wisp", "config.yaml");
}

/** Reads the settings in `.wisp/config.yaml` from the work tree, committed or not. */
export function readSettings(
  files: Files,
  repository: string,
): Result<Config, SettingsFailure | FileFailure> {
  const path = configPath(repository);
  const read = files.read(path, CONFIG_CHARS_MAX * BYTES_PER_CHAR_MAX);
  if (!read.ok) return read;
  const text = read.value === undefined ? undefined : Buffer.from(read.value).toString("utf8");
  const config = loadConfig(text);
  return config.ok ? config : fail(SettingsFailure({ ...config.failure, path }));
}
