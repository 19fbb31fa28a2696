import type { Command } from "commander";
import type { Run } from "../terminal/cli.ts";
import { EXAMPLES } from "./help.ts";
import { PRUNE_EXAMPLES } from "./help/prune-examples.ts";

interface DoneFlags {
  readonly remote?: string;
  readonly base?: string;
  readonly push: boolean;
  readonly pr: boolean;
  readonly verify: boolean;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** Commands that end a session for good, and the one that removes what is left of it. */
export function addClosingCommands(program: Command, run: Run): void {
  program
    .command("done")
    .argument("[session]", "session id or branch (default: the newest)")
    .description("Ships a complete session: pushes its branch and opens a pull request.")
    .option("--remote <name>", "remote to push to (default: publish.remote, else origin)")
    .option("--base <branch>", "branch to merge into (default: gh's choice)")
    .option("--no-push", "do not push, and do not open a pull request")
    .option("--no-pr", "do not open a pull request")
    .option("--no-verify", "push without your pre-push hook")
    .option("-y, --yes", "do not ask")
    .option("--dry-run", "only show what would be done")
    .option("--json", "print one JSON object, for programs")
    .addHelpText("after", EXAMPLES.done)
    .action((session: string | undefined, flags: DoneFlags) => {
      const { yes = false, dryRun = false, json = false } = flags;
      const options = { ...flags, session, yes, dryRun, json };
      return run(async (cli) => (await import("./commands/done.ts")).done(cli, options), { json });
    });
  program
    .command("abandon")
    .argument("[session]", "session id or branch (default: the newest)")
    .description("Abandons a session; its commits are kept under a reference.")
    .option("-y, --yes", "do not ask")
    .option("--dry-run", "only show what would be done")
    .option("--json", "print one JSON object, for programs")
    .addHelpText("after", EXAMPLES.abandon)
    .action((session: string | undefined, flags: AbandonFlags) => {
      const { yes = false, dryRun = false, json = false } = flags;
      return run(
        async (cli) =>
          (await import("./commands/abandon.ts")).abandon(cli, { session, yes, dryRun, json }),
        { json },
      );
    });
  addPrune(program, run);
}

function addPrune(program: Command, run: Run): void {
  program
    .command("prune")
    .argument("[session]", "session id or branch (default: all of them)")
    .description("Removes the files of old sessions, once you have confirmed it.")
    .option("--older-than <age>", "only of sessions without a change for so long, such as 30d")
    .option("--force", "also of a session that is not finished; it must be named")
    .option("-y, --yes", "do not ask")
    .option("--dry-run", "only show what would be removed")
    .option("--json", "print one JSON object, for programs")
    .addHelpText("after", PRUNE_EXAMPLES)
    .action((session: string | undefined, { olderThan, ...flags }: PruneFlags) => {
      const { force = false, yes = false, dryRun = false, json = false } = flags;
      const options = { session, olderThan, force, yes, dryRun, json };
      return run(async (cli) => (await import("./commands/prune.ts")).prune(cli, options), {
        json,
      });
    });
}

interface PruneFlags extends AbandonFlags {
  readonly olderThan?: string;
  readonly force?: boolean;
}

interface AbandonFlags {
  readonly yes?: boolean;
  readonly json?: boolean;
  readonly dryRun?: boolean;
}
