import type { Environment } from "../base/ports/processes.ts";
import type { GitContext } from "../git/command/git-environment.ts";
import type { Host } from "../host/host.ts";

/** Where something is asked for, on which machine, and the person who asked. */
export interface World {
  /** Absolute path of the directory in which it was asked for. */
  readonly cwd: string;
  readonly env: Environment;
  /** Made at the first look: a command that needs no machine loads none. */
  readonly host: Host;
  /** Absolute path of `dist/wisp.js`, which is how wisp starts itself. */
  readonly entry: string;
  readonly nodePath: string;
  /** Of this wisp. */
  readonly version: string;
  /** Tells the person what happens meanwhile: a line, or several. */
  readonly tell: (text: string) => void;
  /** Asks the person for a line; undefined: they gave none. Absent: nobody is there to be asked. */
  readonly ask: ((question: string) => Promise<string | undefined>) | undefined;
}

/** The command line that starts another wisp, such as `node dist/wisp.js agent builder api`. */
export function wispArgv(
  { nodePath, entry }: Pick<World, "nodePath" | "entry">,
  ...words: readonly string[]
): [string, ...string[]] {
  return [nodePath, entry, ...words];
}

/** What the commands of git need of the machine. */
export function gitContext({ host, env }: Pick<World, "host" | "env">): GitContext {
  const { files, directories, clock } = host;
  return { files, directories, clock, environment: env };
}
