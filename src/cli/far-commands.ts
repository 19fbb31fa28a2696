import type { Command } from "commander";
import type { Run } from "../terminal/cli.ts";

/** Commands that a wisp here runs at the place of a session that is elsewhere. */
export function addFarCommands(program: Command, run: Run): void {
  const far = program
    .command("far", { hidden: true })
    .description("What another machine's wisp asks of the one at a place.");
  far
    .command("take")
    .description("Makes the repository of a session from what was sent.")
    .action(() => run(async (cli) => (await import("./far/take.ts")).take(cli)));
  far
    .command("keep")
    .argument("<session>")
    .description("Keeps a session supervised until it is over.")
    .action((session: string) =>
      run(async (cli) => (await import("./far/keep.ts")).keep(cli, session)),
    );
}
