import { Argument, type Command } from "commander";
import type { Run } from "./cli.ts";
import { EXAMPLES } from "./help.ts";
import type { LogName } from "./log-names.ts";

/** Said again here: the list itself comes with more than a command line needs to load. */
const LOGS: readonly LogName[] = [
  "planner",
  "builder",
  "reviewer",
  "tester",
  "supervisor",
  "human",
];

/** Commands that only look. */
export function addViewCommands(program: Command, run: Run): void {
  program
    .command("status")
    .argument("[session]", "its id or branch (default: the newest)")
    .description("Says where a session stands.")
    .option("--json", "as one JSON object, for programs")
    .addHelpText("after", EXAMPLES.status)
    .action((session: string | undefined, { json = false }: { json?: boolean }) =>
      run(async (cli) => (await import("./status.ts")).status(cli, { session, json }), { json }),
    );
  program
    .command("engines")
    .description("Lists the coding CLIs that are installed.")
    .option("--probe", "ask each for one word, to see whether it works")
    .option("--json", "as one JSON object, for programs")
    .addHelpText("after", EXAMPLES.engines)
    .action(({ probe = false, json = false }: EnginesFlags) =>
      run(async (cli) => (await import("./engines.ts")).engines(cli, { probe, json }), { json }),
    );
  program
    .command("logs")
    .addArgument(new Argument("[role]", "whose log (default: all)").choices(LOGS))
    .description("Prints the lines of a session's logs.")
    .option("-f, --follow", "go on with what comes")
    .option("--session <session>", "its id or branch (default: the newest)")
    .option("--no-prefix", "only the lines, as they stand in the files")
    .addHelpText("after", EXAMPLES.logs)
    .action((log: LogName | undefined, options: LogsFlags) =>
      run(async (cli) => {
        const { logs } = await import("./logs.ts");
        const { follow = false, prefix, session } = options;
        return logs(cli, { log, follow, prefix, session });
      }),
    );
}

interface EnginesFlags {
  readonly probe?: boolean;
  readonly json?: boolean;
}

interface LogsFlags {
  readonly follow?: boolean;
  readonly prefix: boolean;
  readonly session?: string;
}
