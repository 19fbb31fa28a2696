import { join } from "node:path";
import type { FileFailure, Files } from "../base/files.ts";
import { CONFIG_CHARS_MAX } from "../base/limits.ts";
import { fail, type Result } from "../base/result.ts";
import type { ConfigFailure } from "../settings/config-problem.ts";
import type { Config } from "../settings/config-schema.ts";
import { loadConfig } from "../settings/load-config.ts";

/** The settings of a repository cannot be used; with the file's path. */
export type SettingsFailure = ConfigFailure & { readonly path: string };

/** Bytes of a character in UTF-8, at most. */
const BYTES_PER_CHAR_MAX = 4;

/** Where a repository's settings are. */
export function configPath(repository: string): string {
  return join(repository, ".wisp", "config.yaml");
}

/** The settings in `.wisp/config.yaml` as it stands in the work tree, committed or not. */
export function readSettings(
  files: Files,
  repository: string,
): Result<Config, SettingsFailure | FileFailure> {
  const path = configPath(repository);
  const read = files.read(path, CONFIG_CHARS_MAX * BYTES_PER_CHAR_MAX);
  if (!read.ok) return read;
  const text = read.value === undefined ? undefined : Buffer.from(read.value).toString("utf8");
  const config = loadConfig(text);
  return config.ok ? config : fail({ ...config.failure, path });
}
