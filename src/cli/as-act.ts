import type { Act } from "./act-view.ts";
import type { Cli, Outcome } from "../terminal/cli.ts";

/** What the words of a command settle of how it is done. */
interface Asked {
  readonly act: Act;
  /** As given; undefined: the newest. */
  readonly session: string | undefined;
  readonly dryRun: boolean;
  readonly json: boolean;
}

/** Does what a command is for; with `--json` as for a program, by one object. */
export async function asAct(
  cli: Cli,
  { json, ...asked }: Asked,
  action: (cli: Cli) => Promise<Outcome>,
): Promise<Outcome> {
  if (!json) return action(cli);
  // Only here: it reads more than most commands need.
  const { actForProgram } = await import("./act-view.ts");
  return actForProgram(cli, asked, action);
}
