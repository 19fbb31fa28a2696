import { need } from "../../base/fatal.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import { userGit } from "../../git/command/git.ts";
import { readFilters } from "../../git/repository/filter-drivers.ts";
import { gitContext, type World } from "../world.ts";
import { isAbsolute, join } from "node:path";
import { homeDirectory } from "../../host/system/this-machine.ts";
import { SettingsFailure } from "./read-settings.ts";
import type { FileFailure, Files } from "../../base/ports/files.ts";
import { CONFIG_CHARS_MAX } from "../../base/limits.ts";
import type { Environment } from "../../base/ports/processes.ts";
import { fail, type Result } from "../../base/result.ts";
import { createNodeTreeView } from "../../host/files/node-tree-view.ts";
import { loadUserSettings, type UserSettings } from "../../settings/config/user-settings.ts";

/** Path of a person's own settings, according to the XDG base directory specification. */
function userSettingsPath(env: Environment): string {
  const configured = env["XDG_CONFIG_HOME"] ?? "";
  const directory = isAbsolute(configured) ? configured : join(homeDirectory(), ".config");
  return join(directory, "wisp", "config.yaml");
}

/**
 * Reads a person's own settings. Many keep such files elsewhere and link to them, so a link is
 * followed.
 */
export function readUserSettings(
  files: Files,
  env: Environment,
): Result<UserSettings, SettingsFailure | FileFailure> {
  const path = userSettingsPath(env);
  const read = files.read(createNodeTreeView().realPath(path) ?? path, CONFIG_CHARS_MAX);
  if (!read.ok) return read;
  const text = read.value === undefined ? undefined : Buffer.from(read.value).toString("utf8");
  const settings = loadUserSettings(text);
  return settings.ok ? settings : fail(SettingsFailure({ ...settings.failure, path }));
}

/** The filters that git runs in a repository, and those that the person's own settings name; undefined if none. */
export async function settledFilters(
  world: World,
  directory: string,
): Promise<SessionJson["filters"]> {
  const allowed = need(readUserSettings(world.host.files, world.env)).filters;
  const { defined } = need(await readFilters(userGit(gitContext(world), directory)));
  if (defined.length + allowed.length === 0) return undefined;
  return { defined: [...defined], allowed: [...allowed] };
}
