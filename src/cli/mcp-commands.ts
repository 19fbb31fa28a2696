import { Option, type Command } from "commander";
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
    .addOption(
      new Option("--client <name>", "the client (default: show all of them)").choices(
        CODING_CLI_NAMES,
      ),
    )
    .option("-y, --yes", "write it without asking")
    .option("--dry-run", "only show what would be written")
    .action(({ client, yes = false, dryRun = false }: InstallFlags) =>
      run(async (cli) =>
        (await import("./processes/mcp-install.ts")).installMcp(cli, { client, yes, dryRun }),
      ),
    );
}
