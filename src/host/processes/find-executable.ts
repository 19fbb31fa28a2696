import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { attempt } from "../system/errno.ts";

/** Where an executable is looked for. */
export interface SearchPlace {
  /** A name with a slash is a path from here. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Absolute path of the file that `name` starts, found as the system finds it; undefined: there is none. */
export function findExecutable(name: string, { cwd, env }: SearchPlace): string | undefined {
  if (name === "" || name.includes("\0")) return undefined;
  const directories = name.includes("/") ? [""] : (env["PATH"] ?? "").split(delimiter);
  return directories
    .map((directory) => resolve(cwd, join(directory, name)))
    .find((path) => {
      // A directory may be "executed", too: that is how it is entered.
      const found = attempt(() => statSync(path).isFile());
      return found.ok && found.value && attempt(() => accessSync(path, constants.X_OK)).ok;
    });
}
