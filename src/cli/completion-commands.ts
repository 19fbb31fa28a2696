import { Argument, type Command } from "commander";
import { ok } from "../base/result.ts";
import { COMPLETION_SHELLS, type CompletionShell } from "../base/choices.ts";
import type { Run } from "../terminal/cli.ts";
import { EXAMPLES } from "./help.ts";

/** Commands that complete command lines in a shell. */
export function addCompletionCommands(program: Command, run: Run): void {
  program
    .command("completion")
    .addArgument(new Argument("<shell>", "the shell").choices(COMPLETION_SHELLS))
    .description(
      "Prints a script by which a shell completes commands, options, sessions and findings.",
    )
    .addHelpText("after", EXAMPLES.completion)
    .action((shell: CompletionShell) =>
      run(async (cli) => {
        const { SCRIPTS } = await import("./completion/completion-scripts.ts");
        cli.terminal.out(SCRIPTS[shell].trimEnd());
        return ok(0);
      }),
    );
  program
    .command("complete", { hidden: true })
    .argument("[words...]")
    .description("Prints what can complete a command line; the scripts of completion run it.")
    .action((words: string[]) =>
      run(async (cli) =>
        (await import("./read-only/complete.ts")).complete(cli, { program, words }),
      ),
    );
}
