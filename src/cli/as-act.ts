import type { Act } from "./act-view.ts";
import type { Cli, Outcome } from "../terminal/cli.ts";

/** How the command line says a command is to run. */
interface Asked {
  readonly act: Act;
  /** As given; undefined: the newest. */
  readonly session: string | undefined;
  readonly dryRun: boolean;
  readonly json: boolean;
}

/** Runs a command; with `--json` for a program, which gets one object. */
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
