import { Argument, Option, type Command } from "commander";
import { fail } from "../base/result.ts";
import { Usage } from "../workspace/usage.ts";
import type { Run } from "../terminal/cli.ts";
import { CODING_CLI_NAMES } from "../engines/coding-clis.ts";
import { EXAMPLES } from "./help.ts";

interface InstallFlags {
  readonly client?: string;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
}

/** `wisp mcp`, and how it is added to a client. */
export function addMcpCommands(program: Command, run: Run): void {
  const mcp = program
    .command("mcp")
    .description(
      "Serves the sessions to a model over the Model Context Protocol, on standard streams.",
    )
    .addHelpText("after", EXAMPLES.mcp)
    .action(() =>
      run(async (cli) => (await import("./processes/mcp.ts")).mcp(cli, program.version() ?? "")),
    );
  mcp
    .command("install")
    .description("Shows the configuration a client needs, or writes it after asking.")
    .addArgument(
      new Argument("[client]", "the client (default: show all of them)").choices(CODING_CLI_NAMES),
    )
    .addOption(new Option("--client <name>", "the same").choices(CODING_CLI_NAMES))
    .option("-y, --yes", "write it without asking")
    .option("--dry-run", "only show what would be written")
    .action((named: string | undefined, { client, yes = false, dryRun = false }: InstallFlags) =>
      run(async (cli) => {
        if (named !== undefined && client !== undefined && named !== client) {
          return fail(Usage({ problem: `two clients are named: ${named} and ${client}` }));
        }
        const { installMcp } = await import("./processes/mcp-install.ts");
        return installMcp(cli, { client: named ?? client, yes, dryRun });
      }),
    );
}
