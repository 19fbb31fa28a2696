import { Option, type Command } from "commander";
import type { Run } from "../terminal/cli.ts";
import { EXAMPLES } from "./help.ts";

interface ReviseFlags {
  readonly problem: readonly string[];
  readonly file?: string;
  readonly yes?: boolean;
  readonly start: boolean;
  readonly detach?: boolean;
  readonly plain?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** How finished work is revised. */
export function addRevisionCommands(program: Command, run: Run): void {
  program
    .command("revise")
    .argument("[session]", "session id or branch (default: the newest)")
    .description(
      "Revises the work of a session: problems become a plan, and the plan becomes a revision.",
    )
    .addOption(
      new Option("--problem <text>", "what is wrong; can be repeated")
        .argParser(appended)
        .default([], "none"),
    )
    .option("--file <path>", "a file that says what is wrong")
    .option("-y, --yes", "approve the plan in advance")
    .option("--no-start", "only create the revision")
    .option("-d, --detach", "return immediately")
    .option("--plain", "print one line per event instead of showing the screen")
    .option("--dry-run", "only show what would be done")
    .option("--json", "print one JSON object, for programs, and run in the background")
    .addHelpText("after", EXAMPLES.revise)
    .action((session: string | undefined, flags: ReviseFlags) =>
      run(
        async (cli) => {
          const { revise } = await import("./commands/revise.ts");
          const { yes = false, detach = false, plain = false, dryRun = false } = flags;
          const { problem: problems, file, start, json = false } = flags;
          const how = { problems, file, start, json };
          return revise(cli, { ...how, session, yes, detach, plain, dryRun });
        },
        { json: flags.json },
      ),
    );
}

function appended(text: string, before: readonly string[]): readonly string[] {
  return [...before, text];
}
