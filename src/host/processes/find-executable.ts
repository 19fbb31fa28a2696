import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { attempt } from "../system/errno.ts";

/** Where to search for an executable. */
export interface SearchPlace {
  /** The directory to which a name with a slash is relative. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * The absolute path of the file that `name` would start, found as the system does; `undefined` if there is none.
 */
export function findExecutable(name: string, { cwd, env }: SearchPlace): string | undefined {
  if (name === "" || name.includes("\0")) return undefined;
  const directories = name.includes("/") ? [""] : (env["PATH"] ?? "").split(delimiter);
  return directories
    .map((directory) => resolve(cwd, join(directory, name)))
    .find((path) => {
      // A directory can have execute permission too, but cannot be started.
      const found = attempt(() => statSync(path).isFile());
      return found.ok && found.value && attempt(() => accessSync(path, constants.X_OK)).ok;
    });
}
