import { Option, type Command } from "commander";
import { INIT_TEMPLATES, type InitTemplate } from "../base/choices.ts";
import type { Run } from "../terminal/cli.ts";
import { EXAMPLES } from "./help.ts";

/** Commands for the first hour: a session to look at, and the settings of a repository. */
export function addSetupCommands(program: Command, run: Run): void {
  addDemo(program, run);
  addInit(program, run);
}

function addDemo(program: Command, run: Run): void {
  program
    .command("demo")
    .description(
      "Runs a whole session on a small project, with an engine that plays back a recording.",
    )
    .option("--dir <directory>", "where to put it; must be empty or not exist yet")
    .addHelpText("after", EXAMPLES.demo)
    .action(({ dir }: { dir?: string }) =>
      run(async (cli) => (await import("./commands/demo.ts")).demo(cli, { directory: dir })),
    );
}

interface InitFlags {
  readonly template: InitTemplate;
  readonly prompts?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

function addInit(program: Command, run: Run): void {
  program
    .command("init")
    .description("Writes settings to .wisp/, with the engine and the tests that it finds.")
    .addOption(
      new Option("--template <name>", "which settings to start from")
        .choices(INIT_TEMPLATES)
        .default("default"),
    )
    .option("--prompts", "also copy wisp's prompts and reviewers, for you to change")
    .option("--dry-run", "only show what would be done")
    .option("--json", "print one JSON object, for programs")
    .addHelpText("after", EXAMPLES.init)
    .action(({ template, prompts = false, dryRun = false, json = false }: InitFlags) => {
      const options = { template, prompts, dryRun, json };
      return run(async (cli) => (await import("./commands/init.ts")).init(cli, options), { json });
    });
}
