import type { Act } from "./act-view.ts";
import type { Cli, Outcome } from "../terminal/cli.ts";

/** How to run a command, according to the command line. */
interface Asked {
  readonly act: Act;
  /** As given; undefined for the newest. */
  readonly session: string | undefined;
  readonly dryRun: boolean;
  readonly json: boolean;
}

/** Runs a command; with `--json`, for a program that reads one object. */
export async function asAct(
  cli: Cli,
  { json, ...asked }: Asked,
  action: (cli: Cli) => Promise<Outcome>,
): Promise<Outcome> {
  if (!json) return action(cli);
  // Imported only here: it loads more than most commands need.
  const { actForProgram } = await import("./act-view.ts");
  return actForProgram(cli, asked, action);
}
