import { join } from "node:path";
import type { Environment } from "../base/processes.ts";
import type { Git } from "./git.ts";

/** The user's own list of files to ignore everywhere, whether it exists or not. */
export async function excludesFileOf(
  atHub: Git,
  environment: Environment,
): Promise<string | undefined> {
  const asked = await atHub.run(["config", "--type=path", "--get", "core.excludesFile"]);
  if (asked.ok && asked.value.exitCode === 0) return asked.value.stdout.trimEnd();
  const { HOME: home, XDG_CONFIG_HOME: config } = environment;
  if (config !== undefined && config !== "") return join(config, "git", "ignore");
  return home === undefined ? undefined : join(home, ".config", "git", "ignore");
}
