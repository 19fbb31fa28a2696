import { need } from "../../base/fatal.ts";
import { configPath, readSettings } from "../../workspace/settings/read-settings.ts";
import { workTreeAround } from "../../workspace/sessions.ts";
import type { World } from "../../workspace/world.ts";

/** Most settings name no executor: then they are read only once, by the start itself. */
const NAMES_ONE = /^["']?executor["']?\s*:/mu;

/** The executor on which the settings of the repository have its sessions run; undefined: here. */
export function settingsExecutor({ host: { files }, cwd }: Pick<World, "host" | "cwd">) {
  const top = workTreeAround(files, cwd);
  const read = top === undefined ? undefined : files.read(configPath(top));
  if (top === undefined || read?.ok !== true) return undefined;
  const text = Buffer.from(read.value ?? []).toString("utf8");
  return NAMES_ONE.test(text) ? need(readSettings(files, top)).executor : undefined;
}
