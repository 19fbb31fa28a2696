import { join } from "node:path";
import { ROLES } from "../base/role.ts";
import { keepCompiledCode } from "../host/system/code-cache.ts";
import { loadFromCopy } from "../host/system/load-from-copy.ts";
import { codeDirectory, programsDirectory } from "../workspace/state-directory.ts";
import { ownEnvironment } from "./own-environment.ts";

/** Starts that have a cache of their own: those that are made most often, or that a session waits for. */
const OWN_CACHE: ReadonlySet<string> = new Set([
  ...["status", "start", "up", "supervise"],
  ...ROLES.map((role) => `agent ${role}`),
]);

/** The program that runs: the directory of its files, and its digest. */
interface OwnCode {
  readonly directory: string;
  readonly code: string;
}

/**
 * Keeps the compiled form of the program between its runs, and takes what it loads late from its copy if an installation
 * has replaced it.
 *
 * @param words the words after `wisp` on the command line
 */
export function keepOwnCode({ directory, code }: OwnCode, words: readonly string[]): void {
  const env = ownEnvironment();
  const parent = codeDirectory(env);
  const copy = parent && join(programsDirectory(env), code, "dist");
  loadFromCopy(directory, copy);
  if (parent === undefined) return;
  // One cache for the copies of all versions: each removes from it what it does not have.
  const place = directory === copy ? programsDirectory(env) : directory;
  keepCompiledCode({ directory, place, parent, start: startOf(words), env });
}

/** The kind of a start, of which there are few: what a person may type has no limit. */
function startOf([command = "", role = ""]: readonly string[]): string {
  const start = command === "agent" ? `agent ${role}` : command;
  return OWN_CACHE.has(start) ? start : "any other";
}
