import { keepCompiledCode } from "../host/system/code-cache.ts";
import { codeDirectory } from "../workspace/state-directory.ts";
import { ownEnvironment } from "./own-environment.ts";

/** Keeps the compiled form of the program, whose files are in this directory, between its runs. */
export function keepOwnCode(directory: string): void {
  const env = ownEnvironment();
  keepCompiledCode(directory, codeDirectory(env), env);
}
