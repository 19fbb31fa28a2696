import type { Environment } from "../base/ports/processes.ts";
import type { Result } from "../base/result.ts";
import type { GitContext } from "../git/command/git-environment.ts";
import type { Host } from "../host/host.ts";
import type { Refusal } from "../base/failure.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** What every command is given. */
export interface Cli {
  /** Absolute path of the directory in which the command was given. */
  readonly cwd: string;
  readonly env: Environment;
  readonly terminal: Terminal;
  /** Made at the first look: a command that needs no machine loads none. */
  readonly host: Host;
  /** Absolute path of `dist/wisp.js`, which is how wisp starts itself. */
  readonly entry: string;
  readonly nodePath: string;
  /** Of this wisp. */
  readonly version: string;
}

/** The exit code of a command, or why it could not be done. */
export type Outcome = Result<number, Refusal>;

/** A command, once its code is loaded. */
export type LoadedCommand = (cli: Cli) => Promise<Outcome>;

/** Runs a command and explains what kept it from being done; with `json`, as an object. */
export type Run = (
  action: LoadedCommand,
  options?: { readonly json?: boolean | undefined },
) => Promise<void>;

/** The command line that starts another wisp, such as `node dist/wisp.js agent builder api`. */
export function wispArgv(
  cli: Pick<Cli, "nodePath" | "entry">,
  ...words: readonly string[]
): [string, ...string[]] {
  return [cli.nodePath, cli.entry, ...words];
}

/** What the commands of git need of the machine. */
export function gitContext({ host, env }: Pick<Cli, "host" | "env">): GitContext {
  const { files, directories, clock } = host;
  return { files, directories, clock, environment: env };
}
