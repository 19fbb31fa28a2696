import { Option, type Command } from "commander";
import { COST_BY, type CostBy } from "../base/choices.ts";
import { LOG_NAMES } from "../base/role.ts";
import { asAct } from "./as-act.ts";
import type { Run } from "../terminal/cli.ts";
import { EXAMPLES } from "./help.ts";

/** Commands that only look. */
export function addViewCommands(program: Command, run: Run): void {
  addLists(program, run);
  program
    .command("status")
    .argument("[session]", "its id or branch (default: the newest)")
    .description("Says where a session stands.")
    .option("--json", "as one JSON object, for programs")
    .addHelpText("after", EXAMPLES.status)
    .action((session: string | undefined, { json = false }: { json?: boolean }) =>
      run(async (cli) => (await import("./looks/status.ts")).status(cli, { session, json }), {
        json,
      }),
    );
  program
    .command("cost")
    .argument("[session]", "its id or branch (default: the newest)")
    .description("Says what a session's turns used: turns, tokens, cost and time.")
    .addOption(
      new Option("--by <what>", "by what they are counted").choices(COST_BY).default("role"),
    )
    .option("--json", "as one JSON object, for programs")
    .addHelpText("after", EXAMPLES.cost)
    .action((session: string | undefined, { by, json = false }: CostFlags) =>
      run(async (cli) => (await import("./looks/cost.ts")).cost(cli, { session, by, json }), {
        json,
      }),
    );
  program
    .command("engines")
    .description("Lists the coding CLIs that are installed.")
    .option("--probe", "ask each for one word, to see whether it works")
    .option("--json", "as one JSON object, for programs")
    .addHelpText("after", EXAMPLES.engines)
    .action(({ probe = false, json = false }: EnginesFlags) =>
      run(async (cli) => (await import("./looks/engines.ts")).engines(cli, { probe, json }), {
        json,
      }),
    );
  addLogs(program, run);
  addTail(program, run);
}

function addLists(program: Command, run: Run): void {
  program
    .command("list")
    .description("Lists the sessions of this repository.")
    .option("--json", "as one JSON object, for programs")
    .addHelpText("after", EXAMPLES.list)
    .action(({ json = false }: { json?: boolean }) =>
      run(async (cli) => (await import("./looks/list.ts")).list(cli, { json }), { json }),
    );
  program
    .command("tasks")
    .argument("[session]", "its id or branch (default: the newest)")
    .description("Shows the plan of a session, and what of it is done.")
    .option("--json", "as a JSON task list, which is a request, too")
    .option(
      "--adopt <file>",
      "make this TASKS.md the plan: a copy that status names, or a file of yours",
    )
    .option("--dry-run", "with --adopt: only say what would be done")
    .addHelpText("after", EXAMPLES.tasks)
    .action((session: string | undefined, { json = false, adopt, dryRun = false }: TasksFlags) =>
      run(
        async (cli) => {
          if (adopt === undefined) {
            return (await import("./looks/tasks.ts")).tasks(cli, { session, json });
          }
          return asAct(cli, { act: "adopt", session, dryRun, json }, async (one) =>
            (await import("./commands/adopt-tasks.ts")).adoptTasks(one, { session, adopt, dryRun }),
          );
        },
        { json },
      ),
    );
}

function addLogs(program: Command, run: Run): void {
  program
    .command("logs")
    .argument(
      "[words...]",
      `one of ${LOG_NAMES.join(", ")} (default: all), and a session (default: the newest)`,
    )
    .usage("[role] [session]")
    .description("Prints the lines of a session's logs.")
    .option("-f, --follow", "go on with what comes")
    .option("--session <session>", "the same as [session]")
    .option("--no-prefix", "only the lines, as they stand in the files")
    .addHelpText("after", EXAMPLES.logs)
    .action((words: string[], options: LogsFlags) =>
      run(async (cli) => {
        const { logs } = await import("./looks/logs.ts");
        const { follow = false, prefix, session } = options;
        return logs(cli, { words, follow, prefix, session });
      }),
    );
}

function addTail(program: Command, run: Run): void {
  program
    .command("tail")
    .argument("[words...]", "a role (default: any), and a session (default: the newest)")
    .usage("[role] [session]")
    .description("Shows what the engine says in a role's newest turn.")
    .option("-f, --follow", "go on with what comes, until nobody works any more")
    .option("--raw", "the bytes as the engine printed them")
    .addHelpText("after", EXAMPLES.tail)
    .action((words: string[], { follow = false, raw = false }: TailFlags) =>
      run(async (cli) => (await import("./looks/tail.ts")).tail(cli, { words, follow, raw })),
    );
}

interface TasksFlags {
  readonly json?: boolean;
  readonly adopt?: string;
  readonly dryRun?: boolean;
}

interface TailFlags {
  readonly follow?: boolean;
  readonly raw?: boolean;
}

interface CostFlags {
  readonly by: CostBy;
  readonly json?: boolean;
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
