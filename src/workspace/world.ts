import type { ProgramFiles } from "../fs-protocol/home/role-snapshots.ts";
import type { Environment } from "../base/ports/processes.ts";
import type { GitContext } from "../git/command/git-environment.ts";
import type { Host } from "../host/host.ts";

/** The context of a command: the machine, and the person who entered it. */
export interface World {
  /** Absolute path of the directory in which the command was entered. */
  readonly cwd: string;
  readonly env: Environment;
  /** Created on first access: a command that does not need the machine loads none of its code. */
  readonly host: Host;
  /** Absolute path of `dist/wisp.js`, with which wisp starts itself. */
  readonly entry: string;
  readonly nodePath: string;
  /** This program, by which it knows what an earlier process of the same program kept. */
  readonly program: ProgramFiles;
  /** Version of this wisp. */
  readonly version: string;
  /** Reports progress to the person, in one or several lines. */
  readonly tell: (text: string) => void;
  /**
   * Asks the person for a line; resolves to undefined if they gave none. Undefined if nobody can be
   * asked.
   */
  readonly ask: ((question: string) => Promise<string | undefined>) | undefined;
}

/** The command line that starts another wisp, such as `node dist/wisp.js agent builder api`. */
export function wispArgv(
  { nodePath, entry }: Pick<World, "nodePath" | "entry">,
  ...words: readonly string[]
): [string, ...string[]] {
  return [nodePath, entry, ...words];
}

/** The part of the context that git commands need. */
export function gitContext({ host, env }: Pick<World, "host" | "env">): GitContext {
  const { files, directories, clock } = host;
  return { files, directories, clock, environment: env };
}
