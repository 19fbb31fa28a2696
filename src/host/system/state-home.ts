import { isAbsolute, join } from "node:path";
import { accountHome, homeDirectory } from "./this-machine.ts";

/**
 * The directory in which programs keep state between runs, according to the XDG base directory
 * specification, which ignores relative paths.
 */
export function stateHome(env: Readonly<Record<string, string | undefined>>): string {
  const configured = env["XDG_STATE_HOME"] ?? "";
  if (isAbsolute(configured)) return configured;
  const home = isAbsolute(homeDirectory()) ? homeDirectory() : accountHome();
  return join(home, ".local", "state");
}
