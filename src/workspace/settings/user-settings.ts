import { need } from "../../base/fatal.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import { userGit } from "../../git/command/git.ts";
import { readFilters } from "../../git/repository/filter-drivers.ts";
import { gitContext, type World } from "../world.ts";
import { isAbsolute, join } from "node:path";
import { homeFolder } from "../home-folder.ts";
import { SettingsFailure } from "./read-settings.ts";
import type { FileFailure, Files } from "../../base/ports/files.ts";
import { CONFIG_CHARS_MAX } from "../../base/limits.ts";
import type { Environment } from "../../base/ports/processes.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { createNodeTreeView } from "../../host/files/node-tree-view.ts";
import { loadUserSettings, type UserSettings } from "../../settings/config/user-settings.ts";

/** Path of a person's own settings, according to the XDG base directory specification; undefined without a home folder. */
function userSettingsPath(env: Environment): string | undefined {
  const configured = env["XDG_CONFIG_HOME"] ?? "";
  if (isAbsolute(configured)) return join(configured, "wisp", "config.yaml");
  const home = homeFolder();
  return home && join(home, ".config", "wisp", "config.yaml");
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
  const text = path === undefined ? ok(undefined) : textAt(files, path);
  if (!text.ok) return text;
  const settings = loadUserSettings(text.value);
  return settings.ok ? settings : fail(SettingsFailure({ ...settings.failure, path: path ?? "" }));
}

function textAt(files: Files, path: string): Result<string | undefined, FileFailure> {
  const read = files.read(createNodeTreeView().realPath(path) ?? path, CONFIG_CHARS_MAX);
  if (!read.ok) return read;
  return ok(read.value && Buffer.from(read.value).toString("utf8"));
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
