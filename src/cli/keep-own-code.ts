import { ROLES } from "../base/role.ts";
import { keepCompiledCode } from "../host/system/code-cache.ts";
import { codeDirectory } from "../workspace/state-directory.ts";
import { ownEnvironment } from "./own-environment.ts";

/** Starts that have a cache of their own: those that are made most often, or that a session waits for. */
const OWN_CACHE: ReadonlySet<string> = new Set([
  ...["status", "start", "up", "supervise"],
  ...ROLES.map((role) => `agent ${role}`),
]);

/**
 * Keeps the compiled form of the program, whose files are in this directory, between its runs.
 *
 * @param words the words after `wisp` on the command line
 */
export function keepOwnCode(directory: string, words: readonly string[]): void {
  const env = ownEnvironment();
  const parent = codeDirectory(env);
  if (parent !== undefined) keepCompiledCode({ directory, parent, start: startOf(words), env });
}

/** The kind of a start, of which there are few: what a person may type has no limit. */
function startOf([command = "", role = ""]: readonly string[]): string {
  const start = command === "agent" ? `agent ${role}` : command;
  return OWN_CACHE.has(start) ? start : "any other";
}
