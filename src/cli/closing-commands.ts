import type { Command } from "commander";
import type { Run } from "../terminal/cli.ts";
import { EXAMPLES } from "./help.ts";

interface DoneFlags {
  readonly remote?: string;
  readonly base?: string;
  readonly push: boolean;
  readonly pr: boolean;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** How a person ends a session for good. */
export function addClosingCommands(program: Command, run: Run): void {
  program
    .command("done")
    .argument("[session]", "its id or branch (default: the newest)")
    .description("Takes the work of a complete session: pushes it, and opens a pull request.")
    .option("--remote <name>", "where to push (default: publish.remote, else origin)")
    .option("--base <branch>", "the branch to merge it into (default: what gh chooses)")
    .option("--no-push", "push nothing, and open no pull request")
    .option("--no-pr", "open no pull request")
    .option("-y, --yes", "do not ask")
    .option("--dry-run", "only say what would be done")
    .option("--json", "as one JSON object, for programs")
    .addHelpText("after", EXAMPLES.done)
    .action((session: string | undefined, flags: DoneFlags) => {
      const { yes = false, dryRun = false, json = false } = flags;
      const options = { ...flags, session, yes, dryRun, json };
      return run(async (cli) => (await import("./commands/done.ts")).done(cli, options), { json });
    });
  program
    .command("abandon")
    .argument("[session]", "its id or branch (default: the newest)")
    .description("Gives a session up; its commits are kept under a reference.")
    .option("-y, --yes", "do not ask")
    .option("--dry-run", "only say what would be done")
    .option("--json", "as one JSON object, for programs")
    .addHelpText("after", EXAMPLES.abandon)
    .action((session: string | undefined, flags: AbandonFlags) => {
      const { yes = false, dryRun = false, json = false } = flags;
      return run(
        async (cli) =>
          (await import("./commands/abandon.ts")).abandon(cli, { session, yes, dryRun, json }),
        { json },
      );
    });
}

interface AbandonFlags {
  readonly yes?: boolean;
  readonly json?: boolean;
  readonly dryRun?: boolean;
}
