import type { Command } from "commander";
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

/** How finished work is mended. */
export function addRevisionCommands(program: Command, run: Run): void {
  program
    .command("revise")
    .argument("[session]", "its id or branch (default: the newest)")
    .description(
      "Repairs the work of a session: problems become a plan, and the plan becomes a revision.",
    )
    .option("--problem <text>", "what is wrong; may be said again", appended, [])
    .option("--file <path>", "a file that says what is wrong")
    .option("-y, --yes", "approve of the plan in advance")
    .option("--no-start", "only make the revision")
    .option("-d, --detach", "return at once")
    .option("--plain", "a line for each event instead of the screen")
    .option("--dry-run", "only say what would be done")
    .option("--json", "as one JSON object, for programs; it runs in the background")
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
