import { Option, type Command } from "commander";
import { COST_BY, WHY_KINDS, type CostBy, type WhyKind } from "../base/choices.ts";
import { LOG_NAMES } from "../base/role.ts";
import { asAct } from "./as-act.ts";
import type { Run } from "../terminal/cli.ts";
import { EXAMPLES } from "./help.ts";

/** Read-only commands. */
export function addViewCommands(program: Command, run: Run): void {
  addLists(program, run);
  addReport(program, run);
  addWatch(program, run);
  program
    .command("status")
    .argument("[session]", "session id or branch (default: the newest)")
    .description("Shows the state of a session.")
    .option("--json", "print one JSON object, for programs")
    .addHelpText("after", EXAMPLES.status)
    .action((session: string | undefined, { json = false }: { json?: boolean }) =>
      run(async (cli) => (await import("./read-only/status.ts")).status(cli, { session, json }), {
        json,
      }),
    );
  program
    .command("cost")
    .argument("[session]", "session id or branch (default: the newest)")
    .description("Shows what a session has used: turns, tokens, cost and time.")
    .addOption(new Option("--by <what>", "what to group by").choices(COST_BY).default("role"))
    .option("--json", "print one JSON object, for programs")
    .addHelpText("after", EXAMPLES.cost)
    .action((session: string | undefined, { by, json = false }: CostFlags) =>
      run(async (cli) => (await import("./read-only/cost.ts")).cost(cli, { session, by, json }), {
        json,
      }),
    );
  program
    .command("engines")
    .description("Lists the coding CLIs that are installed.")
    .option("--probe", "ask each for one word, to check that it works")
    .option("--json", "print one JSON object, for programs")
    .addHelpText("after", EXAMPLES.engines)
    .action(({ probe = false, json = false }: EnginesFlags) =>
      run(async (cli) => (await import("./read-only/engines.ts")).engines(cli, { probe, json }), {
        json,
      }),
    );
  addLog(program, run);
  addLogs(program, run);
  addTail(program, run);
  addWhy(program, run);
}

function addReport(program: Command, run: Run): void {
  program
    .command("report")
    .argument("[session]", "session id or branch (default: the newest)")
    .description("Tells what happened in a session: on one page, or as Markdown.")
    .option(
      "--html [file]",
      "write it as a page that needs nothing else: to this file, or report.html with the session's files; of a session that is elsewhere, <session>.html in the current folder",
    )
    .addOption(new Option("--md", "print it as Markdown (default)").conflicts(["html", "json"]))
    .option("--json", "print one JSON object, for programs")
    .addHelpText("after", EXAMPLES.report)
    .action((session: string | undefined, { html, json = false }: ReportFlags) =>
      run(
        async (cli) => (await import("./read-only/report.ts")).report(cli, { session, html, json }),
        { json },
      ),
    );
}

function addWatch(program: Command, run: Run): void {
  program
    .command("watch")
    .argument("[session]", "session id or branch to begin with (default: the newest)")
    .description("Shows the reports of all sessions in a browser, while they change.")
    .requiredOption("--web", "serve them to a browser of this machine, until Ctrl-C")
    .option("--port <n>", "listen at this port (default: a free one)")
    .addHelpText("after", EXAMPLES.watch)
    .action((session: string | undefined, { port }: { port?: string }) =>
      run(async (cli) => (await import("./read-only/watch.ts")).watch(cli, { session, port })),
    );
}

function addLists(program: Command, run: Run): void {
  program
    .command("list")
    .description("Lists the sessions of this repository.")
    .option("--all", "of all your repositories on this machine, with where each session runs")
    .option("--json", "print one JSON object, for programs")
    .addHelpText("after", EXAMPLES.list)
    .action(({ all = false, json = false }: { all?: boolean; json?: boolean }) =>
      run(
        async (cli) =>
          all
            ? (await import("./read-only/list-all.ts")).listAll(cli, { json })
            : (await import("./read-only/list.ts")).list(cli, { json }),
        { json },
      ),
    );
  program
    .command("tasks")
    .argument("[session]", "session id or branch (default: the newest)")
    .description("Shows the plan of a session and its progress.")
    .option("--json", "print a JSON task list, which can be used as a request")
    .option(
      "--adopt <file>",
      "make this TASKS.md the plan: a copy named by status, or a file of your own",
    )
    // Given by `wisp edit` alone.
    .addOption(new Option("--from <digest>").hideHelp())
    .option("--dry-run", "with --adopt: only show what would be done")
    .addHelpText("after", EXAMPLES.tasks)
    .action((session: string | undefined, flags: TasksFlags) => {
      const { json = false, adopt, from, dryRun = false } = flags;
      return run(
        async (cli) => {
          if (adopt === undefined) {
            return (await import("./read-only/tasks.ts")).tasks(cli, { session, json });
          }
          return asAct(cli, { act: "adopt", session, dryRun, json }, async (one) =>
            (await import("./commands/adopt-tasks.ts")).adoptTasks(one, {
              session,
              adopt,
              from,
              dryRun,
            }),
          );
        },
        { json },
      );
    });
}

function addLog(program: Command, run: Run): void {
  program
    .command("log")
    .argument("[session]", "session id or branch (default: the newest)")
    .description("Shows what happened in a session, in words: one event per line, oldest first.")
    .option("--since <time>", "only events since a time (ISO 8601), or for a duration such as 2h")
    .option("-f, --follow", "keep printing new events until no process of the session is left")
    .option("-n, --lines <n>", "only the last n events")
    .option("--json", "print one JSON object per record, for programs")
    .addHelpText("after", EXAMPLES.log)
    .action((session: string | undefined, options: LogFlags) => {
      const { since, follow = false, lines, json = false } = options;
      return run(
        async (cli) => {
          const { log } = await import("./read-only/log.ts");
          return log(cli, { session, since, follow, lines, json });
        },
        { json },
      );
    });
}

function addLogs(program: Command, run: Run): void {
  program
    .command("logs")
    .argument(
      "[words...]",
      `one of ${LOG_NAMES.join(", ")} (default: all), and a session (default: the newest)`,
    )
    .usage("[role] [session]")
    .description("Prints the lines of a session's log files, as they are.")
    .option("-f, --follow", "keep printing new lines")
    .option("--no-prefix", "only the lines as they are in the files")
    .addHelpText("after", EXAMPLES.logs)
    .action((words: string[], options: LogsFlags) =>
      run(async (cli) => {
        const { logs } = await import("./read-only/logs.ts");
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
    .description("Shows what the engine says in a role's latest turn.")
    .option("-f, --follow", "keep printing until no role is working any more")
    .option("--raw", "print the engine's output unchanged")
    .addHelpText("after", EXAMPLES.tail)
    .action((words: string[], { session, follow = false, raw = false }: TailFlags) =>
      run(async (cli) =>
        (await import("./read-only/tail.ts")).tail(cli, { words, session, follow, raw }),
      ),
    );
}

interface ReportFlags {
  readonly html?: string | true;
  readonly json?: boolean;
}

function addWhy(program: Command, run: Run): void {
  program
    .command("why")
    .argument("<what>", "a commit, path:line, a finding's or bug's id, or a milestone's name")
    .description("Explains how a commit, a line, a finding or a milestone came about.")
    .option("--session <session>", "session id or branch (default: all, newest first)")
    .addOption(new Option("--as <kind>", "what <what> names, if it is unclear").choices(WHY_KINDS))
    .option("--json", "print one JSON object, for programs")
    .addHelpText("after", EXAMPLES.why)
    .action((word: string, { session, as, json = false }: WhyFlags) =>
      run(
        async (cli) => (await import("./read-only/why.ts")).why(cli, { word, session, as, json }),
        {
          json,
        },
      ),
    );
}

interface WhyFlags {
  readonly session?: string;
  readonly as?: WhyKind;
  readonly json?: boolean;
}

interface TasksFlags {
  readonly json?: boolean;
  readonly adopt?: string;
  readonly from?: string;
  readonly dryRun?: boolean;
}

interface TailFlags {
  readonly session?: string;
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

interface LogFlags {
  readonly since?: string;
  readonly follow?: boolean;
  readonly lines?: string;
  readonly json?: boolean;
}

interface LogsFlags {
  readonly follow?: boolean;
  readonly prefix: boolean;
  readonly session?: string;
}
